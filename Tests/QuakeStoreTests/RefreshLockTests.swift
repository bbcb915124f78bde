import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeStore

struct RefreshLockTests {
    @Test(arguments: [ENOLCK, EIO]) func aFailureToLockIsNotAnotherRefresh(code: Int32) throws {
        try withScratchDirectory { directory in
            let path = directory.path("quakes.db")
            let expected = StoreError.cannotLock(path: path + ".lock", reason: String(cString: strerror(code)))
            #expect(throws: expected) {
                try RefreshLock.hold(cacheAt: path, patience: .seconds(60), lock: { _ in code }, {})
            }
        }
    }

    @Test func aLockThatIsHeldIsAnotherRefresh() throws {
        try withScratchDirectory { directory in
            let path = directory.path("quakes.db")
            _ = try RefreshLock.hold(cacheAt: path) {
                #expect(throws: StoreError.refreshing(path: path)) { try RefreshLock.hold(cacheAt: path) { () } }
            }
        }
    }

    @Test(arguments: [true, false]) func aSymbolicLinkToTheCacheLeadsToTheSameLock(exists: Bool) throws {
        try withScratchDirectory { directory in
            let path = directory.path("quakes.db")
            let link = directory.path("link.db")
            if exists { try directory.write(Data(), to: "quakes.db") }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "quakes.db")
            _ = try RefreshLock.hold(cacheAt: path) {
                #expect(throws: StoreError.refreshing(path: link)) { try RefreshLock.hold(cacheAt: link) { () } }
            }
        }
    }

    /// Under each of its names SQLite keeps another log: a writer under one would not see what one under the other
    /// has committed.
    @Test func aCacheWithAHardLinkIsReadButNotWritten() throws {
        try ScratchStore.with { scratch, context in
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
    }

    @Test func anInterruptedCallIsRepeated() throws {
        try withScratchDirectory { directory in
            var answers = [EINTR, EINTR, 0]
            let result = try RefreshLock.hold(
                cacheAt: directory.path("quakes.db"), patience: .zero, lock: { _ in answers.removeFirst() }, { 7 })
            #expect(result == 7)
        }
    }
}
