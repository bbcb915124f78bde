/// A query of the event service for every quake of a range of origin times: no limit of magnitude, place or kind.
package struct CompleteQuery: Hashable, Sendable {
    /// Where it starts; nil for 30 days before the answer, the service's default.
    private let start: Timestamp?
    /// Where it ends; nil for the moment of the answer.
    private let end: Timestamp?
    /// An answer with this many rows may lack some.
    private let limit: Int

    /// The service refuses to answer with more rows than this.
    private static let mostRows = 20_000
    /// Parameters that leave no quake out.
    private static let harmless: Set = ["format", "orderby", "nodata", "jsonerror", "callback"]

    /// Reads the address of a query; nil for any other address, and for a query that leaves quakes out.
    package init?(address: String) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix("/fdsnws/event/1/query") else { return nil }
        var (start, end, limit): (Timestamp?, Timestamp?, Int) = (nil, nil, CompleteQuery.mostRows)
        for parameter in parts[1].split(separator: "&") {
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            let value = sides[1].replacing("%3A", with: ":").replacing("%3a", with: ":").replacing("%2B", with: "+")
            switch sides[0].lowercased() {
            case "starttime", "start":
                guard let moment = Timestamp(iso8601: value) else { return nil }
                start = moment
            case "endtime", "end":
                guard let moment = Timestamp(iso8601: value) else { return nil }
                // The service cuts the fraction of the second off.
                end = moment - .milliseconds(moment.milliseconds - (moment.milliseconds / 1000) * 1000)
            case "limit":
                guard let count = Int(value), count > 0 else { return nil }
                limit = min(count, CompleteQuery.mostRows)
            case "offset":
                guard value == "1" else { return nil }
            case let name where CompleteQuery.harmless.contains(name): break
            default: return nil
            }
        }
        (self.start, self.end, self.limit) = (start, end, limit)
    }

    /// The origin times of which an answer lists every quake; nil if it may lack some.
    package func stretch(generated: Timestamp, featureCount: Int) -> ClosedRange<Timestamp>? {
        guard featureCount < limit else { return nil }
        let start = start ?? generated - FeedName.Period.month.window
        let end = min(end ?? generated, generated)
        return start < end ? start...end : nil
    }
}
