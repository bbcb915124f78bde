/// The quakes that a backfill must fetch.
package struct BackfillRequest: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The quakes that a filter accepts: all of them if `again` is true, otherwise only those not fetched yet.
        case quakes(QuakeFilter, again: Bool)
        /// All times that backfills have requested, even those already fetched.
        case again
        /// The requested times not fetched yet, and the changes in the times already fetched.
        case update
    }

    package let kind: Kind
    /// Whether to fetch the uncertainties of the quakes as well, and keep them up to date. Otherwise, they are fetched
    /// only where earlier backfills requested them.
    package var uncertainties = false

    package static let again = BackfillRequest(kind: .again)
    package static let update = BackfillRequest(kind: .update)

    package static func quakes(
        _ filter: QuakeFilter, again: Bool, uncertainties: Bool = false
    ) -> BackfillRequest {
        BackfillRequest(kind: .quakes(filter, again: again), uncertainties: uncertainties)
    }

    package init(kind: Kind, uncertainties: Bool = false) {
        self.kind = kind
        self.uncertainties = uncertainties
    }

    /// The filter of the quakes, if there is one.
    package var filter: QuakeFilter? { if case .quakes(let filter, _) = kind { filter } else { nil } }

    /// Whether later updates fetch more because of this request.
    var extendsUpdates: Bool { filter != nil || uncertainties }

    /// Adds the request to `coverage`, so that updates fetch its quakes from now on.
    func record(in coverage: inout Coverage) {
        if let filter {
            let times = filter.start..<max(filter.start, filter.until ?? Coverage.forever)
            coverage.request(filter.withoutTimes, in: times)
            if uncertainties { coverage.request(filter.withoutTimes, in: times, source: .uncertainties) }
        } else if uncertainties {
            coverage.requestUncertainties()
        }
    }

    /// Returns the ranges to request for a cache with `coverage`.
    ///
    /// - Parameter quakes: counts quakes in the cache.
    func ranges(
        _ coverage: Coverage, now: Timestamp, quakes: CatalogPlan.CachedCount
    ) throws -> [RequestedRange] {
        var coverage = coverage
        record(in: &coverage)
        switch kind {
        case .update: return try CatalogPlan.updateRanges(of: coverage, now: now, quakes: quakes)
        case .again: return CatalogPlan.allRequestedRanges(of: coverage, now: now)
        case .quakes(let filter, let again):
            let conditions = filter.withoutTimes
            var times = RangeSet(filter.start..<max(filter.start, filter.until ?? now))
            if !again { times.subtract(fetchedTimes(conditions, in: coverage)) }
            return CatalogPlan.ranges(
                conditions, at: times, openEnd: filter.until == nil ? now : nil, of: coverage)
        }
    }

    /// Returns the origin times for which backfills have fetched the quakes and, if requested, their uncertainties.
    private func fetchedTimes(_ conditions: QuakeFilter, in coverage: Coverage) -> RangeSet<Timestamp> {
        let quakes = coverage.fetchedTimes(of: Coverage.Part(conditions))
        guard uncertainties else { return quakes }
        return quakes.intersection(coverage.fetchedTimes(of: Coverage.Part(conditions, .uncertainties)))
    }
}

extension QuakeFilter {
    /// The start of a backfill with this filter: its `since`, or the beginning of the catalog.
    var start: Timestamp { since ?? CatalogQuery.beginning }
}
