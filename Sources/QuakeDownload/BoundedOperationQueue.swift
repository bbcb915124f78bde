import Dispatch
import Foundation

/// A serial queue that keeps whoever adds to it waiting while too much lies in it.
///
/// URLSession adds a piece of the body to its delegate's queue from the very thread that reads from the network, and
/// asks nobody whether the last one has been dealt with. Making that thread wait here is the only way to slow a server
/// down to the pace of the sink: the connection's buffers fill, and TCP does the rest.
final class BoundedOperationQueue: OperationQueue {
    private let freePlaces: DispatchSemaphore

    /// A queue with room for `capacity` operations.
    init(capacity: Int) {
        freePlaces = DispatchSemaphore(value: capacity)
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let freePlaces = freePlaces
        freePlaces.wait()
        super.addOperation {
            block()
            freePlaces.signal()
        }
    }
}

/// Not Sendable: the queue stays with the download that made it. (Foundation's class is, and the compiler wants every
/// subclass to repeat the word, be it to take it back.)
@available(*, unavailable)
extension BoundedOperationQueue: @unchecked Sendable {}
