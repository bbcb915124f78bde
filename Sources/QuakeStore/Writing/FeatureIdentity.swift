/// Identifies the cached quake to which a feature refers (rules 1 to 5).
///
/// A preferred id is not a reliable key, because it can change: 4.7% of Caribbean ids were superseded. A feature's
/// `ids`, which connect an old id with a new one, are not reliable either: two listed quakes once shared an id. These
/// rules decide:
///
/// - A cached quake that the document lists under the quake's own preferred id matches no other feature.
/// - A cached quake that the document would list with its cached values, but does not, matches the feature if the
///   feature lists the quake's preferred id, or if the feature's own id leads to the quake.
/// - If the document need not list the quake, the match is undecided. In a feed, the match is also undecided if several
///   quakes of one network would match, or if the cache has a quake of that network under the feature's id: only the
///   event service can say that two such quakes are one.
/// - An id that is the preferred id of neither the feature nor the quake proves nothing.
/// - A feature that would match a deleted quake restores that quake.
package struct FeatureIdentity {
    /// The cached quakes that match the feature; several are to be merged into one. The quake with the feature's
    /// preferred id comes first, then the others, oldest key first.
    package private(set) var quakes: [KnownQuake] = []
    /// The cached quakes that may or may not match the feature, oldest key first.
    package private(set) var undecided: [KnownQuake] = []
    /// The deleted quake that the feature brings back: the quake to which the feature's own id leads; otherwise, the
    /// oldest quake whose preferred id the feature lists. Nil if there is no such quake, or if the feature was split
    /// off.
    package private(set) var restoredQuake: (key: QuakeKey, sourceTime: Int64)?
    /// The quake that the feature's own id leads to, although the feature describes a different quake.
    package private(set) var splitFrom: KnownQuake?
    package var isSplit: Bool { splitFrom != nil }
    /// Whether an earlier feature of the document had the same preferred id.
    package private(set) var isRepeated = false
    /// Whether a quake in the cache has the feature's id as its preferred id.
    package private(set) var hasOwnQuake = false

    /// The quake that each of the feature's ids leads to now; nil for an unknown id.
    private let targets: [(alias: String, target: AliasTarget?)]
    private let id: String

    /// - Parameters:
    ///   - listing: the quakes that the document lists, and those that it would list.
    ///   - matched: keys of the quakes already matched to earlier features of the document.
    package init(of feature: Quake, in listing: DocumentListing, matched: Set<QuakeKey>, cache: some IdentityView)
        throws
    {
        id = feature.id
        targets = try feature.aliases.map { ($0, try cache.target(ofID: $0)) }
        var own: KnownQuake?
        var linked: [QuakeKey: KnownQuake] = [:]
        var departed: [(isOwn: Bool, key: QuakeKey, sourceTime: Int64)] = []
        for (alias, target) in targets {
            let isOwnID = alias.isSameID(as: feature.id)
            switch target {
            case nil: continue
            case .departed(let key, let sourceTime):
                let quake = try cache.tombstone(of: key)
                let isListed = quake.map { !$0.id.isSameID(as: feature.id) && listing.contains($0.id) } ?? false
                if !isListed, isOwnID || quake?.id.isSameID(as: alias) == true {
                    departed.append((isOwnID, key, sourceTime))
                }
            case .live(let key):
                guard let known = try cache.knownQuake(key) else { continue }
                let preferredID = known.stored.quake.id
                if preferredID.isSameID(as: feature.id) {
                    hasOwnQuake = true
                    isRepeated = isRepeated || matched.contains(key)
                    if !isRepeated { own = known }
                } else if listing.contains(preferredID) || matched.contains(key) {
                    if isOwnID { splitFrom = known }
                } else if isOwnID || alias.isSameID(as: preferredID) {
                    linked[key] = known
                }
            }
        }
        let others = linked.values.sorted { $0.stored.key < $1.stored.key }
        quakes = own.map { [$0] } ?? []
        for known in others {
            let net = known.stored.quake.net
            let isAlone = others.count { $0.stored.quake.net == net } == 1 && (own == nil || net != feature.net)
            switch listing.match(of: known.stored.quake, linkedTo: own?.stored.quake, isAloneInNetwork: isAlone) {
            case .same: quakes.append(known)
            case .undecided: undecided.append(known)
            case .different: if leads(to: known.stored.key) { splitFrom = known }
            }
        }
        let first = departed.first(where: \.isOwn) ?? departed.min { $0.key < $1.key }
        restoredQuake = isSplit ? nil : first.map { ($0.key, $0.sourceTime) }
    }

    /// Decides about ``undecided`` without the event service. If no quake matches yet, and the feature lists the
    /// preferred id of exactly one undecided quake, that quake matches. Otherwise, no undecided quake does.
    package mutating func decideByIDs() {
        let listed = undecided.filter { known in targets.contains { $0.alias.isSameID(as: known.stored.quake.id) } }
        if quakes.isEmpty, listed.count == 1 {
            quakes = listed
        } else if let holder = undecided.first(where: { leads(to: $0.stored.key) }) {
            splitFrom = holder
            restoredQuake = nil
        }
        undecided = []
    }

    /// The order in which the features of a document are judged: of several features that may be the same quake, the
    /// one that lists the quake's preferred id comes first.
    package enum Turn: Comparable, CaseIterable {
        case first
        /// Features that merge quakes. They come after features with new ids.
        case merges
        /// Features that match a quake only by a former id.
        case formerIDs

        package static let last = formerIDs
    }

    package var turn: Turn {
        let listsNone = quakes.allSatisfy { known in
            !targets.contains { $0.alias.isSameID(as: known.stored.quake.id) }
        }
        if listsNone, !quakes.isEmpty { return .formerIDs }
        return quakes.count > 1 ? .merges : .first
    }

    /// The oldest of the matching quakes, into which the others are merged; nil if no quake matches the feature.
    package var survivor: KnownQuake? { quakes.min { $0.stored.key < $1.stored.key } }

    /// Whether the feature's own id leads to the quake under `key`.
    package func leads(to key: QuakeKey) -> Bool {
        targets.contains { $0.target == .live(key: key) && $0.alias.isSameID(as: id) }
    }

    /// Returns the feature's ids to assign to the quake under `key`; nil stands for a new quake. An id that leads to
    /// another quake, even a deleted one, is included only if it is the feature's own id (rules 3 and 4) and that other
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

    /// Whether every id of the feature leads to the quake under `key`, or to a quake that is about to be merged into
    /// it. With `assigning`, ids that are about to be assigned count, too.
    ///
    /// Only then can a feature with the same bytes be skipped next time. Otherwise, an id may lead to another quake;
    /// once that quake is no longer listed, the feature may turn out to be that quake, or merge the two quakes.
    package func isSettled(on key: QuakeKey?, assigning: Bool) -> Bool {
        targets.allSatisfy { alias, target in
            switch target {
            case .departed(let holder, _), .live(let holder):
                holder == key || quakes.contains { $0.stored.key == holder } || (assigning && alias.isSameID(as: id))
            case nil: assigning
            }
        }
    }
}
