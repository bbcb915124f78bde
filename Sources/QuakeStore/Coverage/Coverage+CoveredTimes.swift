extension Coverage {
    /// A part of the catalog, as published by one source: the quakes that meet the conditions or, for the source
    /// `uncertainties`, the uncertainties of these quakes.
    package struct Part: Hashable, Sendable {
        package let source: CoveredRange.Source
        package let conditions: QuakeFilter

        package init(_ conditions: QuakeFilter, _ source: CoveredRange.Source = .backfill) {
            self.source = source
            self.conditions = conditions
        }
    }

    /// Origin times for which the cache contains a part of the catalog completely, as of one moment.
    package struct CoveredTimes: Hashable {
        package let part: Part
        package internal(set) var asOf: Timestamp
        package internal(set) var times: RangeSet<Timestamp>

        package var source: CoveredRange.Source { part.source }
        package var conditions: QuakeFilter { part.conditions }
    }
}

extension CoveredRange {
    var part: Coverage.Part { Coverage.Part(conditions, source) }
}

extension Coverage.CoveredTimes {
    init(_ range: CoveredRange) {
        part = range.part
        asOf = range.asOf
        times = RangeSet(range.originTimes)
    }

    /// Whether these times sort before `other`: by first origin time, then by the other values, so that the order is
    /// deterministic.
    func precedes(_ other: Self) -> Bool {
        let place = (times.ranges.first?.lowerBound ?? asOf, asOf, source.rawValue)
        let otherPlace = (other.times.ranges.first?.lowerBound ?? other.asOf, other.asOf, other.source.rawValue)
        guard place == otherPlace else { return place < otherPlace }
        return conditions.coverageJSON < other.conditions.coverageJSON
    }
}
