public import QuakeModel
import Synchronization

/// What a transaction did, by local key: the net effect on each quake.
public struct SavedChanges: Hashable, Sendable {
    /// The entry in the history.
    public var transaction: HistoryTransaction
    /// Local keys of quakes inserted.
    public var inserted: [Int64]
    /// Local keys of quakes updated.
    public var updated: [Int64]
    /// Local keys of quakes deleted.
    public var deleted: [Int64]
}

/// Tells listeners, on whatever thread they are, of the saves of one context.
final class SaveBroadcast: Sendable {
    private struct Listeners {
        var willSave: [Int: AsyncStream<[PendingChange]>.Continuation] = [:]
        var didSave: [Int: AsyncStream<SavedChanges>.Continuation] = [:]
        var next = 0
    }

    private let listeners = Mutex(Listeners())

    var hasListeners: Bool { listeners.withLock { !$0.didSave.isEmpty } }

    func willSave(_ changes: [PendingChange]) {
        let listening = listeners.withLock { Array($0.willSave.values) }
        for listener in listening { listener.yield(changes) }
    }

    func didSave(_ changes: SavedChanges) {
        let listening = listeners.withLock { Array($0.didSave.values) }
        for listener in listening { listener.yield(changes) }
    }

    func finish() {
        let all = listeners.withLock { state in
            defer { state = Listeners() }
            return state
        }
        all.willSave.values.forEach { $0.finish() }
        all.didSave.values.forEach { $0.finish() }
    }

    func willSaveStream() -> AsyncStream<[PendingChange]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [PendingChange].self)
        let id = listeners.withLock { state in
            state.next += 1
            state.willSave[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.willSave[id] = nil } }
        return stream
    }

    func didSaveStream() -> AsyncStream<SavedChanges> {
        let (stream, continuation) = AsyncStream.makeStream(of: SavedChanges.self)
        let id = listeners.withLock { state in
            state.next += 1
            state.didSave[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.didSave[id] = nil } }
        return stream
    }
}
