/// What a set of quakes amounts to: how many, since when, the largest; counts by magnitude, type, network and time; and
/// the Gutenberg-Richter relation.
///
/// Quakes are added one at a time. The memory it takes does not depend on their number.
public struct QuakeSummary: Sendable {
    /// A quake that stands out.
    public struct Notable: Hashable, Sendable {
        /// The preferred id.
        public let id: String
        /// The origin time.
        public let originTime: Timestamp
        /// The magnitude.
        public let magnitude: Double?
        /// The depth in kilometers.
        public let depthKilometers: Double?
        /// How many people reported that they felt it.
        public let feltReports: Int64?
        /// The nearest place.
        public let place: String?
        /// The type of event.
        package let eventType: String?
    }

    /// How many quakes.
    public private(set) var count = 0
    /// The first origin time.
    public private(set) var earliest: Timestamp?
    /// The last origin time.
    public private(set) var latest: Timestamp?
    /// The largest quake; of several the one whose id comes first, as for the next two.
    public private(set) var largest: Notable?
    /// The deepest quake.
    public private(set) var deepest: Notable?
    /// The quake that most people reported; nil if nobody reported any.
    public private(set) var mostFelt: Notable?
    /// The largest of those that are earthquakes.
    package private(set) var largestEarthquake: Notable?
    /// The earthquake that most people reported.
    package private(set) var mostFeltEarthquake: Notable?
    /// Quakes by type of event; nil for those without one, here and below.
    public private(set) var eventTypes: [String?: Int] = [:]
    /// Quakes by network.
    public private(set) var networks: [String?: Int] = [:]
    /// Quakes by region; one at a border is counted on both sides.
    public var regions: [String?: Int] {
        var regions: [String?: Int] = [:]
        for (part, count) in lastParts {
            let names = part.map(Region.names(ofPart:)) ?? []
            if names.isEmpty { regions[nil, default: 0] += count }
            for name in names { regions[name, default: 0] += count }
        }
        return regions
    }
    /// Quakes by the last part of the place's name: far fewer than quakes, so that each leads to its region once.
    private var lastParts: [String?: Int] = [:]
    /// Quakes by type of magnitude; only those with a magnitude.
    public private(set) var magnitudeTypes: [String?: Int] = [:]
    /// Quakes by review status.
    public private(set) var statuses: [String?: Int] = [:]
    /// Quakes by magnitude.
    public private(set) var magnitudes = MagnitudeCounts()
    /// Quakes by time.
    public private(set) var times = OriginTimeCounts()

    /// No quakes yet.
    public init() {}

    /// Adds a quake.
    public mutating func add(_ quake: Quake) {
        add(
            Measurement(
                originTime: quake.originTime, magnitude: quake.magnitude,
                depthKilometers: quake.hypocenter.depthKilometers, feltReports: quake.feltReports,
                eventType: quake.eventType, network: quake.net, magnitudeType: quake.magnitudeType,
                status: quake.status, place: quake.place, longitude: quake.hypocenter.longitude)
        ) { quake.id }
    }

    /// The values of a quake that are counted.
    package struct Measurement {
        let originTime: Timestamp
        let magnitude: Double?
        let depthKilometers: Double?
        let feltReports: Int64?
        let eventType: String?
        let network: String?
        let magnitudeType: String?
        let status: String?
        let place: String?
        let longitude: Double

        package init(
            originTime: Timestamp, magnitude: Double?, depthKilometers: Double?, feltReports: Int64?,
            eventType: String?, network: String?, magnitudeType: String?, status: String?, place: String?,
            longitude: Double
        ) {
            (self.originTime, self.magnitude) = (originTime, magnitude)
            (self.depthKilometers, self.feltReports) = (depthKilometers, feltReports)
            (self.eventType, self.network) = (eventType, network)
            (self.magnitudeType, self.status, self.place, self.longitude) = (magnitudeType, status, place, longitude)
        }
    }

    /// Adds a quake; `id` gives its id, and is called only if it stands out.
    package mutating func add(_ quake: Measurement, id: () -> String) {
        count += 1
        earliest = min(earliest ?? quake.originTime, quake.originTime)
        latest = max(latest ?? quake.originTime, quake.originTime)
        eventTypes[quake.eventType, default: 0] += 1
        networks[quake.network, default: 0] += 1
        statuses[quake.status, default: 0] += 1
        lastParts[quake.place.map { Region.lastPart(of: $0, longitude: quake.longitude) }, default: 0] += 1
        if quake.magnitude != nil { magnitudeTypes[quake.magnitudeType, default: 0] += 1 }
        magnitudes.add(quake.magnitude)
        times.add(quake.originTime)
        Self.replace(&largest, \.magnitude, quake.magnitude, quake, id)
        Self.replace(&deepest, \.depthKilometers, quake.depthKilometers, quake, id)
        let felt = quake.feltReports.flatMap { $0 > 0 ? $0 : nil }
        Self.replace(&mostFelt, \.feltReports, felt, quake, id)
        guard quake.eventType == "earthquake" else { return }
        Self.replace(&largestEarthquake, \.magnitude, quake.magnitude, quake, id)
        Self.replace(&mostFeltEarthquake, \.feltReports, felt, quake, id)
    }

    private static func replace<Value: Comparable>(
        _ notable: inout Notable?, _ value: KeyPath<Notable, Value?>, _ new: Value?, _ quake: Measurement,
        _ id: () -> String
    ) {
        guard let new else { return }
        let old = notable?[keyPath: value]
        if let old, new < old { return }
        let id = id()
        if let notable, new == old, notable.id.utf8.lexicographicallyPrecedes(id.utf8) { return }
        notable = Notable(
            id: id, originTime: quake.originTime, magnitude: quake.magnitude, depthKilometers: quake.depthKilometers,
            feltReports: quake.feltReports, place: quake.place, eventType: quake.eventType)
    }
}
