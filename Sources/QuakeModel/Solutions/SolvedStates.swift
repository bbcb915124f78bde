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
