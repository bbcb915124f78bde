import QuakeModel

/// What the pending changes of a context leave, over what it reads: seen, sorted and counted as they will be saved, by
/// the same ``EditRules`` on values in memory. They stay applied from one read to the next, and are applied again when
/// others have committed, because that may change the outcome.
final class PendingView: EditTarget {
    private unowned let context: QuakeContext
    private var rules = EditRules()
    private var appliedCount = 0
    /// The state of the cache and of what is pending, but for changes that were added, over which they are applied.
    private let base: Base
    /// The quakes that are shown for the last descriptor, in its order, and those that changed since.
    private var shown: (descriptor: QuakeDescriptor, keys: [QuakeKey])?
    private var touched: Set<QuakeKey> = []
    /// What is left of each quake that was touched.
    private var outcomes: [QuakeKey: Outcome] = [:]
    /// Where ids lead that were assigned, lower case.
    private var keys: [String: QuakeKey] = [:]
    /// The keys that are shown for temporary ones: another one where the quake is in the cache already.
    private var shownKeys: [QuakeKey: QuakeKey] = [:]

    /// The last values of deleted quakes where they are not the saved ones.
    private var tombstones: [QuakeKey: Quake] = [:]

    private enum Outcome {
        case live(Quake)
        case deleted
    }

    private struct Base: Equatable {
        var head: HistoryToken
        var revision: Int
    }

    private init(_ context: QuakeContext, over base: Base) { (self.context, self.base) = (context, base) }

    /// The view of what is pending now, in the state that reads see.
    static func current(in context: QuakeContext) throws -> PendingView {
        try context.snapshot {
            let base = Base(head: try context.history.head(), revision: context.pending.revision)
            // What a transaction has written so far is in no head yet, and a head has several pasts.
            let isPresent = !context.isWriting && context.heldGeneration?.isPast != true
            // A read that is still delivering keeps the state it began with.
            let kept = isKnownUniquelyReferenced(&context.pendingView) ? context.pendingView : nil
            context.pendingView = nil
            let view = if isPresent, let kept, kept.base == base { kept } else { PendingView(context, over: base) }
            try view.applyAdded()
            if isPresent { context.pendingView = view }
            return view
        }
    }

    /// The view for a descriptor; nil where it asks for none, or nothing is pending.
    static func current(for descriptor: QuakeDescriptor, in context: QuakeContext) throws -> PendingView? {
        guard context.edits.hasChanges else {
            context.pendingView = nil
            return nil
        }
        return descriptor.includesPending ? try current(in: context) : nil
    }

    /// Applies what was added since the last time.
    private func applyAdded() throws {
        context.pending.isShown = true
        try context.pending.apply(from: appliedCount, with: &rules, to: self)
        appliedCount = context.pending.entries.count
        shownKeys = rules.savedKeys
    }

    /// The quake under a key, as it will be saved; nil when it is gone, or will be.
    func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        try knownQuake(shownKeys[key] ?? context.pending.savedKey(key))?.stored
    }

    /// Whether the saved values of the quake under `key` are not to be shown.
    func hides(_ key: QuakeKey) -> Bool { outcomes[key] != nil }

    /// The keys of the quakes that are shown instead, in the order of the descriptor.
    func added(accepting descriptor: QuakeDescriptor) -> [QuakeKey] {
        defer { touched = [] }
        guard var keys = shown?.keys, let last = shown?.descriptor, last.filter == descriptor.filter,
            last.sort == descriptor.sort, touched.count * 100 < keys.count
        else {
            let keys = live.filter { descriptor.filter.accepts($0.quake) }
                .sorted { descriptor.isOrdered($0.quake, before: $1.quake) }.map(\.key)
            shown = (descriptor, keys)
            return keys
        }
        shown = nil
        keys.removeAll { touched.contains($0) }
        for key in touched {
            guard let quake = shownQuake(key), descriptor.filter.accepts(quake) else { continue }
            let place = keys.partitioningIndex {
                shownQuake($0).map { descriptor.isOrdered(quake, before: $0) } ?? false
            }
            keys.insert(key, at: place)
        }
        shown = (descriptor, keys)
        return keys
    }

    func shownQuake(_ key: QuakeKey) -> Quake? { if case .live(let quake)? = outcomes[key] { quake } else { nil } }

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
        guard let key = try keys[id.lowercased()] ?? context.key(ofID: id) else { return nil }
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

    func tombstone(of key: QuakeKey) throws -> Quake? {
        try tombstones[key] ?? context.savedQuake(forKey: key)?.quake ?? context.database().tombstone(of: key)
    }

    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey?, aliases: [String],
        generated: Int64
    ) throws -> QuakeKey {
        let key = key ?? temporaryKey ?? StoredQuake.firstTemporaryKey
        note(.live(quake), of: key)
        for alias in aliases { assign(alias: alias, to: key) }
        return key
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) -> Bool {
        guard !new.differences(from: stored.quake).isEmpty else { return false }
        note(.live(new), of: stored.key)
        if new.id != stored.quake.id { assign(alias: new.id, to: stored.key) }
        return true
    }

    func remove(_ known: KnownQuake) { note(.deleted, of: known.stored.key) }

    private func note(_ outcome: Outcome, of key: QuakeKey) {
        tombstones[key] = shownQuake(key)
        outcomes[key] = outcome
        touched.insert(key)
    }

    func assign(alias: String, to key: QuakeKey) { keys[alias.lowercased()] = key }

    func removeAll(_ filter: QuakeFilter) throws -> Int {
        var doomed = live.filter { filter.accepts($0.quake) }.map(\.key)
        for key in try context.fetchIdentifiers(QuakeDescriptor(filter: filter)) where outcomes[key] == nil {
            doomed.append(key)
        }
        for key in doomed { note(.deleted, of: key) }
        return doomed.count
    }

    /// Only the save says so: others may have deleted the quake between two reads.
    func missed(_ stored: StoredQuake) {}
}

extension [QuakeKey] {
    /// The first place of those from which on `belongsAfter` holds.
    fileprivate func partitioningIndex(where belongsAfter: (QuakeKey) -> Bool) -> Int {
        var (first, end) = (0, count)
        while first < end {
            let middle = (first + end) / 2
            if belongsAfter(self[middle]) { end = middle } else { first = middle + 1 }
        }
        return first
    }
}
