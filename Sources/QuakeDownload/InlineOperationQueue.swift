import Foundation

/// A queue that does what is added to it at once, on the thread that adds it.
///
/// URLSession hands every piece of a body to its delegate's queue, from the very thread that reads from the network, and asks
/// nobody whether the last one has been dealt with. Need: a sink that is slow must slow the server down, and 450 pieces of
/// 16 kB should not wake another thread each. Choice: the thread that reads from the network writes to the sink; while it waits,
/// the connection's buffers fill, and TCP does the rest. Hazard: the delegate runs on the task's own queue; it must not cancel,
/// suspend or resume the task, which would wait for that queue. Price: URLSession's own timers wait with a slow sink.
final class InlineOperationQueue: OperationQueue {
    /// One operation at a time, whichever threads add them; recursive, since an operation may add another.
    private let turn = NSRecursiveLock()

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        turn.withLock(block)
    }
}

/// Not Sendable: the queue stays with the download that made it. (Foundation's class is, and the compiler wants every
/// subclass to repeat the word, be it to take it back.)
@available(*, unavailable)
extension InlineOperationQueue: @unchecked Sendable {}
