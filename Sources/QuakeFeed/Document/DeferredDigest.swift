import CQuakes
import Dispatch
import FoundationEssentials
import QuakeSystem
import Synchronization

/// The SHA-256 of a document, computed on another thread while this one writes the cache. Where the system has no thread
/// left, the one that waits for it computes it.
final class DeferredDigest: Sendable {
    private let body: Data
    private let isClaimed = Mutex(false)
    private let digits = Mutex("")
    private let isDone = DispatchSemaphore(value: 0)

    init(of body: Data) {
        self.body = body
        SpareThread.start { self.computeOnce() }
    }

    func wait() -> String {
        computeOnce()
        isDone.wait()
        isDone.signal()
        return digits.withLock { $0 }
    }

    private func computeOnce() {
        let isMine = isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
        guard isMine else { return }
        var digest = [UInt8](repeating: 0, count: 32)
        body.withUnsafeBytes { quakes_sha256($0.baseAddress, $0.count, &digest) }
        let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        self.digits.withLock { $0 = digits }
        isDone.signal()
    }
}
