import QuakeModel

/// What the pending changes of a context leave, over what it reads.
///
/// Pending changes are seen, sorted and counted as they will be saved, by the same ``EditRules`` on values in memory.
/// They run at every read that asks for pending changes, and what others commit before the save may change the outcome.
final class PendingView: EditTarget {
    private let context: QuakeContext
    /// What is left of each quake that was touched.
    private var outcomes: [QuakeKey: Outcome] = [:]
    /// Where ids lead that were assigned, lower case.
    private var keys: [String: QuakeKey] = [:]
    private var survivors: [QuakeKey: QuakeKey] = [:]
    /// The keys that are shown for temporary ones: another one where the quake is in the cache already.
    private var shownKeys: [QuakeKey: QuakeKey] = [:]

    private enum Outcome {
        case live(Quake)
        case deleted
    }

    init(_ context: QuakeContext) throws {
        self.context = context
        context.pending.isShown = true
        shownKeys = try context.snapshot { try context.pending.apply(to: self) }
    }

    /// The view for a descriptor; nil where it asks for none, or nothing is pending.
    convenience init?(_ descriptor: QuakeDescriptor, in context: QuakeContext) throws {
        guard descriptor.includesPending, context.edits.hasChanges else { return nil }
        try self.init(context)
    }

    /// The quake under a key, as it will be saved; nil when it is gone, or will be.
    func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        try knownQuake(shownKeys[key] ?? context.pending.savedKey(key))?.stored
    }

    /// Whether the saved values of the quake under `key` are not to be shown.
    func hides(_ key: QuakeKey) -> Bool { outcomes[key] != nil }

    /// The quakes that are shown instead, in the order of the descriptor.
    func added(accepting descriptor: QuakeDescriptor) -> [StoredQuake] {
        live.filter { descriptor.filter.accepts($0.quake) }
            .sorted { descriptor.isOrdered($0.quake, before: $1.quake) }
    }

    /// How many quakes the filter accepts.
    func count(_ filter: QuakeFilter) throws -> Int {
        let hidden = try outcomes.keys.count { key in
            try context.savedQuake(forKey: key).map { filter.accepts($0.quake) } ?? false
        }
        return try context.fetchCount(filter) - hidden + live.count { filter.accepts($0.quake) }
    }

    private var live: [StoredQuake] {
        outcomes.compactMap { key, outcome in
            if case .live(let quake) = outcome { StoredQuake(key: key, quake: quake) } else { nil }
        }
    }

    /// The quakes that will be new, changed and deleted, each by its key.
    func sorted() throws -> (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) {
        var result: (inserted: [StoredQuake], changed: [StoredQuake], deleted: [StoredQuake]) = ([], [], [])
        for (key, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
            switch (try context.savedQuake(forKey: key), outcome) {
            case (nil, .live(let quake)): result.inserted.append(StoredQuake(key: key, quake: quake))
            case (let saved?, .live(let quake)):
                if !quake.differences(from: saved.quake).isEmpty {
                    result.changed.append(StoredQuake(key: key, quake: quake))
                }
            case (let saved?, .deleted): result.deleted.append(saved)
            case (nil, .deleted): break
            }
        }
        return result
    }
}

// MARK: The rules ask and tell

extension PendingView {
    func target(ofID id: String) throws -> AliasTarget? {
        guard var key = try keys[id.lowercased()] ?? context.key(ofID: id) else { return nil }
        while let survivor = survivors[key] { key = survivor }
        return try knownQuake(key) == nil ? .departed(key: key, generated: 0) : .live(key: key)
    }

    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        let stored: StoredQuake? =
            switch outcomes[key] {
            case .live(let quake): StoredQuake(key: key, quake: quake)
            case .deleted: nil
            case nil: try context.savedQuake(forKey: key)
            }
        return stored.map { KnownQuake(stored: $0, rowSource: RowSource()) }
    }

    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey?, aliases: [String],
        generated: Int64
    ) throws -> QuakeKey {
        let key = key ?? temporaryKey ?? StoredQuake.firstTemporaryKey
        outcomes[key] = .live(quake)
        for alias in aliases { assign(alias: alias, to: key) }
        return key
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) -> Bool {
        guard !new.differences(from: stored.quake).isEmpty else { return false }
        outcomes[stored.key] = .live(new)
        return true
    }

    func remove(_ known: KnownQuake, reason: ChangeReason, mergedInto survivor: QuakeKey?) {
        outcomes[known.stored.key] = .deleted
        survivors[known.stored.key] = survivor
    }

    func assign(alias: String, to key: QuakeKey) {
        keys[alias.lowercased()] = key
    }

    func removeAll(_ filter: QuakeFilter) throws -> Int {
        var doomed = live.filter { filter.accepts($0.quake) }.map(\.key)
        for key in try context.fetchIdentifiers(QuakeDescriptor(filter: filter)) where outcomes[key] == nil {
            doomed.append(key)
        }
        for key in doomed { outcomes[key] = .deleted }
        return doomed.count
    }

    /// Only the save says so: others may have deleted the quake between two reads.
    func missed(_ stored: StoredQuake) {}
}
