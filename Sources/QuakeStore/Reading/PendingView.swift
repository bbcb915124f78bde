/// A view of the state that a context reads, with the context's pending changes applied. The ``EditRules`` of the save
/// apply the changes to temporary tables, so that SQL filters, sorts and counts quakes as they will be saved. The view
/// is built again after further edits or commits, because the outcome may differ.
final class PendingView: EditTarget {
    /// The tables that the context reads, with the overlay on top of them.
    let source: QuakeSource
    private let overlay: QuakeOverlay
    private let oneByKey: String
    private unowned let context: QuakeContext
    private let base: Base
    /// The key shown for each temporary key: a different one if the quake is already in the cache.
    private(set) var shownKeys: [QuakeKey: QuakeKey] = [:]
    /// The quake that each assigned id leads to, keyed by lowercase id.
    private var keys: [String: QuakeKey] = [:]
    /// The last values of quakes to be deleted.
    private var tombstones: [QuakeKey: Quake] = [:]

    /// The state to which the changes are applied.
    private struct Base: Equatable {
        var head: HistoryToken
        var count: Int
        /// The key of the last change. It is unique; while the change is pending, the changes before it stay the same.
        var last: QuakeKey?
    }

    /// Returns the view of the current pending changes, inside ``QuakeContext/inRead(_:)``.
    static func current(in context: QuakeContext) throws -> PendingView {
        let entries = context.pending.entries
        let base = try Base(head: context.history.head(), count: entries.count, last: entries.last?.temporaryKey)
        // Keep no view in a transaction, whose writes no token reflects, or under a pin, which the view would prolong.
        let isPresent = !context.isWriting && !context.isPinned
        if isPresent, let kept = context.pendingView, kept.base == base { return kept }
        // An enclosing read may still be using the kept tables.
        guard isPresent, context.visits == 1 else { return try PendingView(context, over: base, context.visits) }
        let view = try PendingView(context, over: base, 0)
        context.pendingView = view
        return view
    }

    private init(_ context: QuakeContext, over base: Base, _ number: Int) throws {
        (self.context, self.base) = (context, base)
        // Contexts that share a generation share its connection, and reads may be nested.
        overlay = QuakeOverlay("pending_\(UInt(bitPattern: ObjectIdentifier(context)))_\(number)")
        source = QuakeSource(overlays: try context.source().overlays + [overlay])
        oneByKey = source.oneByKey
        try overlay.create(in: context.database())
        context.pending.isShown = true
        shownKeys = try context.pending.apply(to: self)
    }

    /// Returns the quake under a key as it will be saved; nil if it is deleted or is about to be deleted.
    func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        try knownQuake(shownKeys[key] ?? context.pending.savedKey(key))?.stored
    }

    /// Returns the quakes to be inserted, changed and deleted, each list ordered by key.
    func sorted() throws -> (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) {
        var result: (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) = ([], [], [])
        let keys = try context.database().all("SELECT key FROM \(overlay.touched) ORDER BY key") { $0.key(0) }
        for key in keys {
            switch (try context.savedQuake(forKey: key), try knownQuake(key)?.stored) {
            case (nil, let new?): result.inserted.append(new)
            case (let saved?, let new?):
                if !new.quake.differences(from: saved.quake).isEmpty { result.changed.append(new) }
            case (let saved?, nil): result.deleted.append(saved)
            case (nil, nil): break
            }
        }
        return result
    }

    // MARK: EditTarget

    func target(ofID id: String) throws -> AliasTarget? {
        guard let key = try keys[id.lowercased()] ?? context.key(ofID: id) else { return nil }
        return try knownQuake(key) == nil ? .departed(key: key, generated: 0) : .live(key: key)
    }

    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        try context.database().first(oneByKey, key) { row in
            KnownQuake(stored: StoredQuake(key: key, quake: row.quake(from: 0)), rowSource: RowSource())
        }
    }

    func tombstone(of key: QuakeKey) throws -> Quake? {
        try tombstones[key] ?? context.database().tombstone(of: key)
    }

    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey, aliases: [String],
        generated: Int64
    ) throws -> QuakeKey {
        let key = key ?? temporaryKey
        try overlay.set(key, to: quake, in: context.database())
        for alias in aliases { assign(alias: alias, to: key) }
        return key
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool {
        guard !new.differences(from: stored.quake).isEmpty else { return false }
        try overlay.set(stored.key, to: new, in: context.database())
        if new.id != stored.quake.id { assign(alias: new.id, to: stored.key) }
        return true
    }

    func remove(_ known: KnownQuake) throws { try hide(known.stored) }

    private func hide(_ stored: StoredQuake) throws {
        try overlay.set(stored.key, to: nil, in: context.database())
        tombstones[stored.key] = stored.quake
    }

    func assign(alias: String, to key: QuakeKey) { keys[alias.lowercased()] = key }

    func removeAll(_ filter: QuakeFilter) throws -> Int {
        var doomed: [StoredQuake] = []
        try context.forEach(source.byKey(context.sql(of: filter))) {
            doomed.append(StoredQuake(key: $0.key(0), quake: $0.quake(from: 1)))
        }
        try doomed.forEach(hide)
        return doomed.count
    }

    /// Only the save reports a missing quake, because others may have deleted the quake between two reads.
    func missed(_ stored: StoredQuake) {}
}
