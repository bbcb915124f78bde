import Foundation

/// A queue that runs each operation immediately, on the thread that adds it.
///
/// URLSession's network thread adds every piece of a body to the delegate's queue, without waiting until the piece has
/// been processed. With this queue, that thread itself writes to the sink. While a slow sink blocks the thread, the
/// connection's buffers fill, and TCP slows the server down. The delegate runs on the task's own queue, so it must not
/// cancel, suspend or resume the task: these calls would wait for that queue. A slow sink also delays URLSession's own
/// timers.
final class InlineOperationQueue: OperationQueue {
    /// Admits one operation at a time from any thread; recursive, because an operation may add another.
    private let lock = NSRecursiveLock()

    override func addOperation(_ block: @escaping @Sendable () -> Void) { lock.withLock(block) }
}

/// Not Sendable, because only the download that created the queue uses it. Foundation's class is Sendable, and the
/// compiler requires every subclass to restate or revoke that conformance.
@available(*, unavailable)
extension InlineOperationQueue: @unchecked Sendable {}
