extension QuakeContext {
    /// Makes all reads of this context see one generation, regardless of later writes and purges.
    ///
    /// A past generation is rebuilt from the retained history; once pinned, it stays readable. While a context is
    /// pinned, the write-ahead log cannot shrink: call ``unpin()`` or ``advance()`` when you are done.
    ///
    /// The pin applies to quakes, history, counts and ``status()``, but not to consumers. A quake's ids are those of
    /// the generation, as far as the retained history shows them; ids that the quake received later also lead to the
    /// quake.
    ///
    /// Writes always apply to the newest state. A write that adds an entry to the history also advances the pin, as in
    /// Core Data, so that the next read sees the write. Other writes leave the pin in place. If the newest state cannot
    /// be opened after a write, the pin stays, and ``advance()`` throws the reason.
    ///
    /// - Throws: ``StoreError/generationExpired(trimmedThrough:)`` for a state whose history was trimmed,
    ///   ``StoreError/token(_:)`` for an unusable token, ``StoreError/beforeHistory(begins:)`` or
    ///   ``StoreError/beforeFirstSnapshot(published:)`` for a time before the first state, and
    ///   ``StoreError/contextState(_:)`` inside a snapshot or transaction. After any error, reads see the same state as
    ///   before.
    public func pin(to generation: QuakeGeneration) throws {
        try requireNoSnapshot()
        if case .of(let other) = generation, other === self { return }
        session.hold(try heldGeneration(generation))
    }

    /// Makes all reads of this context see the state at a token: see ``pin(to:)-(QuakeGeneration)``.
    public func pin(to token: HistoryToken) throws { try pin(to: .token(token)) }

    private func heldGeneration(_ generation: QuakeGeneration) throws -> HeldGeneration {
        switch generation {
        case .current: return try session.generation()
        case .token(let token): return try session.generation { _ in HistoryPosition(token: token) }
        case .committed(let moment): return try session.generation { try $0.position(at: moment) }
        case .published(let moment): return try session.generation { try $0.position(publishedAt: moment) }
        case .of(let other):
            if let shared = other.session.heldGeneration { return try heldGeneration(.held(shared)) }
            try requireOwn(other.history.storeID())
            return try session.generation()
        case .held(let shared):
            try requireOwn(shared.position.token.storeID)
            return shared
        }
    }

    /// Throws ``StoreError/token(_:)`` with `foreign` if `storeID` is the id of another cache.
    private func requireOwn(_ storeID: String) throws {
        guard try storeID == history.storeID() else { throw StoreError.token(.foreign) }
    }

    private func requireNoSnapshot() throws {
        guard session.nesting.depth == 0 else {
            throw StoreError.contextState("a pin moved inside a snapshot or transaction")
        }
    }

    /// Moves the pin to the newest generation. Does nothing in an unpinned context.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction, and another error if the cache
    ///   cannot be opened again. After an error, the pin stays in place.
    public func advance() throws {
        if isPinned { try pin(to: .current) }
    }

    /// Moves the pin past a write, so that the next read sees it. Does not throw, because the write is already
    /// committed.
    func advanceAfterWrite() {
        guard isPinned, let newest = try? session.generation() else { return }
        session.hold(newest)
    }

    /// Makes reads see the newest state again.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func unpin() throws {
        try requireNoSnapshot()
        session.hold(nil)
    }

    /// Whether reads see one fixed generation.
    public var isPinned: Bool { session.pin != nil }

    /// Whether reads see a state other than the newest.
    package var isPast: Bool { session.heldGeneration?.isPast == true }

    /// Returns the generation that this context reads, for pinning other contexts with ``QuakeGeneration/held(_:)``.
    ///
    /// The write-ahead log cannot shrink until the last reference to the generation is released.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction of an unpinned context.
    public func generation() throws -> HeldGeneration {
        if let held = session.heldGeneration { return held }
        guard session.nesting.depth == 0 else {
            throw StoreError.contextState("a generation inside a snapshot or transaction")
        }
        return try session.generation()
    }
}
