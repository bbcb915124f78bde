/// Conditions that a quake must satisfy. A filter without conditions accepts every quake.
///
/// A quake that lacks a value does not satisfy any condition on that value. The case of ASCII letters is ignored in
/// event types, statuses, networks, magnitude types and alerts. A string that contains U+0000, or a number that is NaN,
/// matches nothing; a cache rejects NaN as out of range.
public struct QuakeFilter: Hashable, Sendable, Codable {
    public var minimumMagnitude: Double?
    public var maximumMagnitude: Double?
    /// The earliest accepted origin time.
    public var since: Timestamp?
    /// The exclusive end of the accepted range of origin times.
    public var until: Timestamp?
    public var minimumDepthKilometers: Double?
    public var maximumDepthKilometers: Double?
    /// The epicenter must lie in at least one of these rectangles; empty for no condition.
    public var boundingBoxes: [BoundingBox]
    /// The epicenter must lie in at least one of these circles; empty for no condition.
    public var circles: [Circle]
    /// The minimum estimated intensity at one of several places.
    public var intensity: Intensity?
    /// The place name must contain at least one of these strings; empty for no condition. Case and accents are ignored.
    /// In a cache's current state, a place name that is still unconfirmed also counts.
    public var placesContain: Set<String>
    /// The accepted regions, as in ``Quake/regions``. Case and accents are ignored, but only whole names match:
    /// `California`, not `Cali` or `CA`. In a cache's current state, an unconfirmed place name also counts.
    public var regions: Set<String>
    /// The accepted event types; empty for all. A leading `!` excludes a type: `!earthquake` accepts every other type.
    public var eventTypes: Set<String>
    /// The accepted review statuses.
    public var statuses: Set<String>
    public var networks: Set<String>
    public var magnitudeTypes: Set<String>
    public var alerts: Set<String>
    /// The minimum number of felt reports.
    public var minimumFeltReports: Int?
    public var minimumSignificance: Int?
    /// Whether to accept only quakes with the tsunami flag.
    public var requiresTsunamiFlag: Bool

    /// Creates a filter; without arguments, it accepts every quake.
    public init(
        minimumMagnitude: Double? = nil, maximumMagnitude: Double? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, minimumDepthKilometers: Double? = nil, maximumDepthKilometers: Double? = nil,
        boundingBoxes: [BoundingBox] = [], circles: [Circle] = [], placesContain: Set<String> = [],
        regions: Set<String> = [], eventTypes: Set<String> = [], statuses: Set<String> = [], networks: Set<String> = [],
        magnitudeTypes: Set<String> = [], alerts: Set<String> = [], minimumFeltReports: Int? = nil,
        minimumSignificance: Int? = nil, requiresTsunamiFlag: Bool = false, intensity: Intensity? = nil
    ) {
        self.minimumMagnitude = minimumMagnitude
        self.maximumMagnitude = maximumMagnitude
        self.since = since
        self.until = until
        self.minimumDepthKilometers = minimumDepthKilometers
        self.maximumDepthKilometers = maximumDepthKilometers
        self.boundingBoxes = boundingBoxes
        self.circles = circles
        self.intensity = intensity
        self.placesContain = placesContain
        self.regions = regions
        self.eventTypes = eventTypes
        self.statuses = statuses
        self.networks = networks
        self.magnitudeTypes = magnitudeTypes
        self.alerts = alerts
        self.minimumFeltReports = minimumFeltReports
        self.minimumSignificance = minimumSignificance
        self.requiresTsunamiFlag = requiresTsunamiFlag
    }

    /// The minimum estimated intensity (``EstimatedIntensity``) at one or more of the places. A place with a latitude
    /// beyond 90 degrees, or with a coordinate that is not finite, matches no quakes.
    public struct Intensity: Hashable, Sendable, Codable {
        public var places: [GeographicPoint]
        public var minimumIntensity: Double

        public init(places: [GeographicPoint], minimumIntensity: Double) {
            self.places = places
            self.minimumIntensity = minimumIntensity
        }
    }

    /// A circle on the Earth's surface. It contains no quakes if its radius is negative or NaN, if a coordinate of its
    /// center is not finite, or if the latitude of its center is beyond 90 degrees.
    public struct Circle: Hashable, Sendable, Codable {
        public var center: GeographicPoint
        public var radiusKilometers: Double

        public init(center: GeographicPoint, radiusKilometers: Double) {
            self.center = center
            self.radiusKilometers = radiusKilometers
        }
    }
}

extension QuakeFilter {
    /// Decodes a filter. A missing member, as in a filter saved by an earlier version, sets no condition.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        try members.read(&minimumMagnitude, .minimumMagnitude)
        try members.read(&maximumMagnitude, .maximumMagnitude)
        try members.read(&since, .since)
        try members.read(&until, .until)
        try members.read(&minimumDepthKilometers, .minimumDepthKilometers)
        try members.read(&maximumDepthKilometers, .maximumDepthKilometers)
        try members.read(&boundingBoxes, .boundingBoxes)
        try members.read(&circles, .circles)
        try members.read(&intensity, .intensity)
        try members.read(&placesContain, .placesContain)
        try members.read(&regions, .regions)
        try members.read(&eventTypes, .eventTypes)
        try members.read(&statuses, .statuses)
        try members.read(&networks, .networks)
        try members.read(&magnitudeTypes, .magnitudeTypes)
        try members.read(&alerts, .alerts)
        try members.read(&minimumFeltReports, .minimumFeltReports)
        try members.read(&minimumSignificance, .minimumSignificance)
        try members.read(&requiresTsunamiFlag, .requiresTsunamiFlag)
    }
}

