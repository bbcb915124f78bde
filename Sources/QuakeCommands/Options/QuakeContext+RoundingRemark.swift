import QuakeStore

extension QuakeContext {
    /// Returns a remark on quakes that `filter` excludes, although their magnitudes, rounded to one decimal, equal the
    /// filter's minimum or maximum: `12 quakes outside the filter round to M 2.5`. Nil if there are none.
    func roundingRemark(for filter: QuakeFilter) throws -> String? {
        var counts: [Double: Int] = [:]
        if let limit = filter.minimumMagnitude, limit.isInTenths {
            var excluded = filter
            excluded.minimumMagnitude = Quake.magnitudes(shownAs: limit).lowerBound
            excluded.maximumMagnitude = limit.nextDown
            counts[limit, default: 0] += try fetchCount(excluded)
        }
        if let limit = filter.maximumMagnitude, limit.isInTenths {
            var excluded = filter
            excluded.minimumMagnitude = limit.nextUp
            excluded.maximumMagnitude = Quake.magnitudes(shownAs: limit).upperBound
            counts[limit, default: 0] += try fetchCount(excluded)
        }
        let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { limit, count in
            let verb = count == 1 ? "rounds" : "round"
            return "\(count.counted("quake")) outside the filter \(verb) to M \(Quake.titleMagnitude(limit))"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Double {
    /// Whether the number has at most one decimal.
    fileprivate var isInTenths: Bool { (self * 10).rounded() / 10 == self }
}
