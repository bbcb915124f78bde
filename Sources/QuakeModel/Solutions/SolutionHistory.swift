/// How a quake was solved and what it did, from the first minutes on: every version of what its sources published.
public struct SolutionHistory: Hashable, Sendable {
    /// The versions of each kind, in the order of publication. Of impacts only the preferred ones, where they differ.
    public var versions: [SolutionKind: [SolutionVersion]]

    /// A history; without arguments, an empty one.
    public init(_ versions: [SolutionKind: [SolutionVersion]] = [:]) {
        self.versions = versions.filter { !$1.isEmpty }
    }

    /// The versions of one kind.
    public subscript(kind: SolutionKind) -> [SolutionVersion] { versions[kind] ?? [] }

    /// The history as it was at `moment`.
    public func until(_ moment: Timestamp) -> SolutionHistory {
        SolutionHistory(versions.mapValues { $0.filter { $0.published <= moment } })
    }

    /// The quake as it was solved before `end`, each time from the moment on at which something was published.
    public func states(before end: Timestamp, knownAs known: Quake) -> [(since: Timestamp, quake: Quake)] {
        Set(versions.values.joined().map(\.published)).filter { $0 < end }.sorted().compactMap { moment in
            until(moment).quake(knownAs: known).map { (moment, $0) }
        }
    }

    /// The quake as its preferred solution describes it, under the identity of `known`; nil before the first solution.
    ///
    /// Ids are those of `known`: they find the quake at every time.
    public func quake(knownAs known: Quake) -> Quake? {
        guard let origin = self[.origins].steps.last?.version, let time = origin.time, let place = origin.epicenter,
            let updated = versions.values.compactMap({ $0.last?.published }).max()
        else { return nil }
        var quake = Quake(
            net: known.net, code: known.code, originTime: time, updated: updated,
            hypocenter: Hypocenter(
                longitude: place.longitude, latitude: place.latitude, depthKilometers: origin.number(.depth)))
        quake.ids = known.ids
        quake.sources = PublishedSet(members: self[.origins].current.map(\.source))
        for (field, property) in [
            (SolutionField.mag, QuakeProperty.mag), (.magType, .magType), (.status, .status), (.type, .type),
            (.place, .place), (.nst, .nst), (.rms, .rms), (.gap, .gap),
        ] { quake.set(property, to: origin[field]) }
        func last(_ product: String, _ field: SolutionField) -> QuakeValue {
            self[.impacts].last { $0.product.hasSuffix(product) }?[field] ?? .null
        }
        quake.set(.felt, to: last("dyfi", .responses))
        quake.set(.cdi, to: last("dyfi", .intensity))
        quake.set(.mmi, to: last("shakemap", .intensity))
        quake.set(.alert, to: last("losspager", .alert))
        return quake
    }
}
