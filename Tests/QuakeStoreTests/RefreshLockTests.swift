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

    @Test func anInterruptedCallIsRepeated() throws {
        try withScratchDirectory { directory in
            var answers = [EINTR, EINTR, 0]
            let result = try RefreshLock.hold(
                cacheAt: directory.path("quakes.db"), patience: .zero, lock: { _ in answers.removeFirst() }, { 7 })
            #expect(result == 7)
        }
    }
}
