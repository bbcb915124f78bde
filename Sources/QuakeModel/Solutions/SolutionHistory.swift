/// The solution history of a quake: every version of each origin, mechanism and impact that its contributors published.
public struct SolutionHistory: Hashable, Sendable {
    /// The versions of each kind, in the order of publication. Of impacts only the preferred ones, where they differ.
    public var versions: [SolutionKind: [SolutionVersion]]

    /// A history; without arguments, an empty one.
    public init(_ versions: [SolutionKind: [SolutionVersion]] = [:]) {
        self.versions = versions.filter { !$1.isEmpty }
    }

    /// The versions of one kind.
    public subscript(kind: SolutionKind) -> [SolutionVersion] { versions[kind] ?? [] }

    /// Of each version of `kind`, whether it is or was preferred. DYFI, ShakeMap and PAGER do not compete.
    public func preferences(of kind: SolutionKind) -> [SolutionPreference] {
        let versions = self[kind]
        guard kind == .impacts else { return versions.preferences }
        var newest: [String: Int] = [:]
        for (index, version) in versions.enumerated() { newest[version.plainProduct] = index }
        return versions.enumerated().map { newest[$1.plainProduct] == $0 ? .is : .was }
    }

    /// The history as it was at `moment`.
    public func until(_ moment: Timestamp) -> SolutionHistory {
        SolutionHistory(versions.mapValues { $0.filter { $0.published <= moment } })
    }

    /// The quake as it was solved before `end`, each time from the moment on at which something was published.
    public func states(before end: Timestamp, knownAs known: Quake) -> [(since: Timestamp, quake: Quake)] {
        SolvedStates(of: self, knownAs: known).prefix { $0.since < end }.compactMap { since, quake in
            quake.map { (since, $0) }
        }
    }

    /// The quake as its preferred solution describes it, under the identity of `known`; nil before the first solution.
    ///
    /// Ids are those of `known`: they find the quake at every time.
    public func quake(knownAs known: Quake) -> Quake? {
        SolvedStates(of: self, knownAs: known).reduce(nil) { $1.quake }
    }
}

/// The quake as its solutions describe it, from one moment of publication to the next.
struct SolvedStates: Sequence, IteratorProtocol {
    private let known: Quake
    private var unread: [SolutionKind: ArraySlice<SolutionVersion>]
    private var origins = PreferredVersions()
    /// The newest version of each product, without `trump-` before its name.
    private var impacts: [String: SolutionVersion] = [:]

    /// The states under the identity of `known`. Ids are those of `known`: they find the quake at every time.
    init(of history: SolutionHistory, knownAs known: Quake) {
        self.known = known
        unread = history.versions.mapValues { $0[...] }
    }

    /// The next moment at which something was published, and the quake since then; no quake before the first origin.
    mutating func next() -> (since: Timestamp, quake: Quake?)? {
        guard let moment = unread.values.compactMap(\.first?.published).min() else { return nil }
        for kind in SolutionKind.allCases {
            while let version = unread[kind]?.first, version.published <= moment {
                unread[kind]?.removeFirst()
                switch kind {
                case .origins: origins.add(version)
                case .impacts: impacts[version.plainProduct] = version
                case .mechanisms: break
                }
            }
        }
        _ = origins.settle(at: moment)
        return (moment, quake(updated: moment))
    }

    private func quake(updated: Timestamp) -> Quake? {
        guard let origin = origins.step?.version, let time = origin.time, let place = origin.epicenter else {
            return nil
        }
        var quake = Quake(
            net: known.net, code: known.code, originTime: time, updated: updated,
            hypocenter: Hypocenter(
                longitude: place.longitude, latitude: place.latitude, depthKilometers: origin.number(.depth)))
        quake.ids = known.ids
        quake.sources = PublishedSet(members: origins.sources.keys)
        for (field, property) in [
            (SolutionField.mag, QuakeProperty.mag), (.magType, .magType), (.status, .status), (.type, .type),
            (.place, .place), (.nst, .nst), (.rms, .rms), (.gap, .gap),
        ] { quake.set(property, to: origin[field]) }
        for (product, field, property) in [
            ("dyfi", SolutionField.responses, QuakeProperty.felt), ("dyfi", .intensity, .cdi),
            ("shakemap", .intensity, .mmi), ("losspager", .alert, .alert),
        ] { quake.set(property, to: impacts[product]?[field] ?? .null) }
        return quake
    }
}

/// Which version of one kind is preferred, while they are read in the order of publication.
struct PreferredVersions {
    /// The last one that people could tell from the one before it, and since when it is preferred.
    private(set) var step: SolutionStep?
    /// How many versions each source has among `newest`.
    private(set) var sources: [String: Int] = [:]
    /// The newest version of each product, source and code, without deleted ones.
    private var newest: [[String]: Ranked] = [:]
    /// The greatest of `newest`.
    private var best: Ranked?

    private struct Ranked {
        let version: SolutionVersion
        let rank: SolutionVersion.Rank
    }

    /// Adds the next version. What it replaces counts no longer.
    mutating func add(_ version: SolutionVersion) {
        let name = version.name
        if newest.removeValue(forKey: name) != nil {
            sources[version.source, default: 1] -= 1
            if sources[version.source] == 0 { sources[version.source] = nil }
            if best?.version.name == name { best = nil }
        }
        if version.values != nil {
            let added = Ranked(version: version, rank: version.rank)
            newest[name] = added
            sources[version.source, default: 0] += 1
            if let best, best.rank < added.rank { self.best = added }
        }
        if best == nil { best = newest.values.max { $0.rank < $1.rank } }
    }

    /// Ends a moment of publication, whose versions were seen together, and returns the step that it brought.
    mutating func settle(at moment: Timestamp) -> SolutionStep? {
        guard let best, step?.version.looksSame(as: best.version) != true else { return nil }
        step = SolutionStep(since: moment, version: best.version)
        return step
    }
}
