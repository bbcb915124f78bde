/// The solutions for a quake: every version of its origins, mechanisms and impacts, as published by its contributors.
public struct SolutionHistory: Hashable, Sendable {
    /// The versions of each kind, in order of publication. Impacts include only versions that changed the preferred
    /// values of their type.
    package var versions: [SolutionKind: [SolutionVersion]]

    package init(_ versions: [SolutionKind: [SolutionVersion]] = [:]) {
        self.versions = versions.filter { !$1.isEmpty }
    }

    public subscript(kind: SolutionKind) -> [SolutionVersion] { versions[kind] ?? [] }

    /// Returns the preferred version of `kind`, or the last preferred version if every solution was deleted. Impact
    /// products have no common preferred version: use ``current(_:)``.
    public func preferred(_ kind: SolutionKind) -> SolutionVersion? { self[kind].preferred }

    /// Returns the versions of `kind` that became preferred, in sequence. A version that looks the same as the
    /// preceding one is omitted.
    ///
    /// The result may differ from what USGS preferred at the time, because a network may have changed the weight of its
    /// solution later. If every solution was deleted, the last preferred version remains.
    public func preferredOverTime(_ kind: SolutionKind) -> [SolutionStep] { self[kind].steps }

    /// Returns the newest version of `kind` for each product, source and code, without deleted solutions.
    public func current(_ kind: SolutionKind) -> [SolutionVersion] { self[kind].current }

    /// Returns, for each version of `kind`, whether it is or was preferred. For impacts, the newest version of each
    /// type is preferred.
    package func preferences(of kind: SolutionKind) -> [SolutionPreference] {
        let versions = self[kind]
        guard kind == .impacts else { return versions.preferences }
        var newest: [String: Int] = [:]
        for (index, version) in versions.enumerated() { newest[version.plainProduct] = index }
        return versions.enumerated().map { newest[$1.plainProduct] == $0 ? .current : .former }
    }

    /// Returns only the versions published at or before `moment`.
    public func until(_ moment: Timestamp) -> SolutionHistory {
        SolutionHistory(versions.mapValues { $0.filter { $0.published <= moment } })
    }

    /// Returns the quake's published states before `end`, each with its publication time. The quakes have the ids of
    /// `known`.
    package func states(before end: Timestamp, withIDsOf known: Quake) -> [(since: Timestamp, quake: Quake)] {
        let steps = preferredOverTime(.origins)
        let moments = Set(versions.values.joined().map(\.published)).filter { $0 < end }.sorted()
        return moments.compactMap { moment in quake(at: moment, steps, withIDsOf: known).map { (moment, $0) } }
    }

    /// Returns the quake with the values of its preferred solutions and the ids of `known`; nil without an origin that
    /// has a time and coordinates.
    package func quake(withIDsOf known: Quake) -> Quake? {
        let last = versions.values.compactMap(\.last?.published).max()
        return last.flatMap { quake(at: $0, preferredOverTime(.origins), withIDsOf: known) }
    }

    private func quake(at moment: Timestamp, _ steps: [SolutionStep], withIDsOf known: Quake) -> Quake? {
        guard let origin = steps.last(where: { $0.since <= moment })?.version, let time = origin.time,
            let place = origin.epicenter
        else { return nil }
        var quake = Quake(
            net: known.net, code: known.code, originTime: time, updated: moment,
            hypocenter: Hypocenter(
                longitude: place.longitude, latitude: place.latitude, depthKilometers: origin.number(.depth)))
        let past = until(moment)
        quake.ids = known.ids
        quake.sources = PublishedSet(members: Set(past.current(.origins).map(\.source)))
        let common: [QuakeProperty] = [.mag, .magType, .status, .type, .place, .nst, .rms, .gap]
        quake.set(common + QuakeProperty.uncertainties, from: origin)
        for (product, field, property) in [
            ("dyfi", SolutionField.responses, QuakeProperty.felt), ("dyfi", .intensity, .cdi),
            ("shakemap", .intensity, .mmi), ("losspager", .alert, .alert),
        ] {
            let newest = past[.impacts].last { $0.plainProduct == product }
            quake.set(property, to: newest?[field] ?? .null)
        }
        return quake
    }
}
