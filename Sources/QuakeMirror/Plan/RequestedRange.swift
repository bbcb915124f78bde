/// A range of origin times to request from the event service, in one or more windows, and the purpose of the responses.
/// A window is the part of the range that one request covers.
struct RequestedRange: Hashable {
    /// The effect of the responses on the cache's coverage.
    enum Purpose: Hashable {
        /// The requested times are recorded as covered.
        case coverage(isOpenEnded: Bool)
        /// The backfilled coverage advances to the time of the response.
        case update
    }

    /// The time by which an update overlaps the previous update, because changes may be published hours after their
    /// timestamp. An update also reaches this far beyond the covered times, because a quake's origin time may be
    /// revised.
    static let overlap = Duration.seconds(86_400)

    var query: CatalogQuery
    var purpose: Purpose
    /// The origin times at which backfills requested uncertainties.
    let uncertainties: RangeSet<Timestamp>

    /// Creates a range. Uncertainties are requested as well, for the times at which `coverage` records a request for
    /// them.
    init(query: CatalogQuery, purpose: Purpose, of coverage: Coverage) {
        self.query = query
        self.purpose = purpose
        uncertainties = coverage.requestedUncertainties
    }

    var originTimes: Range<Timestamp> { query.originTimes }

    /// Whether the service is asked for the uncertainties of the quakes, too.
    var hasUncertainties: Bool { !uncertainties.isDisjoint(RangeSet([originTimes])) }

    /// The number of requests for a window, besides the count.
    var requestsPerWindow: Int { hasUncertainties ? 2 : 1 }

    /// Returns whether this range continues an open-ended request whose quakes had been fetched to within two days of
    /// `moment`, the time of the last update.
    func followsUpdate(at moment: Timestamp) -> Bool {
        purpose == .coverage(isOpenEnded: true) && moment - originTimes.lowerBound < Self.overlap * 2
    }

    /// Whether the changes were last requested more than a day ago.
    func isDue(at now: Timestamp) -> Bool {
        query.updatedAfter.map { $0 + Self.overlap <= now - .seconds(86_400) } ?? true
    }

    /// Returns the request for the window of these origin times.
    func window(_ originTimes: Range<Timestamp>) -> RequestedRange {
        var window = self
        window.query.originTimes = originTimes
        return window
    }
}
