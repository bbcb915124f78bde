import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeSystem

@Suite("A file that is replaced in one step", .scratch) struct ReplacedFileTests {
    private let directory: ScratchDirectory

    init() throws { directory = try .ofTest() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, to descriptor: Int32) {
        let count = Array(text.utf8).withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        #expect(count == text.utf8.count)
    }

    @Test("A failure leaves the old file and nothing else") func failure() throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        #expect {
            try ReplacedFile(path).write { descriptor throws(SystemError) in
                write("new", to: descriptor)
                throw SystemError(ENOSPC)
            }
        } throws: { error in
            guard let failure = error as? ReplacedFile.Failure else { return false }
            return failure.path == path && failure.code == ENOSPC && failure.reason == "No space left on device"
        }
        #expect(try names() == ["token"])
        #expect(try text(path) == "old")
    }

    @Test("While it is written the new content has no name that a kill could leave") func nameless() throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        try ReplacedFile(path).write { descriptor throws(SystemError) in
            write("new", to: descriptor)
            #expect((try? names()) == ["token"])
        }
        #expect(try names() == ["token"])
        #expect(try text(path) == "new")
    }

    @Test("A link stays one, and the mode stays as it was") func linkAndMode() throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        chmod(path, 0o640)
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "token")
        try ReplacedFile(link).write { descriptor throws(SystemError) in write("new", to: descriptor) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "token")
        #expect(try text(path) == "new")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test("A leftover draft that is another name of the complete file is not written to") func leftover() throws {
        let path = try directory.write(Data("complete".utf8), to: "backup")
        #expect(link(path, path + ".partial") == 0)
        let draft = try FileDraft(of: ReplacedFile(path), like: FileAccess(mode: 0o444), namedWith: ".partial")
        write("new", to: draft.descriptor)
        #expect(try text(path) == "complete" && text(draft.name) == "new")
        // Its owner can write to it until it is in place.
        var status = stat()
        #expect(stat(draft.name, &status) == 0 && status.st_mode & 0o777 == 0o644)
        try draft.takePlace(replacing: true)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o444)
        #expect(try text(path) == "new" && names() == ["backup"])
    }

    @Test("Only the owner writes a draft, and only who may read the file reads it", arguments: [0o600, 0o660, 0o640])
    func modeOfDraft(mode: mode_t) throws {
        let path = directory.path("backup")
        let draft = try FileDraft(of: ReplacedFile(path), like: FileAccess(mode: mode), namedWith: ".partial")
        var status = stat()
        #expect(stat(draft.name, &status) == 0 && status.st_mode & 0o777 == mode & ~0o020)
    }

    @Test("A second draft with the same name fails while the first is written, and leaves it alone")
    func twoDrafts() throws {
        let file = ReplacedFile(directory.path("backup"))
        let first = try FileDraft(of: file, like: FileAccess(mode: 0o600), namedWith: ".partial")
        write("first", to: first.descriptor)
        #expect {
            _ = try FileDraft(of: file, like: FileAccess(mode: 0o600), namedWith: ".partial")
        } throws: {
            ($0 as? ReplacedFile.Failure)?.code == EWOULDBLOCK
        }
        try first.takePlace(replacing: false)
        #expect(try text(file.path) == "first" && names() == ["backup"])
    }

    @Test("A draft that is dropped is removed") func dropped() throws {
        do {
            let draft = try FileDraft(of: ReplacedFile(directory.path("backup")), like: nil, namedWith: ".partial")
            #expect(try names() == ["backup.partial"])
            _ = consume draft
        }
        #expect(try names() == [])
    }

    @Test("A name that is taken is refused, whatever the file system can do", arguments: 0..<3)
    func takenName(way: Int) throws {
        let path = try directory.write(Data("old".utf8), to: "backup")
        let draft = try directory.write(Data("new".utf8), to: "draft")
        #expect(throws: SystemError(EEXIST)) { try FreeName.take(path, for: draft, by: [FreeName.ways[way]]) }
        #expect(try text(path) == "old" && text(draft) == "new")
    }

    @Test("A free name is taken on a disk that cannot rename exclusively, and on one without links", arguments: 0..<3)
    func freeName(way: Int) throws {
        let draft = try directory.write(Data("new".utf8), to: "draft")
        let missing: [FreeName.Way] = [
            { _, _ in
                errno = EINVAL
                return false
            },
            { _, _ in
                errno = EPERM
                return false
            },
        ]
        try FreeName.take(directory.path("backup"), for: draft, by: missing.prefix(way) + [FreeName.ways[way]])
        #expect(try names() == ["backup"])
        #expect(try text(directory.path("backup")) == "new")
    }

    @Test("An error that is not about what the disk can do ends the attempts") func otherFailure() throws {
        #expect(throws: SystemError(ENOENT)) { try FreeName.take("/nowhere/backup", for: "/nowhere/draft") }
    }
}
