import Dispatch
import Synchronization

/// A value that another thread works out while this one does something else.
final class DeferredValue<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts the work.
    init(_ work: @escaping @Sendable () -> Value) {
        DispatchQueue.global().async {
            let value = work()
            self.result.withLock { $0 = value }
            self.isDone.signal()
        }
    }

    /// The value, once it is there.
    func wait() -> Value {
        isDone.wait()
        isDone.signal()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("signalled before the value was there") }
        return value
    }
}
