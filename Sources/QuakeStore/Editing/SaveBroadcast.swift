import Synchronization

/// What a transaction did: its net effect on each quake, by local key.
public struct SavedChanges: Hashable, Sendable, Codable {
    /// The entry in the history.
    public var transaction: HistoryTransaction
    /// Quakes that were not there before.
    public var inserted: [QuakeKey]
    /// Quakes whose values changed.
    public var updated: [QuakeKey]
    /// Quakes that were deleted.
    public var deleted: [QuakeKey]
}

extension StoreEdits {
    /// Makes a stream of what is about to be saved: everything pending, in each ``save(_:)`` that changes anything,
    /// before its commit. A listener on the same actor receives it after the save, unlike ``onWillSave``. The
    /// stream ends with the context.
    public func willSaveStream() -> AsyncStream<[PendingChange]> { context.broadcast.willSave.stream() }

    /// Makes a stream of what each transaction of this context did, after its commit: saves, refreshes, purges, undos.
    /// The stream ends with the context.
    ///
    /// A transaction that changed nothing is not in either stream. What other contexts and processes do is in the
    /// history: see ``StoreHistory/fetch(_:resyncs:_:)``.
    public func didSaveStream() -> AsyncStream<SavedChanges> { context.broadcast.didSave.stream() }

    /// The net effect of a transaction on each quake; nil when nobody listens.
    func savedChanges(of entry: HistoryTransaction?) throws -> SavedChanges? {
        guard let entry, context.broadcast.didSave.hasListeners else { return nil }
        let range = try context.history.changeIDs(ofTransaction: entry.number)
        var saved = SavedChanges(transaction: entry, inserted: [], updated: [], deleted: [])
        for touched in try TouchedQuake.all(in: range, context.database()) {
            switch (touched.existedBefore, touched.existsAfter) {
            case (false, true): saved.inserted.append(touched.key)
            case (true, true): saved.updated.append(touched.key)
            case (true, false): saved.deleted.append(touched.key)
            case (false, false): break
            }
        }
        return saved
    }
}

/// Tells listeners on any thread about the saves of one context.
struct SaveBroadcast {
    let willSave = Broadcast<[PendingChange]>()
    let didSave = Broadcast<SavedChanges>()

    func finish() {
        willSave.finish()
        didSave.finish()
    }
}

/// Sends each value to every stream that is being listened to.
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

    func finish() {
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
