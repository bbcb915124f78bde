import QuakeModel
import QuakeStore

/// A view of the state that a context reads, with an editor's pending changes applied. The ``EditRules`` of the save
/// apply the changes to temporary tables, so that SQL filters, sorts and counts quakes as they will be saved. The view
/// is built again after further edits or commits, because the outcome may differ.
final class PendingView: EditTarget {
    /// The changed quakes, on top of the tables that the context reads.
    let overlay: QuakeOverlay
    private let context: QuakeContext
    let base: Base
    /// The key shown for each temporary key: a different one if the quake is already in the cache.
    private(set) var shownKeys: [QuakeKey: QuakeKey] = [:]
    /// The quake that each assigned id leads to, keyed by lowercase id.
    private var keys: [String: QuakeKey] = [:]
    /// The last values of quakes to be deleted.
    private var tombstones: [QuakeKey: Quake] = [:]

    /// The state to which the changes are applied.
    struct Base: Equatable {
        var head: HistoryToken
        var count: Int
        /// The key of the last change. It is unique; while the change is pending, the changes before it stay the same.
        var last: QuakeKey?
        /// The number of failures that may have rolled the view's tables back.
        var failures: Int
    }

    /// - Parameter number: tells this view's tables from those of the editor's other views.
    init(of editor: QuakeEditor, over base: Base, number: Int) throws {
        context = editor.context
        self.base = base
        // Contexts that share a generation share its connection, and reads may be nested.
        let owner = UInt(bitPattern: ObjectIdentifier(context))
        overlay = QuakeOverlay("pending_\(owner)_\(editor.slot)_\(number)")
        try context.create(overlay)
        shownKeys = try editor.pending.apply(to: self)
    }

    /// Returns the quake under a key, which may be temporary, as it will be saved; nil if it is deleted or is about to
    /// be deleted.
    func quake(key: QuakeKey) throws -> StoredQuake? {
        try knownQuake(shownKeys[key] ?? key)?.stored
    }

    /// Returns the quakes to be inserted, changed and deleted, each list ordered by key.
    func sorted() throws -> (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) {
        var result: (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) = ([], [], [])
        for key in try context.keys(in: overlay) {
            switch (try context.unmergedQuake(forKey: key), try knownQuake(key)?.stored) {
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
        return try knownQuake(key) == nil ? .departed(key: key, sourceTime: 0) : .live(key: key)
    }

    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        try context.unmergedQuake(forKey: key, over: overlay).map { KnownQuake(stored: $0, rowSource: RowSource()) }
    }

    func tombstone(of key: QuakeKey) throws -> Quake? {
        try tombstones[key] ?? context.tombstone(of: key)
    }

    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey, aliases: [String],
        sourceTime: Int64
    ) throws -> QuakeKey {
        let key = key ?? temporaryKey
        try context.show(quake, under: key, in: overlay)
        for alias in aliases { assign(alias: alias, to: key) }
        return key
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool {
        guard !new.differences(from: stored.quake).isEmpty else { return false }
        try context.show(new, under: stored.key, in: overlay)
        if new.id != stored.quake.id { assign(alias: new.id, to: stored.key) }
        return true
    }

    func remove(_ known: KnownQuake) throws { try hide(known.stored) }

    private func hide(_ stored: StoredQuake) throws {
        try context.show(nil, under: stored.key, in: overlay)
        tombstones[stored.key] = stored.quake
    }

    func assign(alias: String, to key: QuakeKey) { keys[alias.lowercased()] = key }

    func removeAll(_ filter: QuakeFilter) throws -> Int {
        let doomed = try context.quakes(acceptedBy: filter, over: overlay)
        try doomed.forEach(hide)
        return doomed.count
    }

    /// Only the save reports a missing quake, because others may have deleted the quake between two reads.
    func missed(_ stored: StoredQuake) {}
}
