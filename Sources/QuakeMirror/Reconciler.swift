import QuakeFeed
import QuakeModel
import QuakeStore

/// What a snapshot means for the cache: pure rules, no I/O of its own.
///
/// Features are judged one by one in the order of the document; each answer is applied before the next question, so that
/// ``CacheView`` always shows the present. After the last one, ``absences(among:)`` judges what was not listed.
struct Reconciler {
    private let facts: SnapshotFacts
    private let doubtRules: DoubtRules
    /// Keys of the quakes the snapshot lists.
    private var present: Set<Int64> = []
    /// The same, in the order in which they were met: mostly that of the keys or its reverse, which is quick to sort.
    private var presentInOrder: [Int64] = []
    /// Those of them whose listed values are not the cache's: unread, doubtful, or older than what it holds.
    private var unconfirmed: Set<Int64> = []

    /// Whether the feature judged last may be passed over when it comes again in the same bytes.
    private(set) var isSettled = true

    private let asksService: Bool

    /// - Parameter asksService: a confirmed absence waits for the word of the event service.
    init(facts: SnapshotFacts, settings: MirrorSettings, asksService: Bool = false, doubts: [Doubt]) {
        self.facts = facts
        self.asksService = asksService
        doubtRules = DoubtRules(settings: settings, generated: facts.generated, doubts: doubts)
    }

    /// Keys of the quakes whose values in the cache this snapshot confirms.
    var confirmed: ListedKeys {
        ListedKeys(unconfirmed.isEmpty ? presentInOrder : presentInOrder.filter { !unconfirmed.contains($0) })
    }

    /// The steps that do not depend on what the snapshot lists.
    var upkeep: [Operation] { doubtRules.expired }

    /// Counts the quakes under `keys` as listed with the values the cache holds. Contradicts whatever was in doubt.
    mutating func see(_ keys: [Int64]) -> [Operation] {
        present.reserveCapacity(keys.count)
        presentInOrder.reserveCapacity(keys.count)
        keys.forEach { list($0) }
        return doubtRules.isEmpty
            ? [] : keys.flatMap { doubtRules.contradicted(Doubt.Kind.allCases, by: $0) }
    }

    /// Counts the quake under `key` as listed with values that nobody could read.
    mutating func seeUnread(_ key: Int64) -> [Operation] {
        list(key)
        unconfirmed.insert(key)
        return doubtRules.contradicted([.absent], by: key)
    }

    /// Judges one feature. Inserts are reported back with ``inserted(_:)``, once their key is known.
    ///
    /// - Throws: ``FeatureDefect/duplicate(id:)`` for one whose id the snapshot has listed before; the first stands.
    mutating func judge(_ feature: Quake, cache: some CacheView) throws -> [Operation] {
        let identity = try Identity(of: feature, facts: facts, claimed: present, cache: cache)
        guard !identity.isRepeated else { throw FeatureDefect.duplicate(id: feature.id) }
        guard let survivor = identity.quakes.min(by: { $0.stored.key < $1.stored.key }) else {
            return judgeUnknown(feature, identity)
        }
        identity.quakes.forEach { list($0.stored.key) }
        // Rule 10: an older snapshot never changes what a newer one confirmed.
        guard try identity.quakes.allSatisfy({ try cache.confirmedUntil($0) <= facts.generated }) else {
            unconfirmed.formUnion(identity.quakes.map(\.stored.key))
            return []
        }
        let merged = identity.quakes.filter { $0.stored.key != survivor.stored.key }
        let aliases = identity.aliasesToAssign(to: survivor.stored.key)
        isSettled = identity.isSettled(on: survivor.stored.key, assigning: true)
        var operations = merged.map {
            Operation.delete($0.stored, reason: .merged, mergedInto: survivor.stored.key)
        }
        operations += doubtRules.contradicted([.absent], by: survivor.stored.key)
        let isRename = !survivor.stored.quake.id.isSameID(as: feature.id)
        guard isRename || !feature.differences(from: survivor.stored.quake).isEmpty else {
            isSettled = identity.isSettled(on: survivor.stored.key, assigning: false)
            return operations + doubtRules.contradicted([.backward], by: survivor.stored.key)
                + [.confirm(survivor.stored.key)]
        }
        let isReturn = isRename && identity.ownIDLeads(to: survivor.stored.key)
        let isDoubtful = feature.updated < survivor.stored.quake.updated && (!isRename || isReturn) && merged.isEmpty
        if isDoubtful {
            switch doubtRules.judge(.backward, of: survivor.stored.key, claimedUpdate: feature.updated) {
            case .unchanged:
                unconfirmed.insert(survivor.stored.key)
                return operations
            case .noted(let doubt):
                unconfirmed.insert(survivor.stored.key)
                return operations + [.note(doubt)]
            case .believed: operations.append(.drop(.backward, key: survivor.stored.key))
            }
        } else {
            operations += doubtRules.contradicted([.backward], by: survivor.stored.key)
        }
        operations.append(
            .update(survivor.stored, to: feature, reason: isRename ? .renamed : .revised, aliases: aliases))
        return operations
    }

    /// A feature that is no quake of the cache: new, late, split off, or back from the dead.
    private mutating func judgeUnknown(_ feature: Quake, _ identity: Identity) -> [Operation] {
        let key = identity.isSplit ? nil : identity.departed.first?.key
        // Rule 10 again: a newer snapshot decided that it is gone.
        if key != nil, identity.departed.contains(where: { $0.generated > facts.generated.milliseconds }) { return [] }
        let reason: ChangeReason =
            switch (identity.isSplit, key) {
            case (true, _): .split
            case (false, .some): .restored
            case (false, nil): facts.isLate(feature.originTime) ? .late : .new
            }
        isSettled = identity.isSettled(on: key, assigning: true)
        return [.insert(feature, reason: reason, key: key, aliases: identity.aliasesToAssign(to: key))]
    }

    /// Counts an inserted quake as listed.
    mutating func inserted(_ key: Int64) {
        list(key)
    }

    private mutating func list(_ key: Int64) {
        if present.insert(key).inserted { presentInOrder.append(key) }
    }

    /// What the snapshot did not list.
    struct Absences {
        var operations: [Operation] = []
        /// Missing, and noted as such.
        var noted = 0
        /// Confirmed, and to be asked about.
        var awaiting: [Int64] = []
        /// So many at once that the snapshot is not believed in this (the mass rule).
        var isSuspect = false
        var missing: [Int64] = []
    }

    /// Judges the quakes of the cache that lie in the certain part of the window and were not listed (rules 6 to 8).
    func absences(among covered: [Int64], cache: some CacheView) throws -> Absences {
        var result = Absences()
        result.missing = covered.filter { !present.contains($0) }
        let news = result.missing.count { !doubtRules.isNoted(.absent, of: $0) }
        guard news <= max(20, covered.count / 5) else {
            result.isSuspect = true
            return result
        }
        for key in result.missing {
            switch doubtRules.judge(.absent, of: key) {
            case .unchanged: result.noted += 1
            case .noted(let doubt):
                result.noted += 1
                result.operations.append(.note(doubt))
            case .believed(let doubt) where asksService:
                result.noted += 1
                result.awaiting.append(key)
                result.operations.append(.note(doubt))
            case .believed:
                guard let known = try cache.knownQuake(key) else { continue }
                result.operations.append(.delete(known.stored, reason: .retracted, mergedInto: nil))
            }
        }
        return result
    }
}
