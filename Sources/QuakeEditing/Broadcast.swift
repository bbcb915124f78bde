import Synchronization

/// Sends values to listeners on any thread. The listeners' streams end when the broadcast is released.
final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var next = 0
    }

    private let listeners = Mutex(Listeners())

    var hasListeners: Bool { listeners.withLock { !$0.continuations.isEmpty } }

    func send(_ value: Value) {
        for listener in listeners.withLock({ Array($0.continuations.values) }) { listener.yield(value) }
    }

    deinit {
        let all = listeners.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        all.forEach { $0.finish() }
    }

    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        let id = listeners.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.continuations[id] = nil } }
        return stream
    }
}
