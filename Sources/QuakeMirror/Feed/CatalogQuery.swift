/// Asks the event service which quakes a range of origin times has, or which of them changed.
package struct CatalogQuery: Hashable, Sendable {
    /// Magnitude, depth, region and type.
    package var filter: QuakeFilter
    package var originTimes: Range<Timestamp>
    /// Only what changed at this moment or later; nil for all. The service counts in whole seconds.
    package var updatedAfter: Timestamp?

    package init(filter: QuakeFilter, originTimes: Range<Timestamp>, updatedAfter: Timestamp? = nil) {
        (self.filter, self.originTimes, self.updatedAfter) = (filter, originTimes, updatedAfter)
    }

    /// The earliest origin time to ask for. No quake of the catalog is that old.
    package static let beginning = Timestamp(milliseconds: -30_610_224_000_000)

    /// The parameters as the service names them, of the quakes that exist.
    package var parameters: String {
        // Both ends are included. Without a time zone the service takes a time as UTC. Its published source cuts off
        // what follows the second, so that an end within a second would lose the quakes of that second.
        "format=geojson&orderby=time-asc&starttime=\(Self.text(originTimes.lowerBound))"
            + "&endtime=\(Self.text(originTimes.upperBound.nextWholeSecond))" + (question.isEmpty ? "" : "&\(question)")
    }

    /// The same, and deleted quakes too, which the service reports with their status.
    package var parametersWithDeleted: String { parameters + "&includedeleted=true" }

    /// The parameters that do not depend on the origin times.
    package var question: String {
        var parameters: [String] = []
        if let updatedAfter { parameters.append("updatedafter=\(Self.text(updatedAfter).prefix { $0 != "." })") }
        for row in QuakeFilter.table {
            for (name, values) in row.service?.parameters(filter) ?? [] {
                parameters.append("\(name)=\(values.map(EventEndpoint.escaped).joined(separator: ","))")
            }
        }
        return parameters.joined(separator: "&")
    }

    private static func text(_ moment: Timestamp) -> String { String(moment.iso8601.prefix { $0 != "Z" }) }
}

extension Timestamp {
    /// This moment if it is a whole second, otherwise the next one.
    package var nextWholeSecond: Timestamp {
        let rest = milliseconds % 1000
        return rest == 0 ? self : Timestamp(milliseconds: milliseconds - rest + (rest > 0 ? 1000 : 0))
    }
}
