import QuakeModel
import QuakeStore

extension QuakeContext {
    /// Returns sentences that explain why no quake matches `descriptor`: they name the first condition without which a
    /// quake would match, and the largest such quake. If there is no such condition, they name the largest quake in the
    /// cache. The names of `sites` replace their coordinates.
    func reasonsForNoMatch(of descriptor: QuakeDescriptor, around sites: [Site]) throws -> [String] {
        guard descriptor.limit != 0 else { return ["No quakes match."] }
        guard let largest = try self.largest(QuakeFilter()) else { return ["There are no quakes in the cache."] }
        let relaxed = descriptor.filter.relaxed
        let noMatch = relaxed.count > 1 ? "No quakes match all filters." : "No quakes match."
        for (words, others) in relaxed {
            if let quake = try self.largest(others) {
                return [noMatch, "Without “\(sites.naming(words))”, the largest is \(quake.headline)."]
            }
        }
        return [noMatch, "The largest in the cache is \(largest.headline)."]
    }

    private func largest(_ filter: QuakeFilter) throws -> Quake? {
        try fetch(QuakeDescriptor(filter: filter, sortBy: .magnitude, limit: 1)).first?.quake
    }
}

extension QuakeFilter {
    /// The conditions of this filter in words, each with a copy of the filter that lacks the condition. Magnitude and
    /// depth come first.
    fileprivate var relaxed: [(words: String, filter: QuakeFilter)] {
        let removals: [(inout QuakeFilter) -> Void] = [
            { ($0.minimumMagnitude, $0.maximumMagnitude) = (nil, nil) },
            { ($0.minimumDepthKilometers, $0.maximumDepthKilometers) = (nil, nil) },
            { ($0.since, $0.until) = (nil, nil) },
            { ($0.placesContain, $0.regions) = ([], []) },
            { ($0.boundingBoxes, $0.circles) = ([], []) },
            { $0.intensity = nil },
            { ($0.eventTypes, $0.statuses, $0.networks, $0.magnitudeTypes) = ([], [], [], []) },
            { filter in
                filter.alerts = []
                filter.minimumFeltReports = nil
                filter.minimumSignificance = nil
                filter.requiresTsunamiFlag = false
            },
        ]
        return removals.compactMap { remove in
            var others = self
            remove(&others)
            guard others != self else { return nil }
            let left = others.headlines
            return (headlines.filter { !left.contains($0) }.joined(separator: " · "), others)
        }
    }
}
