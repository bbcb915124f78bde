import CQuakes
import Foundation
import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

@Suite("Lock files", .scratch) struct LockFileTests {
    private let directory: ScratchDirectory
    private let file: LockFile

    init() throws {
        directory = try .ofTest()
        file = LockFile(at: directory.path("lock"), like: nil, newMode: 0o644)
    }

    private var exists: Bool { access(file.path, F_OK) == 0 }

    @Test("A held lock file cannot be taken again, and releasing it removes the file") func oneAtATime() throws {
        let first = try #require(try file.take())
        #expect(try file.take() == nil)
        #expect(file.isHeld && file.holders.count == 1)
        #expect(file.holders.first?.hasSuffix(" (\(getpid()))") == true)
        first.release()
        #expect(!exists && !file.isHeld && file.holders.isEmpty)
        let second = try #require(try file.take())
        first.release()
        #expect(exists && file.isHeld)
        second.release()
        #expect(!exists)
    }

    @Test("A lock whose handle is discarded is released, and its file is removed") func droppedLock() throws {
        _ = try #require(try file.take())
        #expect(!exists)
        #expect(try file.take() != nil)
    }

    @Test("Taking a leftover lock file succeeds and resets the file's age") func leftoverFile() throws {
        try directory.write(Data(), to: "lock")
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file.path, times, 0) == 0)
        #expect(file.age.map { $0 > .seconds(1_000_000_000) } == true)
        let held = try #require(try file.take())
        #expect(file.age.map { $0 < .seconds(1000) } == true)
        held.release()
    }

    @Test("A lock file with content or a second hard link is not removed on release", arguments: [true, false])
    func fileOfOthers(hasContent: Bool) throws {
        try directory.write(Data(hasContent ? "text".utf8 : "".utf8), to: "lock")
        if !hasContent { #expect(link(file.path, directory.path("other")) == 0) }
        let held = try #require(try file.take())
        held.release()
        #expect(exists)
    }

    enum Obstacle: CaseIterable, Sendable {
        case pipe, link, folder
    }

    @Test(
        "A pipe, symbolic link or folder at the path of a lock file is rejected unopened", arguments: Obstacle.allCases)
    func obstacle(obstacle: Obstacle) throws {
        let target = try directory.write(Data(), to: "target")
        switch obstacle {
        case .pipe: #expect(mkfifo(file.path, 0o600) == 0)
        case .link: #expect(symlink(target, file.path) == 0)
        case .folder: #expect(mkdir(file.path, 0o700) == 0)
        }
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, file.path, UInt32(IN_OPEN)) >= 0)
        #expect(!file.isHeld)
        #expect(throws: LockFile.Failure.self) { try file.take() }
        var event = [UInt8](repeating: 0, count: 4096)
        #expect(read(watch, &event, event.count) < 0 && errno == EAGAIN)
    }

    @Test("A child process does not inherit its parent's open lock file") func child() throws {
        let held = try #require(try file.take())
        let child = try ChildProcess("/bin/sleep", arguments: ["sleep", "60"], streams: [], dropSignal: SIGKILL)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/fd").map {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.id)/fd/\($0)")
        }
        #expect(!links.contains(file.path))
        held.release()
        _ = consume child
    }
}
