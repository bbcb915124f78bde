/// The part of a cache that the identity rules use. Tests replace it with a dictionary.
package protocol IdentityView {
    /// Returns the quake that an id leads to; case is ignored.
    func target(ofID id: String) throws -> AliasTarget?
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake?
    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    func tombstone(of key: QuakeKey) throws -> Quake?
}

/// Identifies the cached quake to which a feature refers (rules 1 to 5).
///
/// A preferred id is not a reliable key, because it can change: 4.7% of Caribbean ids were superseded. A feature's
/// `ids`, which connect an old id with a new one, are not reliable either: two listed quakes once shared an id. So an
/// exact match of the preferred id wins. A quake listed under its own id matches no other feature, and two ids of one
/// network denote two events. An id that is preferred by neither quake nor feature counts only if no preferred id
/// matches, and never merges or restores quakes. An id that is not the quake's preferred id counts only if the snapshot
/// would list an existing quake separately. A feature that would match a deleted quake restores it.
package struct Identity {
    /// The quakes that match the feature, to be merged into one. The exact match comes first, then the oldest.
    package private(set) var quakes: [KnownQuake] = []
    /// The deleted quake that the feature brings back: the one with the feature's own id, or else the oldest whose
    /// preferred id the feature lists. Nil if there is none, or if the feature was split off.
    package private(set) var returning: (key: QuakeKey, generated: Int64)?
    /// The quake that the feature's own id leads to, although the feature describes a different quake.
    package private(set) var splitFrom: KnownQuake?
    package var isSplit: Bool { splitFrom != nil }
    /// The keys of quakes whose preferred ids the feature lists, but which may be different quakes from the feature's,
    /// because the snapshot need not list them.
    package private(set) var outOfReach: [QuakeKey] = []
    /// Whether an earlier feature of the snapshot had the same preferred id.
    package private(set) var isRepeated = false

    /// The current target of each of the feature's ids.
    private let targets: [(alias: String, target: AliasTarget?)]
    private let id: String

    /// - Parameters:
    ///   - listedIDs: the ids of all features in the snapshot.
    ///   - claimed: keys of the quakes already matched to earlier features of the snapshot.
    package init(of feature: Quake, listedIDs: ListedIDs, claimed: Set<QuakeKey>, cache: some IdentityView) throws {
        id = feature.id
        targets = try feature.aliases.map { ($0, try cache.target(ofID: $0)) }
        var strong: [QuakeKey: KnownQuake] = [:]
        var weak: [QuakeKey: KnownQuake] = [:]
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
                if isOwnID || alias.isSameID(as: holder.id) { strong[key] = known } else { weak[key] = known }
            }
        }
        let first = departed.first(where: \.isOwn) ?? departed.min { $0.key < $1.key }
        returning = isSplit ? nil : first.map { ($0.key, $0.generated) }
        quakes = Identity.oneOfEachNetwork(strong.isEmpty && weak.count == 1 ? weak.values : strong.values, for: id)
    }

    /// The oldest of the matching quakes, into which the others are merged; nil if no quake matches the feature.
    package var survivor: KnownQuake? { quakes.min { $0.stored.key < $1.stored.key } }

    package func preferredIDResolves(to key: QuakeKey) -> Bool {
        targets.contains { $0.target == .live(key: key) && $0.alias.isSameID(as: id) }
    }

    /// The feature's ids that should lead to the quake under `key`, or to a new quake, but do not yet. An id that leads
    /// to another quake, even a deleted one, is included only if it is the feature's own id (rules 3 and 4) and that
    /// quake is not about to be merged.
    package func aliasesToAssign(to key: QuakeKey?) -> [String] {
        targets.filter { alias, target in
            switch target {
            case nil: true
            case .departed(let holder, _), .live(let holder):
                holder != key && !quakes.contains { $0.stored.key == holder } && alias.isSameID(as: id)
            }
        }.map(\.alias)
    }

    /// Whether every id of the feature leads to the quake under `key`, or will once the unknown ids are assigned.
    ///
    /// Only then can a feature with the same bytes be skipped next time. An id that leads elsewhere may identify the
    /// feature as another quake, or merge two quakes, when that other quake is no longer listed.
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

    /// Keeps one quake per network: two ids of the same network are two events, even among quakes to be merged.
    private static func oneOfEachNetwork(_ quakes: some Collection<KnownQuake>, for id: String) -> [KnownQuake] {
        guard quakes.count > 1 else { return Array(quakes) }
        func rank(_ quake: KnownQuake) -> (Int, QuakeKey) {
            (quake.stored.quake.id.isSameID(as: id) ? 0 : 1, quake.stored.key)
        }
        var kept: [KnownQuake] = []
        let ordered = quakes.sorted { rank($0) < rank($1) }
        for quake in ordered where !kept.contains(where: { $0.stored.quake.net == quake.stored.quake.net }) {
            kept.append(quake)
        }
        return kept
    }
}

/// The ids of all features in a snapshot, and the meaning of a quake's absence. The ids are collected only when needed,
/// because most snapshots do not need them.
package final class ListedIDs: ExpressibleByArrayLiteral {
    private lazy var ids = gather()
    private let gather: () -> Set<String>
    private let absence: Absence
    /// Whether the snapshot would list `known` separately if `feature`, which lists the preferred id of `known`, were
    /// another quake.
    fileprivate let reaches: (_ known: Quake, _ feature: Quake) -> Bool

    /// The meaning of a known quake's absence from the snapshot.
    package enum Absence {
        /// The quake is gone if `wouldInclude` accepts its cached values, because the snapshot would list it.
        case gone(wouldInclude: (Quake) -> Bool)
        /// Absence means nothing, because only changed quakes are listed. A quake that lost an id would have changed.
        case unchanged

        /// An absent quake is always gone.
        package static var always: Absence { .gone { _ in true } }
    }

    /// Creates a list of the lowercase ids that `gather` returns.
    package init(
        absence: Absence = .always, reaches: @escaping (_ known: Quake, _ feature: Quake) -> Bool = { _, _ in true },
        _ gather: @escaping () -> Set<String>
    ) {
        (self.absence, self.reaches, self.gather) = (absence, reaches, gather)
    }

    /// Whether `alias`, an id of `feature`, identifies it with `holder`, an unlisted quake with another preferred id.
    fileprivate func identifies(_ alias: String, _ feature: Quake, _ holder: Quake) -> Bool {
        switch absence {
        case .gone(let wouldInclude): wouldInclude(holder)
        case .unchanged: alias.isSameID(as: feature.id) && holder.has(alias)
        }
    }

    package convenience init(arrayLiteral ids: String...) { self.init { Set(ids.map { $0.lowercased() }) } }

    /// Whether a feature has the id; case is ignored.
    package func contains(_ id: String) -> Bool { ids.contains(id.lowercased()) }
}
