/// A state of the cache to which a context can be pinned.
public enum QuakeGeneration {
    /// The newest state at the time of the next read.
    case current
    /// The state right after the transaction that a token identifies.
    case token(HistoryToken)
    /// The state after the last transaction committed by a given time.
    case committed(Timestamp)
    /// The state that USGS had published by a given time, according to the applied snapshots.
    ///
    /// If snapshots were applied in order of publication, this is the state after the last of them. Otherwise, each
    /// quake has the state before its first change that was published later. A transaction without a snapshot, such as
    /// a purge, counts as published at the same time as the newest snapshot before it.
    case published(Timestamp)
    /// The state that another context of the same cache reads, so that both agree. If that context is pinned, both
    /// contexts share its generation.
    case of(QuakeContext)
    /// A generation that ``QuakeContext/generation()`` returned.
    case held(HeldGeneration)
}

/// The generation visible to a context's reads.
enum Pin {
    /// Each read sees the newest state.
    case none
    /// Reads see the generation that is newest at the next read.
    case waiting
    /// Reads see the newest generation on this connection, while a position in its history is being looked up.
    case settling(Database)
    /// Reads see one generation.
    case held(HeldGeneration, on: Database)
}

extension QuakeContext {
    /// Makes all reads of this context see one generation, regardless of later writes and purges.
    ///
    /// The pin takes effect immediately or, for `.current`, at the next read. A past generation is rebuilt from the
    /// retained history; once pinned, it stays readable. While a context is pinned, the write-ahead log cannot shrink:
    /// call ``unpin()`` or ``advance()`` when you are done.
    ///
    /// The pin applies to quakes, history and counts, but not to feeds, unconfirmed changes and consumers. A quake's
    /// ids are those of the generation, as far as the retained history shows them; later ids also find it.
    ///
    /// Writes always apply to the newest state. A write that adds an entry to the history also advances the pin, as in
    /// Core Data, so that the next read sees the write. Other writes leave the pin in place.
    ///
    /// - Throws: ``StoreError/generationExpired(floor:)`` for a state whose history was purged,
    ///   ``StoreError/token(_:)`` for an unusable token, ``StoreError/beforeHistory(begins:)`` or
    ///   ``StoreError/beforeFirstSnapshot(published:)`` for a time before the first state, and
    ///   ``StoreError/contextState(_:)`` inside a snapshot or transaction. After any error except the last, the context
    ///   is unpinned.
    public func pin(to generation: QuakeGeneration) throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        if case .of(let other) = generation, other === self { return }
        pin = .none
        switch generation {
        case .current: pin = .waiting
        case .token(let token): hold(try hold { _ in HistoryPosition(token: token) })
        case .committed(let moment): hold(try hold { _ in try self.place(at: moment) })
        case .published(let moment): hold(try hold { _ in try self.history.place(publishedAt: moment) })
        case .of(let other): if let shared = try other.settledGeneration() { try join(shared) } else { pin = .waiting }
        case .held(let shared): try join(shared)
        }
    }

    private func join(_ shared: HeldGeneration) throws {
        guard try shared.place.token.storeID == history.storeID() else { throw StoreError.token(.foreign) }
        hold(shared)
    }

    /// Makes reads see `generation`.
    func hold(_ generation: HeldGeneration) { pin = .held(generation, on: generation.view()) }

    /// Returns the position after the last transaction at or before `moment`.
    private func place(at moment: Timestamp) throws -> HistoryPosition {
        guard let number = try history.lastTransaction(at: moment) else {
            throw StoreError.generationExpired(floor: try history.floor().number)
        }
        guard number > .zero else { throw StoreError.beforeHistory(begins: try history.firstTransactionTime()) }
        return HistoryPosition(token: try history.token(afterTransaction: number))
    }

    /// Moves the pin to the newest generation at the next read. Does nothing in an unpinned context.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func advance() throws {
        if isPinned { try pin(to: .current) }
    }

    /// Makes reads see the newest state again.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func unpin() throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        pin = .none
    }

    /// Whether reads see one fixed generation.
    public var isPinned: Bool { if case .none = pin { false } else { true } }

    /// Returns the context to its initial state: discards all pending changes, empties the undo stack and advances a
    /// pin. Settings and listeners stay.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func reset() throws {
        try advance()
        edits.rollback()
    }

    /// Returns the quake with the values that reads see now, including this context's pending changes; nil if it was
    /// deleted or its deletion is pending.
    public func refresh(_ quake: StoredQuake) throws -> StoredQuake? {
        try quakes(forKeys: [quake.key], includingPending: true).first
    }

    /// Updates quakes fetched earlier to the values that reads see now, and removes deleted quakes, keeping the order.
    /// This context's pending changes are included, as in Core Data.
    public func refresh(_ quakes: inout [StoredQuake]) throws {
        quakes = try self.quakes(forKeys: quakes.map(\.key), includingPending: true)
    }
}
