public import QuakeModel

/// What is asked for here waits for ``QuakeContext/save(_:)``. Reads return what is saved, never what is pending.
///
/// The source of truth of a mirror is its server: what is inserted, updated or deleted by hand lasts until a feed says
/// otherwise. Quakes are values that the context does not watch: to change one, hand the changed copy to
/// ``QuakeContext/update(_:to:)``.
extension QuakeContext {
    /// Adds a quake, or gives its values to the one in the cache that has the same id. A quake that was deleted returns
    /// under its local key.
    public func insert(_ quake: Quake) throws {
        try register(.insert(quake))
    }

    /// Gives a quake other values. What differs from `stored` is written; other properties keep what they have when
    /// saved.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        guard quake != stored.quake else { return }
        try register(.update(StoredQuake(key: stored.key, quake: quake), before: stored.quake))
    }

    /// Deletes a quake, leaving its tombstone. One that is gone by the time of the save is ignored.
    public func delete(_ stored: StoredQuake) throws {
        try register(.delete(stored))
    }

    /// Deletes every quake that the filter accepts at the time of the save.
    public func delete(where filter: QuakeFilter) throws {
        try register(.deleteAll(filter))
    }

    /// Everything that waits for a save, in the order in which it was asked for.
    public var pendingChanges: [PendingChange] { pending.changes }

    /// Whether anything waits for a save.
    public var hasChanges: Bool { !pending.changes.isEmpty }

    /// The quakes to be added, or to be given new values by their id.
    public var insertedQuakes: [Quake] {
        pending.changes.compactMap { if case .insert(let quake) = $0 { quake } else { nil } }
    }

    /// The quakes to be changed, with their new values.
    public var changedQuakes: [StoredQuake] {
        pending.changes.compactMap { if case .update(let quake, _) = $0 { quake } else { nil } }
    }

    /// The quakes to be deleted one by one. What ``delete(where:)`` deletes is known only after the save.
    public var deletedQuakes: [StoredQuake] {
        pending.changes.compactMap { if case .delete(let quake) = $0 { quake } else { nil } }
    }

    /// Drops everything that waits for a save.
    public func rollback() {
        pending.clear()
    }

    private func register(_ change: PendingChange) throws {
        pending.add(change)
        if let limit = autosave.operations, pending.changes.count >= limit { try save() }
    }
}

/// One change that waits for a save.
public enum PendingChange: Hashable, Sendable {
    /// A quake to be added, or to give its values to the one of the same id.
    case insert(Quake)
    /// New values; `before` is what they were made from.
    case update(StoredQuake, before: Quake)
    case delete(StoredQuake)
    /// Every quake that the filter accepts at the time of the save.
    case deleteAll(QuakeFilter)
}

/// What a context has not saved yet, in the order in which it was asked for.
struct PendingChanges {
    private(set) var changes: [PendingChange] = []
    /// Removed by undo; redo puts the last one back first.
    private(set) var withdrawn: [PendingChange] = []

    mutating func add(_ change: PendingChange) {
        changes.append(change)
        withdrawn = []
    }

    mutating func clear() {
        self = PendingChanges()
    }

    mutating func truncate(to count: Int) {
        changes.removeLast(max(0, changes.count - count))
    }

    /// Removes the last change; false when there is none.
    mutating func withdraw() -> Bool {
        guard let last = changes.popLast() else { return false }
        withdrawn.append(last)
        return true
    }

    /// Puts back what was removed last; false when there is nothing.
    mutating func reinstate() -> Bool {
        guard let last = withdrawn.popLast() else { return false }
        changes.append(last)
        return true
    }
}

// MARK: Saving

extension QuakeContext {
    /// Saves everything pending as one transaction with one entry in the history, or nothing of it.
    ///
    /// What differs from the present values is recorded, with the reason `edited`; when nothing differs there is no
    /// entry. After a failure everything is still pending. In a pinned context the save goes to the present and
    /// advances the pin.
    ///
    /// - Returns: the entry, if one was made.
    @discardableResult
    public func save(_ origin: TransactionOrigin = TransactionOrigin()) throws -> HistoryTransaction? {
        guard hasChanges else { return nil }
        broadcast.willSave.send(pending.changes)
        let (_, entry) = try transaction(origin) { writer in
            for change in pending.changes { try writer.apply(change) }
        }
        pending.clear()
        return entry
    }

    /// Runs `body`, then saves what is pending. When either fails, what `body` left pending is dropped.
    @discardableResult
    public func transaction(_ body: () throws -> Void) throws -> HistoryTransaction? {
        let count = pending.changes.count
        do {
            try body()
            return try save()
        } catch {
            pending.truncate(to: count)
            throw error
        }
    }

    func saveOnRelease() {
        guard autosave.onRelease, hasChanges else { return }
        do {
            try save()
        } catch let error as StoreError {
            autosave.onFailure(error)
        } catch {
            autosave.onFailure(.contextState("a save on release failed: \(error)"))
        }
    }
}

/// When a context saves without being asked.
public struct Autosave {
    /// After this many pending changes; nil for never.
    public var operations: Int?
    /// When the context is released with changes pending.
    public var onRelease: Bool
    /// Receives the error of a save on release, where no caller can catch it.
    public var onFailure: (StoreError) -> Void

    /// Never: changes that nobody saved are dropped with the context.
    public static var off: Autosave { Autosave() }

    /// Saves after `operations` pending changes, on release, or both.
    public init(
        afterOperations operations: Int? = nil, onRelease: Bool = false,
        onFailure: @escaping (StoreError) -> Void = { _ in }
    ) {
        self.operations = operations
        self.onRelease = onRelease
        self.onFailure = onFailure
    }
}

extension QuakeWriter {
    /// Applies a pending change to the values that are there now.
    fileprivate func apply(_ change: PendingChange) throws {
        switch change {
        case .insert(let quake): try insertOrUpdate(quake)
        case .update(let new, let before):
            guard let known = try knownQuake(new.key) else { return }
            try update(known.stored, to: known.stored.quake.taking(new.quake, where: before), reason: .edited)
        case .delete(let stored):
            guard let known = try knownQuake(stored.key) else { return }
            try delete(known.stored, reason: .edited, generated: known.rowSource.generated)
        case .deleteAll(let filter): _ = try delete(where: filter, reason: .edited)
        }
    }

    private func insertOrUpdate(_ quake: Quake) throws {
        switch try target(ofID: quake.id) {
        case .departed(let key, let generated):
            try insert(quake, reason: .edited, key: key, rowSource: RowSource(generated: generated))
        case .live(let key):
            // An id that only leads to another quake becomes that of a quake of its own.
            if let known = try knownQuake(key), known.stored.quake.id.isSameID(as: quake.id) {
                try update(known.stored, to: quake, reason: .edited)
            } else {
                try insert(quake, reason: .edited)
            }
        case nil: try insert(quake, reason: .edited)
        }
    }
}

extension Quake {
    /// This quake with the values of `new` that differ from `before`.
    fileprivate func taking(_ new: Quake, where before: Quake) -> Quake {
        var merged = self
        for property in new.differences(from: before) { merged.set(property, to: new[property]) }
        if new.publishedTitle != before.publishedTitle { merged.publishedTitle = new.publishedTitle }
        if new.publishedURL != before.publishedURL { merged.publishedURL = new.publishedURL }
        if new.publishedDetail != before.publishedDetail { merged.publishedDetail = new.publishedDetail }
        return merged
    }
}
