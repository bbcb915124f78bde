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
