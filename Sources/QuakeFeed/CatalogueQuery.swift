package import QuakeModel

/// A question to the event service about a stretch of origin times: which quakes it has there, or which of them
/// changed.
package struct CatalogueQuery: Hashable, Sendable {
    /// Magnitude, depth, region and type.
    package var filter: QuakeFilter
    /// The origin times.
    package var originTimes: Range<Timestamp>
    /// Only what changed at this moment or later; nil for all. The service counts in whole seconds.
    package var updatedAfter: Timestamp?

    /// A question.
    package init(filter: QuakeFilter, originTimes: Range<Timestamp>, updatedAfter: Timestamp? = nil) {
        self.filter = filter
        self.originTimes = originTimes
        self.updatedAfter = updatedAfter
    }

    /// The earliest origin time to ask for. No quake of the catalogue is that old.
    package static let beginning = Timestamp(milliseconds: -30_610_224_000_000)

    /// The parameters as the service names them. Deleted quakes are asked for too: it reports them with their status.
    package var parameters: String {
        // Both ends are included. Without a time zone the service takes a time as UTC. Its published source cuts off
        // what follows the second, so that an end within a second would lose the quakes of that second
        // (decision 0092).
        "format=geojson&includedeleted=true&orderby=time-asc&starttime=\(Self.text(originTimes.lowerBound))"
            + "&endtime=\(Self.text(originTimes.upperBound.nextWholeSecond))" + (question.isEmpty ? "" : "&\(question)")
    }

    /// The parameters that do not depend on the origin times.
    package var question: String {
        var parameters: [String] = []
        if let updatedAfter { parameters.append("updatedafter=\(Self.text(updatedAfter).prefix { $0 != "." })") }
        func add(_ name: String, _ value: Double?) {
            if let value { parameters.append("\(name)=\(value)") }
        }
        add("minmagnitude", filter.minimumMagnitude)
        add("maxmagnitude", filter.maximumMagnitude)
        add("mindepth", filter.minimumDepthKilometers)
        add("maxdepth", filter.maximumDepthKilometers)
        if let box = filter.boundingBox {
            add("minlatitude", box.south)
            add("maxlatitude", box.north)
            add("minlongitude", box.west)
            // The service knows a box over the 180th meridian by its eastern edge beyond 180.
            add("maxlongitude", box.crossesDateLine ? box.east + 360 : box.east)
        }
        if let circle = filter.circle {
            add("latitude", circle.center.latitude)
            add("longitude", circle.center.longitude)
            // On the ellipsoid a distance differs by up to 0.6 % from that on the sphere, by which the cache measures.
            add("maxradiuskm", circle.radiusKilometers * 1.01)
        }
        if !filter.eventTypes.isEmpty {
            let types = filter.eventTypes.sorted().map(EventEndpoint.escaped)
            parameters.append("eventtype=\(types.joined(separator: ","))")
        }
        return parameters.joined(separator: "&")
    }

    private static func text(_ moment: Timestamp) -> String {
        String(moment.iso8601.prefix { $0 != "Z" })
    }

    /// The first condition of `filter` that the service does not know, by its name in ``/QuakeModel/QuakeFilter``;
    /// nil if it knows all.
    package static func unknownCondition(of filter: QuakeFilter) -> String? {
        let conditions: [(isSet: Bool, name: String)] = [
            (filter.shaking != nil, "shaking"), (!filter.placesContain.isEmpty, "placesContain"),
            (!filter.regions.isEmpty, "regions"), (!filter.statuses.isEmpty, "statuses"),
            (!filter.networks.isEmpty, "networks"),
            (!filter.magnitudeTypes.isEmpty, "magnitudeTypes"),
            (!filter.alerts.isEmpty, "alerts"), (filter.minimumFelt != nil, "minimumFelt"),
            (filter.minimumSignificance != nil, "minimumSignificance"),
            (filter.requiresTsunamiFlag, "requiresTsunamiFlag"),
        ]
        return conditions.first(where: \.isSet)?.name
    }
}

extension Timestamp {
    /// This moment if it is a whole second, otherwise the next one.
    package var nextWholeSecond: Timestamp {
        let rest = milliseconds % 1000
        return rest == 0 ? self : Timestamp(milliseconds: milliseconds - rest + (rest > 0 ? 1000 : 0))
    }
}