/// The table of conditions, from which SQL, tests in memory, headlines, coverage and event service queries are made. A
/// new condition needs a property of ``QuakeFilter`` and a row here.
extension QuakeFilter {
    /// The rows, in the order used in headlines.
    package static let table: [FilterRow] = [
        .range(
            \.minimumMagnitude, \.maximumMagnitude, of: .mag, bySize: true, after: "M ",
            service: (["minmagnitude", "maxmagnitude"], ["min_mag", "max_mag"])),
        .range(
            \.minimumDepthKilometers, \.maximumDepthKilometers, of: .depth, bySize: false, after: "depth ", unit: " km",
            service: (["mindepth", "maxdepth"], ["min_depth", "max_depth"])),
        .originTime,
        .texts(
            \.placesContain, "placesContain", FilterCondition.placeContains,
            words: { texts in "place \(texts.map { "\"\($0)\"" }.joined(separator: " or "))" }),
        .texts(\.regions, "regions", FilterCondition.region, words: { $0.joined(separator: " or ") }),
        .boundingBoxes, .circles, .intensity,
        .words(\.eventTypes, "eventTypes", of: .type, bySize: false, as: "type", service: ("eventtype", "type")),
        .words(\.statuses, "statuses", of: .status, bySize: false, as: "status"),
        .words(\.networks, "networks", of: .net, bySize: false, as: "network"),
        .words(\.magnitudeTypes, "magnitudeTypes", of: .magType, bySize: false, as: "magnitude type"),
        .words(\.alerts, "alerts", of: .alert, bySize: true, as: "alert"),
        .least(
            \.minimumFeltReports, "minimumFeltReports", of: .felt, bySize: true,
            words: { "\($0.grouped)+ felt reports" }),
        .least(\.minimumSignificance, "minimumSignificance", of: .sig, bySize: true, words: { "significance \($0)+" }),
        FilterRow(
            member: "requiresTsunamiFlag", selectsBySize: true,
            conditions: { $0.requiresTsunamiFlag ? [.equal(.tsunami, 1)] : [] },
            words: { $0.requiresTsunamiFlag ? "tsunami flag" : nil }),
    ]
}

/// Members derived from the table of conditions.
extension QuakeFilter {
    package var conditions: [FilterCondition] { QuakeFilter.table.flatMap { $0.conditions(self) } }

    /// Whether `quake` satisfies every condition.
    public func accepts(_ quake: Quake) -> Bool { conditions.hold(for: quake) }

    /// The filter as a headline: `M 4.5+ · since 2025-05-04 · place "alaska"`. It has dates instead of ages such as 7
    /// days, because it may be read much later.
    package var headline: String {
        let set = headlines
        guard let first = set.first else { return "All quakes" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + set.dropFirst()).joined(separator: " · ")
    }

    /// The part of the headline for each condition that is set: `M 4.5+`, `place "alaska"`.
    package var headlines: [String] { QuakeFilter.table.compactMap { $0.words(self) } }

    /// Whether any condition other than the minimum magnitude favors large quakes.
    package var favorsLargeQuakes: Bool {
        var filter = self
        filter.minimumMagnitude = nil
        return QuakeFilter.table.contains { $0.selectsBySize && !$0.conditions(filter).isEmpty }
    }

    /// The name of the first condition that the event service does not support; nil if it supports all of them.
    package var conditionUnknownToService: String? {
        QuakeFilter.table.first { row in
            row.conditions(self).contains { row.service == nil || $0.isExcludedByService }
        }.map { row in
            guard row.service != nil else { return row.member }
            return row.conditions(self).contains(where: \.hasAlternatives)
                ? "several \(row.member)" : "excluded \(row.member)"
        }
    }

    /// The conditions that a covered range can contain, as members of a JSON object: `min_mag`, `bbox`, …
    package var coverageMembers: [(name: String, value: FilterValue)] {
        QuakeFilter.table.flatMap { $0.service?.members ?? [] }.compactMap { member in
            member.get(self).map { (member.name, $0) }
        }
    }

    /// Creates a filter from the members of a covered range, ignoring unknown members.
    package init(coverageMembers members: [String: FilterValue]) {
        self.init()
        for member in QuakeFilter.table.flatMap({ $0.service?.members ?? [] }) {
            if let value = members[member.name] { member.set(&self, value) }
        }
    }

    /// Whether this filter accepts every quake that `other` accepts, considering only conditions that the service
    /// supports; false if this is not certain.
    package func includes(_ other: QuakeFilter) -> Bool {
        QuakeFilter.table.filter { $0.service != nil }.allSatisfy { row in
            let narrower = row.conditions(other)
            return row.conditions(self).allSatisfy { condition in narrower.contains { $0.implies(condition) } }
        }
    }
}
