import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeSystem

@Suite("Atomically replaced files", .scratch) struct ReplacedFileTests {
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

    @Test("A failed atomic replacement leaves the old file and no temporary file") func failure() throws {
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

    @Test("While a file is being replaced, its new content has no name in the folder") func namelessDraft() throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        try ReplacedFile(path).write { descriptor throws(SystemError) in
            write("new", to: descriptor)
            #expect((try? names()) == ["token"])
        }
        #expect(try names() == ["token"])
        #expect(try text(path) == "new")
    }

    @Test("A file keeps its permission bits when its content is replaced") func mode() throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        chmod(path, 0o640)
        try ReplacedFile(path).write { descriptor throws(SystemError) in write("new", to: descriptor) }
        #expect(try text(path) == "new")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test(
        "Replacing a symbolic link fails with an error that names the link's target",
        arguments: ["token", "missing", "/dev/shm"])
    func link(target: String) throws {
        let path = try directory.write(Data("old".utf8), to: "token")
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        for isCheck in [true, false] {
            let failure = #expect(throws: ReplacedFile.Failure.self) {
                let file = ReplacedFile(link)
                if isCheck { try file.requireReplaceable() } else { try file.write { _ throws(SystemError) in } }
            }
            #expect(failure?.reason == "it is a symbolic link to \(target)")
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try text(path) == "old" && names() == ["link", "token"])
    }

    @Test("Output to a pipe or device is written as a stream and leaves the pipe or device in place") func streams()
        throws
    {
        let pair = try DescriptorPair.pipe()
        let named = directory.path("pipe")
        #expect(mkfifo(named, 0o600) == 0)
        let reader = Descriptor(open(named, O_RDONLY | O_NONBLOCK))
        try FileManager.default.createSymbolicLink(atPath: directory.path("null"), withDestinationPath: "/dev/null")
        for path in ["/dev/fd/\(pair.ours.number)", named, directory.path("null"), "/dev/null"] {
            try ReplacedFile(path).write { descriptor throws(SystemError) in write("new", to: descriptor) }
        }
        for end in [pair.theirs.number, reader.number] {
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(read(end, &bytes, 8) == 3 && bytes.prefix(3) == Array("new".utf8)[...])
        }
        #expect(try names() == ["null", "pipe"])
    }

    @Test("Writing to a named pipe that no process reads fails without waiting") func unreadPipe() throws {
        let path = directory.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let failure = #expect(throws: ReplacedFile.Failure.self) {
            try ReplacedFile(path).write { _ throws(SystemError) in }
        }
        #expect(failure?.reason == "nothing reads from it")
    }

    /// A draft on a file system without nameless files.
    private func namedDraft(of path: String, mode: UInt32 = 0o600) throws -> FileDraft {
        try FileDraft(
            of: ReplacedFile(path), like: FileAccess(mode: mode), namedWith: ".partial", prefersNameless: false)
    }

    // Proves promise 15 of reliability.md.
    @Test(
        "A link, pipe, folder or device at the path of a temporary file is not opened",
        arguments: ["link", "pipe", "folder", "device"])
    func obstacle(kind: String) throws {
        let path = directory.path("backup")
        let victim = try directory.write(Data("kept".utf8), to: "victim")
        let isMade =
            switch kind {
            case "link": symlink(victim, path + ".partial") == 0
            case "pipe": mkfifo(path + ".partial", 0o600) == 0
            case "folder": mkdir(path + ".partial", 0o700) == 0
            default: mknod(path + ".partial", S_IFCHR | 0o600, 0x103) == 0
            }
        // Only root can make devices.
        guard isMade || kind != "device" else { return }
        let failure = #expect(throws: ReplacedFile.Failure.self) { _ = try namedDraft(of: path) }
        #expect(failure?.path == path + ".partial" && failure?.code == EEXIST)
        #expect(try text(victim) == "kept" && names() == ["backup.partial", "victim"])
        // A nameless draft needs no name that could be taken.
        let draft = try FileDraft(of: ReplacedFile(path), like: nil, namedWith: ".partial")
        try draft.moveIntoPlace(replacing: false)
        #expect(try names() == ["backup", "backup.partial", "victim"])
    }

    @Test("A leftover temporary file that is a hard link to the finished file is not written to") func leftoverDraft()
        throws
    {
        let path = try directory.write(Data("complete".utf8), to: "backup")
        #expect(Glibc.link(path, path + ".partial") == 0)
        let draft = try namedDraft(of: path, mode: 0o444)
        let name = try #require(draft.name)
        write("new", to: draft.descriptor)
        #expect(try text(path) == "complete" && text(name) == "new")
        // Its owner can write to it until it is in place.
        var status = stat()
        #expect(stat(name, &status) == 0 && status.st_mode & 0o777 == 0o644)
        try draft.moveIntoPlace(replacing: true)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o444)
        #expect(try text(path) == "new" && names() == ["backup"])
    }

    @Test(
        "Only the owner can write a temporary file, and only the final file's readers can read it",
        arguments: [0o600, 0o660, 0o640])
    func modeOfDraft(mode: mode_t) throws {
        let path = directory.path("backup")
        for draft in [
            try namedDraft(of: path, mode: mode), try FileDraft(of: ReplacedFile(path), like: FileAccess(mode: mode)),
        ] {
            var status = stat()
            #expect(fstat(draft.descriptor, &status) == 0 && status.st_mode & 0o777 == mode & ~0o020)
        }
    }

    @Test("Creating a second temporary file for the same path fails and leaves the first intact") func secondDraft()
        throws
    {
        let path = directory.path("backup")
        let first = try namedDraft(of: path)
        write("first", to: first.descriptor)
        #expect {
            _ = try namedDraft(of: path)
        } throws: {
            ($0 as? ReplacedFile.Failure)?.code == EWOULDBLOCK
        }
        try first.moveIntoPlace(replacing: false)
        #expect(try text(path) == "first" && names() == ["backup"])
    }

    @Test("A temporary file that is never put in place is removed") func droppedDraft() throws {
        do {
            let draft = try namedDraft(of: directory.path("backup"))
            #expect(try names() == ["backup.partial"])
            _ = consume draft
        }
        #expect(try names() == [])
    }

    @Test("Each of the three ways to rename a file without overwriting fails if the name is taken", arguments: 0..<3)
    func takenName(way: Int) throws {
        let path = try directory.write(Data("old".utf8), to: "backup")
        let draft = try directory.write(Data("new".utf8), to: "draft")
        #expect(throws: SystemError(EEXIST)) { try FreeName.take(path, for: draft, by: [FreeName.ways[way]]) }
        #expect(try text(path) == "old" && text(draft) == "new")
    }

    @Test("A file is renamed to an unused name even if exclusive renames and hard links fail", arguments: 0..<3)
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

    @Test("Renaming a missing file to an unused name throws ENOENT") func otherFailure() throws {
        #expect(throws: SystemError(ENOENT)) { try FreeName.take("/nowhere/backup", for: "/nowhere/draft") }
    }
}
