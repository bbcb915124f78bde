public import QuakeModel

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
    /// The state that another context of the same cache reads, so that both agree.
    case of(QuakeContext)
}

/// Which generation the reads of a context see.
enum Pin {
    /// Each read sees what is newest.
    case none
    /// From the next read on that of the place, or the newest one where there is none.
    case waiting(HistoryPlace?)
    /// One generation, in a read transaction that stays open.
    case held(HeldGeneration)
}

/// A generation that is held by an open read transaction.
///
/// Need: a state that does not move while other processes write, purge and checkpoint. The system's SQLite has no WAL
/// snapshots. Choice: the connection of the context keeps a read transaction open, which sees the newest state of that
/// moment with all its history; a ``PastOverlay`` makes an older state from it. Price: meanwhile the write-ahead log
/// cannot shrink, and the connection cannot write.
struct HeldGeneration {
    /// What it contains.
    var place: HistoryPlace
    /// Whether quakes changed between that place and what the read transaction sees.
    var isPast: Bool
    /// Whether the overlay has been built, or none is needed.
    var hasOverlay = false
}

extension QuakeContext {
    /// Lets every read of this context see one generation, whatever others write, purge or checkpoint meanwhile.
    ///
    /// `.current` is fixed at the next read, any other generation at once. An old generation is rebuilt from the
    /// history that is there now; once pinned it stays readable, also when that history is purged. A pin holds
    /// resources: the write-ahead log grows with what others write until ``unpin()``, ``advance()`` or the release of
    /// the context.
    ///
    /// Quakes, history, head and counts follow the pin. What has no history does not: feeds, doubts and consumers are
    /// those of the moment the pin was fixed. The ids of a quake are those of the generation as far as the history that
    /// is kept tells.
    ///
    /// Whatever the context writes (``save(_:)``, ``transaction(_:dryRun:_:)``, a purge) goes to the present and
    /// advances the pin: the next read sees a generation with what was written, as in Core Data. When the write fails
    /// the pin returns to where it was.
    ///
    /// - Throws: ``StoreError/generationExpired(floor:)`` for a state below the floor, ``StoreError/token(_:)`` for a
    ///   token that cannot be followed, ``StoreError/beforeHistory(begins:)`` or
    ///   ``StoreError/beforeFirstSnapshot(published:)`` for a time before the first state,
    ///   ``StoreError/contextState(_:)`` inside a snapshot or transaction. The context is unpinned then.
    public func pin(to generation: QuakeGeneration) throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        if case .of(let other) = generation, other === self { return }
        try unpin()
        switch generation {
        case .current: pin = .waiting(nil)
        case .token(let token): try hold { _ in HistoryPlace(token: token) }
        case .moment(let moment):
            try hold { _ in
                guard let number = try self.lastTransaction(at: moment) else {
                    throw StoreError.generationExpired(floor: try self.floor().number)
                }
                guard number > 0 else { throw StoreError.beforeHistory(begins: try self.firstTransactionTime()) }
                return HistoryPlace(token: try self.token(afterTransaction: number))
            }
        case .published(let moment): try hold { _ in try self.place(publishedAt: moment) }
        case .of(let other):
            guard other.isPinned else { return try pin(to: .current) }
            let place = try other.place()
            try hold { _ in place }
        }
    }

    /// Pins a pinned context to the newest generation at its next read; an unpinned one reads that anyway.
    public func advance() throws {
        if isPinned { try pin(to: .current) }
    }

    /// Lets reads see what is newest again.
    public func unpin() throws {
        guard depth == 0 else { throw StoreError.contextState("a pin moved inside a snapshot or transaction") }
        if case .held = pin {
            pin = .none
            // The overlay was made inside this transaction and disappears with it.
            try connection.rollBack()
        }
        pin = .none
    }

    /// Whether reads see one generation.
    public var isPinned: Bool {
        if case .none = pin { false } else { true }
    }

    /// The quake with the values that reads see now; nil when it is gone.
    public func refresh(_ quake: StoredQuake) throws -> StoredQuake? {
        try self.quake(forKey: quake.key)
    }

    /// Gives quakes fetched earlier the values they have now, and drops those that are gone. Their order stays.
    public func refresh(_ quakes: inout [StoredQuake]) throws {
        quakes = try snapshot { try quakes.compactMap { try refresh($0) } }
    }
}

extension QuakeContext {
    /// The last transaction that reads may see.
    var newestReadable: Int64 {
        if case .held(let generation) = pin, generation.isPast { generation.place.token.number } else { .max }
    }

    /// Applies a pin that waits for the next read.
    func settlePin() throws {
        guard case .waiting(let place) = pin, depth == 0 else { return }
        do {
            try hold { head in place ?? HistoryPlace(token: head) }
        } catch {
            // The next read fails in the same way, and so cannot see another generation.
            pin = .waiting(place)
            throw error
        }
    }

    /// Runs `work` on the present and pins the context again: to the newest generation, or where it was when `work`
    /// fails.
    func releasingPin<Result>(_ work: () throws -> Result) throws -> Result {
        let old: HistoryPlace?
        switch pin {
        case .none: return try work()
        case .waiting(let place): old = place
        case .held(let generation): old = generation.place
        }
        try unpin()
        do {
            let result = try work()
            pin = .waiting(nil)
            return result
        } catch {
            pin = .waiting(old)
            throw error
        }
    }

    /// What the pinned generation contains.
    private func place() throws -> HistoryPlace {
        HistoryPlace(token: try head(), cut: pinnedCut)
    }

    private func hold(_ choice: (HistoryToken) throws -> HistoryPlace) throws {
        pin = .none
        try connection.begin(.reading)
        do {
            let head = try head()
            let place = try choice(head)
            if let fault = try fault(of: place.token) {
                throw fault == .expired
                    ? StoreError.generationExpired(floor: try floor().number) : StoreError.token(fault)
            }
            let since = try changeIDs(after: place.token.number, through: head.number)
            let isPast = place.token.number < head.number || place.cut != nil
            pin = .held(HeldGeneration(place: place, isPast: isPast, hasOverlay: since.isEmpty && place.cut == nil))
        } catch {
            try connection.rollBack()
            throw error
        }
    }
}
