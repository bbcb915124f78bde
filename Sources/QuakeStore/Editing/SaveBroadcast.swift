import Synchronization

/// The net effect of a transaction, as the local keys of the quakes.
public struct SavedChanges: Hashable, Sendable, Codable {
    /// The transaction's entry in the history.
    public var transaction: HistoryTransaction
    /// The quakes that did not exist before.
    public var inserted: [QuakeKey]
    /// The quakes whose values changed.
    public var updated: [QuakeKey]
    /// The quakes that were deleted.
    public var deleted: [QuakeKey]
}

extension StoreEdits {
    /// Returns a stream of the pending changes, sent just before each ``save(_:)`` that changes anything. A listener on
    /// the same actor receives them only after the save, unlike ``onWillSave``. The stream ends with the context.
    public func willSaveStream() -> AsyncStream<[PendingChange]> { context.broadcast.willSave.stream() }

    /// Returns a stream of the changes committed by each transaction of this context, such as a save, purge or undo.
    /// The stream ends with the context.
    ///
    /// Transactions that change nothing are omitted. For changes by other contexts and processes, see
    /// ``StoreHistory/remoteChanges(after:isCoalesced:every:)``.
    public func didSaveStream() -> AsyncStream<SavedChanges> { context.broadcast.didSave.stream() }

    /// Returns the net effect of a transaction on each quake; nil if nobody is listening.
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

/// Notifies listeners on any thread about the saves of one context.
struct SaveBroadcast {
    let willSave = Broadcast<[PendingChange]>()
    let didSave = Broadcast<SavedChanges>()

    func finish() {
        willSave.finish()
        didSave.finish()
    }
}

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
