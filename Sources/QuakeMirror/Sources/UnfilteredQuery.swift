/// An event service query for every quake in a range of origin times, without limits on magnitude, place or type.
package struct UnfilteredQuery: Hashable, Sendable {
    /// The start of the range; nil for the service's default, 30 days before the response.
    private var start: Timestamp?
    /// The end of the range; nil for the time of the response.
    private var end: Timestamp?
    /// The number of rows at which a response may be incomplete.
    private var limit = Self.maximumRows

    /// The largest number of rows that the service returns.
    private static let maximumRows = 20_000
    /// The parameters that do not exclude any quakes.
    private static let harmless: Set = ["format", "orderby", "nodata", "jsonerror", "callback"]

    /// Parses the URL of a query; nil for a query that excludes quakes, and for any other URL.
    package init?(address: String) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix("/fdsnws/event/1/query") else { return nil }
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
                // The service drops fractions of a second.
                end = moment - .milliseconds(moment.milliseconds - (moment.milliseconds / 1000) * 1000)
            case "limit":
                guard let count = Int(value), count > 0 else { return nil }
                limit = min(count, Self.maximumRows)
            case "offset":
                guard value == "1" else { return nil }
            case let name where Self.harmless.contains(name): break
            default: return nil
            }
        }
    }

    /// Returns the origin times that a response lists completely; nil if it may lack quakes.
    package func completeTimes(generated: Timestamp, featureCount: Int) -> ClosedRange<Timestamp>? {
        guard featureCount < limit else { return nil }
        let start = start ?? generated - FeedName.Period.month.window
        let end = min(end ?? generated, generated)
        return start < end ? start...end : nil
    }
}
