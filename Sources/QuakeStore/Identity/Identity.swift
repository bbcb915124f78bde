/// What the rules of identity ask of the cache. The store answers in production, a dictionary in tests.
package protocol IdentityView {
    /// What an id leads to, compared ignoring case.
    func target(ofID id: String) throws -> AliasTarget?
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake?
    /// The last values of the deleted quake under `key`; nil if the history no longer has them.
    func tombstone(of key: QuakeKey) throws -> Quake?
}

/// Which quake of the cache a feature, or a manually saved quake, is (rules 1 to 5).
///
/// The preferred id changes (4.7% of Caribbean ids were superseded), so an id is no key; the feature's `ids` tie the
/// old one to the new. Nor is `ids` a key: one id stood in those of two listed quakes. So the exact id wins; a quake
/// listed under its own id belongs to no other feature; two ids of one network are two events; an id that is preferred
/// on neither side ties only when no preferred id does, and never merges. An id that is not the
/// preferred one of the quake ties only where the quake, if it still existed, would be listed itself. A deleted quake
/// returns where it would be identified, had it not been deleted, but never by an id that is preferred on neither side.
package struct Identity {
    /// The quakes the feature is; several are to be merged. The exact match comes first, then the oldest.
    package private(set) var quakes: [KnownQuake] = []
    /// The deleted quake that the feature brings back: the one of its own id, or else the oldest whose preferred id it
    /// lists; nil if there is none, or the feature was split off.
    package private(set) var returning: (key: QuakeKey, generated: Int64)?
    /// The quake that the feature's own id leads to and that the feature is not.
    package private(set) var splitFrom: KnownQuake?
    /// Whether there is one.
    package var isSplit: Bool { splitFrom != nil }
    /// Keys of the quakes whose preferred ids the feature lists, and which the answer need not list: they may be
    /// others.
    package private(set) var outOfReach: [QuakeKey] = []
    /// Whether the snapshot has listed the feature's id before.
    package private(set) var isRepeated = false

    /// What each of the feature's ids leads to at present.
    private let targets: [(alias: String, target: AliasTarget?)]
    private let id: String

    /// - Parameters:
    ///   - listedIDs: the ids of all features of the snapshot.
    ///   - claimed: keys of the quakes that earlier features of the snapshot are.
    package init(of feature: Quake, listedIDs: ListedIDs, claimed: Set<QuakeKey>, cache: some IdentityView) throws {
        id = feature.id
        targets = try feature.aliases.map { ($0, try cache.target(ofID: $0)) }
        var strong: [KnownQuake] = []
        var weak: [KnownQuake] = []
        var holders: [QuakeKey: KnownQuake] = [:]
        var departed: [(isOwn: Bool, key: QuakeKey, generated: Int64)] = []
        for (alias, target) in targets {
            let isOwnID = alias.isSameID(as: feature.id)
            switch target {
            case nil: continue
            case .departed(let key, let generated):
                let quake = try cache.tombstone(of: key)
                if quake.map({ Identity.mayBe(feature, $0, by: alias, listedIDs) }) ?? isOwnID,
                    isOwnID || quake?.id.isSameID(as: alias) == true
                {
                    departed.append((isOwnID, key, generated))
                }
            case .live(let key):
                guard let known = try holders[key] ?? cache.knownQuake(key) else { continue }
                holders[key] = known
                let holder = known.stored.quake
                if claimed.contains(key), holder.id.isSameID(as: feature.id) { isRepeated = true }
                if !isOwnID, alias.isSameID(as: holder.id), !listedIDs.reaches(holder, feature) {
                    outOfReach.append(key)
                    continue
                }
                guard Identity.mayBe(feature, holder, by: alias, listedIDs), !claimed.contains(key) else {
                    if isOwnID { splitFrom = known }
                    continue
                }
                if isOwnID || alias.isSameID(as: holder.id) {
                    if !strong.contains(where: { $0.stored.key == key }) { strong.append(known) }
                } else if !weak.contains(where: { $0.stored.key == key }) {
                    weak.append(known)
                }
            }
        }
        let first = departed.first(where: \.isOwn) ?? departed.min { $0.key < $1.key }
        returning = isSplit ? nil : first.map { ($0.key, $0.generated) }
        quakes = strong.isEmpty ? (weak.count == 1 ? weak : []) : Identity.oneOfEachNetwork(strong, feature)
    }

    /// The oldest of the quakes the feature is, which stays when they are merged; nil if the feature matches no quake.
    package var survivor: KnownQuake? { quakes.min { $0.stored.key < $1.stored.key } }

    package func preferredIDResolves(to key: QuakeKey) -> Bool {
        targets.contains { $0.target == .live(key: key) && $0.alias.isSameID(as: id) }
    }

    /// The ids that are to lead to the quake under `key`, or to a new one, and do not yet. An id that leads to another
    /// quake, deleted or not, stays there, unless it is the feature's own (rules 3 and 4) or that quake is to be
    /// merged.
    package func aliasesToAssign(to key: QuakeKey?) -> [String] {
        targets.filter { alias, target in
            switch target {
            case nil: true
            case .departed(let holder, _), .live(let holder):
                holder != key && !quakes.contains { $0.stored.key == holder } && alias.isSameID(as: id)
            }
        }.map(\.alias)
    }

    /// Whether every id of the feature leads to the quake under `key`, or will when the unknown ids are assigned.
    ///
    /// Only then may the same bytes be skipped the next time: an id that leads elsewhere may make the feature another
    /// quake, or two quakes one, as soon as that other one is no longer listed.
    package func isSettled(on key: QuakeKey?, assigning: Bool) -> Bool {
        targets.allSatisfy { alias, target in
            switch target {
            case .departed(let holder, _), .live(let holder):
                holder == key || quakes.contains { $0.stored.key == holder } || (assigning && alias.isSameID(as: id))
            case nil: assigning
            }
        }
    }

    private static func mayBe(_ feature: Quake, _ holder: Quake, by alias: String, _ listed: ListedIDs) -> Bool {
        holder.id.isSameID(as: feature.id)
            || (holder.net != feature.net && !listed.contains(holder.id)
                && (alias.isSameID(as: holder.id) || listed.identifies(alias, feature, holder)))
    }

    /// Two ids of the same network are two events, even among those to be merged.
    private static func oneOfEachNetwork(_ quakes: [KnownQuake], _ feature: Quake) -> [KnownQuake] {
        let ordered = quakes.sorted { left, right in
            let leftIsExact = left.stored.quake.id.isSameID(as: feature.id)
            let rightIsExact = right.stored.quake.id.isSameID(as: feature.id)
            return leftIsExact != rightIsExact ? leftIsExact : left.stored.key < right.stored.key
        }
        var kept: [KnownQuake] = []
        for quake in ordered where !kept.contains(where: { $0.stored.quake.net == quake.stored.quake.net }) {
            kept.append(quake)
        }
        return kept
    }
}

