/// A query to the event service for the quakes in a range of origin times, or for the changes to these quakes.
package struct CatalogQuery: Hashable, Sendable {
    /// The conditions on magnitude, depth, region and type.
    package var filter: QuakeFilter
    package var originTimes: Range<Timestamp>
    /// The time of the earliest change to include; nil for all quakes. The service ignores fractions of a second.
    package var updatedAfter: Timestamp?
    package var format = Format.geojson

    package enum Format: String, Sendable {
        case geojson
        /// One row per quake. Of the formats for many quakes, only CSV contains uncertainties.
        case csv
    }

    /// The earliest origin time to request. No quake in the catalog is that old.
    package static let beginning = Timestamp(milliseconds: -30_610_224_000_000)

    /// The query parameters, which exclude deleted quakes.
    package var parameters: String {
        // Both ends are inclusive. Without a time zone the service interprets a time as UTC. According to its source
        // code, the service drops fractions of a second, so an end within a second would lose the quakes of that
        // second.
        "format=\(format.rawValue)&orderby=time-asc&starttime=\(Self.text(originTimes.lowerBound))"
            + "&endtime=\(Self.text(originTimes.upperBound.nextWholeSecond))"
            + (filterParameters.isEmpty ? "" : "&\(filterParameters)")
    }

    /// The query parameters that include deleted quakes, which the service marks by their status.
    package var parametersWithDeleted: String { parameters + "&includedeleted=true" }

    /// The query parameters that do not depend on the origin times.
    package var filterParameters: String {
        var parameters: [String] = []
        if let updatedAfter { parameters.append("updatedafter=\(updatedAfter.wholeSecondText)") }
        for row in QuakeFilter.table {
            for (name, values) in row.service?.parameters(filter) ?? [] {
                parameters.append("\(name)=\(values.map(EventEndpoint.escaped).joined(separator: ","))")
            }
        }
        return parameters.joined(separator: "&")
    }

    private static func text(_ moment: Timestamp) -> String { String(moment.iso8601.prefix { $0 != "Z" }) }
}
