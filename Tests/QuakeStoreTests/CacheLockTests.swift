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

    @Test("A failure to lock is not reported as another backfill", arguments: [ENOLCK, EIO])
    func failureToLock(code: Int32) throws {
        let expected = StoreError.cannotOpen(
            path: path + ".backfill-lock", reason: "it cannot be locked (\(String(cString: strerror(code))))")
        #expect(throws: expected) { try CacheLock.hold(cacheAt: path, lock: { _ in code }, {}) }
    }

    @Test("A held lock means another backfill, and checking it does not take it") func heldLock() throws {
        #expect(!CacheLock.isHeld(cacheAt: path))
        try CacheLock.hold(cacheAt: path) {
            #expect(CacheLock.isHeld(cacheAt: path))
            #expect(throws: StoreError.backfilling(path: path)) { try CacheLock.hold(cacheAt: path) { () } }
        }
        #expect(!CacheLock.isHeld(cacheAt: path))
        try CacheLock.hold(cacheAt: path) {}
    }

    @Test("A pipe in the place of the lock is rejected and blocks nobody") func pipeAsLock() throws {
        mkfifo(path + ".backfill-lock", 0o644)
        #expect(!CacheLock.isHeld(cacheAt: path))
        #expect(throws: StoreError.cannotOpen(path: path + ".backfill-lock", reason: "it is not a regular file")) {
            try CacheLock.hold(cacheAt: path) { () }
        }
    }

    @Test("A descriptor copied to a forked child does not hold the lock") func copiedDescriptor() throws {
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

    @Test("A symbolic link to the cache leads to the same lock", arguments: [true, false])
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
                try QuakeCache(path: path).context(access: .creating)
            } throws: {
                if case StoreError.cannotOpen(path, let reason) = $0 { reason.contains("2 names") } else { false }
            }
        }
        #expect(try scratch.store.context(access: .reading).fetchCount() == 1)
        unlink(link)
        #expect(try scratch.store.context().fetchCount() == 1)
    }

    /// Anyone who may write to the cache may lock it, whatever the umask was when the lock file was created.
    // Proves promise 9 of reliability.md.
    @Test("The lock file has the mode of the cache", arguments: [0o600, 0o660, 0o644] as [mode_t])
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
        "Without a cache, the folder's mode determines who may lock",
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

    @Test("An interrupted lock call is repeated") func interruptedCall() throws {
        var answers = [EINTR, EINTR, 0]
        #expect(try CacheLock.hold(cacheAt: path, lock: { _ in answers.removeFirst() }, { 7 }) == 7)
    }
}
