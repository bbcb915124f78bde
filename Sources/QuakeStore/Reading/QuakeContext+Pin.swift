/// A state of the cache that a context can be pinned to.
public enum QuakeGeneration {
    /// The newest state at the time of the next read.
    case current
    /// The state right after the transaction a token names.
    case token(HistoryToken)
    /// The state after the last transaction made at or before a moment.
    case moment(Timestamp)
    /// What the snapshots published up to a moment said, as far as they were applied.
    ///
    /// When snapshots were applied in the order in which they were published, this is the state after the last of them.
    /// Otherwise each quake has the state before its first change that was published later. A transaction without a
    /// snapshot, such as a purge, counts as published with the newest snapshot before it.
    case published(Timestamp)
    /// The state that another context of the same cache reads, so that both agree. Where that context is pinned, both
    /// hold the same generation.
    case of(QuakeContext)
    /// A generation that is held already: see ``QuakeContext/generation()``.
    case held(HeldGeneration)
}

/// Which generation the reads of a context see.
enum Pin {
    /// Each read sees what is newest.
    case none
    /// From the next read on the newest one of that moment.
    case waiting
    /// The newest one on this connection, while a place in its history is looked up.
    case settling(Database)
    /// One generation.
    case held(HeldGeneration, on: Database)
}

extension QuakeContext {
    /// Lets every read of this context see one generation, whatever others write, purge or checkpoint meanwhile.
    ///
    /// `.current` is fixed at the next read, any other generation at once. An old generation is rebuilt from the
    /// history that is there now; once pinned it stays readable. A pin holds resources: the write-ahead log grows until
    /// ``unpin()``, ``advance()`` or the release of the context.
    ///
    /// Quakes, history, head and counts follow the pin. Feeds, doubts and consumers are those of the present. The ids
    /// of a quake are those of the generation as far as the history that is kept tells.
    ///
    /// Whatever the context writes goes to the present. Where that makes an entry in the history, it advances the pin:
    /// the next read sees a generation with what was written, as in Core Data. Everything else leaves the pin where it
    /// is.
    ///
    /// - Throws: ``StoreError/generationExpired(floor:)`` for a state below the floor, ``StoreError/token(_:)`` for a
    ///   token that cannot be followed, ``StoreError/beforeHistory(begins:)`` or
    ///   ``StoreError/beforeFirstSnapshot(published:)`` for a time before the first state,
    ///   ``StoreError/contextState(_:)`` inside a snapshot or transaction. The context is unpinned then.
    public func pin(to generation: QuakeGeneration) throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        if case .of(let other) = generation, other === self { return }
        pin = .none
        switch generation {
        case .current: pin = .waiting
        case .token(let token): hold(try hold { _ in HistoryPosition(token: token) })
        case .moment(let moment): hold(try hold { _ in try self.place(at: moment) })
        case .published(let moment): hold(try hold { _ in try self.history.place(publishedAt: moment) })
        case .of(let other): if let shared = try other.settledGeneration() { try join(shared) } else { pin = .waiting }
        case .held(let shared): try join(shared)
        }
    }

    private func join(_ shared: HeldGeneration) throws {
        guard try shared.place.token.storeID == history.storeID() else { throw StoreError.token(.foreign) }
        hold(shared)
    }

    /// Lets reads see `generation`.
    func hold(_ generation: HeldGeneration) { pin = .held(generation, on: generation.view()) }

    /// The place after the last transaction made at or before `moment`.
    private func place(at moment: Timestamp) throws -> HistoryPosition {
        guard let number = try history.lastTransaction(at: moment) else {
            throw StoreError.generationExpired(floor: try history.floor().number)
        }
        guard number > .zero else { throw StoreError.beforeHistory(begins: try history.firstTransactionTime()) }
        return HistoryPosition(token: try history.token(afterTransaction: number))
    }

    /// Pins a pinned context to the newest generation at its next read; an unpinned one reads that anyway.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func advance() throws {
        if isPinned { try pin(to: .current) }
    }

    /// Lets reads see what is newest again.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func unpin() throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        pin = .none
    }

    /// Whether reads see one generation.
    public var isPinned: Bool { if case .none = pin { false } else { true } }

    /// Makes the context as if it were new: drops everything that waits for a save, empties the undo stack, and
    /// advances a pin. Settings and listeners stay.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func reset() throws {
        try advance()
        edits.rollback()
    }

    /// The quake with the values that reads see now, and what is pending in this context over them; nil when it is gone
    /// or is to be deleted.
    public func refresh(_ quake: StoredQuake) throws -> StoredQuake? {
        try quakes(forKeys: [quake.key], includingPending: true).first
    }

    /// Gives quakes fetched earlier the values they have now, and drops those that are gone. Their order stays. What is
    /// pending in this context is kept, as Core Data keeps it: quakes that will be new, changed values, deletions.
    public func refresh(_ quakes: inout [StoredQuake]) throws {
        quakes = try self.quakes(forKeys: quakes.map(\.key), includingPending: true)
    }
}