/// The ids of all features of a snapshot, gathered at the first question: most snapshots raise none. And what it means
/// for a quake that it is not among them.
package final class ListedIDs: ExpressibleByArrayLiteral {
    private lazy var ids = gather()
    private let gather: () -> Set<String>
    private let absence: Absence
    /// Whether the snapshot can tell a quake of the cache from a feature that lists its preferred id.
    fileprivate let reaches: (_ known: Quake, _ feature: Quake) -> Bool

    /// What the absence of a quake that the cache has says.
    package enum Absence {
        /// It is gone if `wouldInclude` is true of it: the snapshot would list it as the cache has it.
        case gone(wouldInclude: (Quake) -> Bool)
        /// Nothing: the snapshot lists what changed. A quake that lost one of its ids would have changed, too.
        case unchanged

        /// Every quake would be listed.
        package static var always: Absence { .gone { _ in true } }
    }

    /// Creates the ids that `gather` gives, in lower case.
    package init(
        absence: Absence = .always, reaches: @escaping (_ known: Quake, _ feature: Quake) -> Bool = { _, _ in true },
        _ gather: @escaping () -> Set<String>
    ) {
        (self.absence, self.reaches, self.gather) = (absence, reaches, gather)
    }

    /// Whether `alias`, an id of `feature` that is not the preferred one of `holder`, makes both one. `holder` is not
    /// listed.
    fileprivate func identifies(_ alias: String, _ feature: Quake, _ holder: Quake) -> Bool {
        switch absence {
        case .gone(let wouldInclude): wouldInclude(holder)
        case .unchanged: alias.isSameID(as: feature.id) && holder.has(alias)
        }
    }

    package convenience init(arrayLiteral ids: String...) { self.init { Set(ids.map { $0.lowercased() }) } }

    /// Whether a feature has the id, compared ignoring case.
    package func contains(_ id: String) -> Bool { ids.contains(id.lowercased()) }
}
