import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Locks of a cache", .scratch) struct CacheLockTests {
    private let directory: ScratchDirectory
    private let path: String

    init() throws {
        directory = try ScratchDirectory.ofTest()
        path = directory.path("quakes.db")
    }

    @Test("A system error while locking is not reported as another running backfill", arguments: [ENOLCK, EIO])
    func failureToLock(code: Int32) throws {
        let expected = StoreError.cannotOpen(
            path: path + ".backfill-lock", reason: "it cannot be locked (\(String(cString: strerror(code))))")
        #expect(throws: expected) { try CacheLock.hold(cacheAt: path, lock: { _ in code }, {}) }
    }

    @Test("A second backfill is rejected while the first holds the backfill lock") func heldLock() throws {
        #expect(!CacheLock.isHeld(cacheAt: path))
        try CacheLock.hold(cacheAt: path) {
            #expect(CacheLock.isHeld(cacheAt: path))
            #expect(throws: StoreError.backfilling(path: path)) { try CacheLock.hold(cacheAt: path) { () } }
        }
        #expect(!CacheLock.isHeld(cacheAt: path))
        try CacheLock.hold(cacheAt: path) {}
    }

    @Test("A named pipe in place of the backfill lock file is rejected without blocking") func pipeAsLock() throws {
        mkfifo(path + ".backfill-lock", 0o644)
        #expect(!CacheLock.isHeld(cacheAt: path))
        #expect(throws: StoreError.cannotOpen(path: path + ".backfill-lock", reason: "it is not a regular file")) {
            try CacheLock.hold(cacheAt: path) { () }
        }
    }

    @Test("The backfill lock is released even if a copy of its file descriptor stays open") func copiedDescriptor()
        throws
    {
        var copy: Int32 = -1
        defer { close(copy) }
        try CacheLock.hold(
            cacheAt: path,
            lock: { descriptor in
                copy = dup(descriptor)
                return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            }, {})
        #expect(copy >= 0)
        try CacheLock.hold(cacheAt: path) {}
    }

    @Test("A cache and a symbolic link to it share one backfill lock", arguments: [true, false])
    func symbolicLink(exists: Bool) throws {
        let link = directory.path("link.db")
        if exists { try directory.write(Data(), to: "quakes.db") }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "quakes.db")
        _ = try CacheLock.hold(cacheAt: path) {
            #expect(throws: StoreError.backfilling(path: link)) { try CacheLock.hold(cacheAt: link) { () } }
        }
    }

    /// SQLite keeps a separate log for each name: a writer under one name would not see commits under the other.
    @Test("A cache with a hard link can be read but not written") func hardLink() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try context.record(.sample())
        let link = scratch.path + ".hard"
        #expect(Glibc.link(scratch.path, link) == 0)
        for path in [scratch.path, link] {
            #expect {
                try QuakeContext(QuakeCache(path: path), access: .creating)
            } throws: {
                if case StoreError.cannotOpen(path, let reason) = $0 { reason.contains("2 names") } else { false }
            }
        }
        #expect(try QuakeContext(scratch.store, access: .reading).fetchCount() == 1)
        unlink(link)
        #expect(try QuakeContext(scratch.store).fetchCount() == 1)
    }

    /// Anyone who may write to the cache may lock it, whatever the umask was when the lock file was created.
    // Proves promise 9 of reliability.md.
    @Test(
        "The backfill lock file gets the same permissions as the cache", arguments: [0o600, 0o660, 0o644] as [mode_t])
    func lockMode(mode: mode_t) throws {
        try directory.write(Data(), to: "quakes.db")
        try directory.write(Data(), to: "quakes.db.backfill-lock")
        #expect(chmod(path, mode) == 0 && chmod(path + ".backfill-lock", 0o640) == 0)
        for _ in 0..<2 {
            let found = try CacheLock.hold(cacheAt: path) { try permissions(of: path + ".backfill-lock") }
            #expect(found == mode)
            unlink(path + ".backfill-lock")
        }
    }

    @Test(
        "If there is no cache yet, the lock file's permissions depend on those of the folder",
        arguments: [(0o700, 0o600), (0o770, 0o660), (0o1777, 0o600)] as [(mode_t, mode_t)])
    func lockModeWithoutCache(folder: mode_t, expected: mode_t) throws {
        #expect(chmod(directory.url.path, folder) == 0)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let mask = try #require(status.firstMatch(of: /Umask:\s+(\d+)/).flatMap { mode_t($0.output.1, radix: 8) })
        let found = try CacheLock.hold(cacheAt: path) { try permissions(of: path + ".backfill-lock") }
        #expect(found == expected & ~mask)
    }

    private func permissions(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    @Test("A lock call interrupted by a signal (EINTR) is repeated") func interruptedCall() throws {
        var answers = [EINTR, EINTR, 0]
        #expect(try CacheLock.hold(cacheAt: path, lock: { _ in answers.removeFirst() }, { 7 }) == 7)
    }
}
