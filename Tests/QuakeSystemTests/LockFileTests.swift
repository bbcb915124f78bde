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

    @Test("One process at a time holds a lock file, can be named, and removes it on release") func oneAtATime() throws {
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

    @Test("A dropped lock is released") func droppedLock() throws {
        _ = try #require(try file.take())
        #expect(!exists)
        #expect(try file.take() != nil)
    }

    @Test("A lock file left by a killed process is reused with a new time") func leftoverFile() throws {
        try directory.write(Data(), to: "lock")
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file.path, times, 0) == 0)
        #expect(file.age.map { $0 > .seconds(1_000_000_000) } == true)
        let held = try #require(try file.take())
        #expect(file.age.map { $0 < .seconds(1000) } == true)
        held.release()
    }

    @Test("A lock file with content or a second name is never removed", arguments: [true, false])
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

    @Test("A pipe, link or folder in the place of a lock file is never opened", arguments: Obstacle.allCases)
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

    @Test("A child process does not hold its parent's lock") func child() throws {
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
