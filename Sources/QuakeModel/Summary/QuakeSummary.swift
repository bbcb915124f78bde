/// A summary of a set of quakes: their number, their time range, and notable quakes.
///
/// Quakes are added one at a time. Memory use does not depend on their number.
public struct QuakeSummary: Sendable {
    /// A notable quake: the largest, the deepest or the most felt.
    public struct Event: Hashable, Sendable {
        public let id: String
        public let originTime: Timestamp
        public let magnitude: Double?
        public let depthKilometers: Double?
        /// The number of felt reports.
        public let feltReports: Int?
        public let place: String?
        package let eventType: String?

        package init(
            id: String, originTime: Timestamp, magnitude: Double?, depthKilometers: Double?, feltReports: Int?,
            place: String?, eventType: String?
        ) {
            self.id = id
            self.originTime = originTime
            self.magnitude = magnitude
            self.depthKilometers = depthKilometers
            self.feltReports = feltReports
            self.place = place
            self.eventType = eventType
        }
    }

    public private(set) var count = 0
    /// The earliest origin time.
    public private(set) var earliest: Timestamp?
    /// The latest origin time.
    public private(set) var latest: Timestamp?
    /// The largest quake; nil if no quake has a magnitude. Ties are broken by id.
    public private(set) var largest: Event?
    public private(set) var deepest: Event?
    /// The quake with the most felt reports; nil if there are no reports.
    public private(set) var mostFelt: Event?
    /// The largest quake of type `earthquake`.
    package private(set) var largestEarthquake: Event?
    /// The quake of type `earthquake` with the most felt reports.
    package private(set) var mostFeltEarthquake: Event?
    /// The number of quakes by event type. In this and the following counts, the key is nil for quakes without a value.
    package private(set) var eventTypes: [String?: Int] = [:]
    package private(set) var networks: [String?: Int] = [:]
    /// The number of quakes by region. A quake at a border counts on both sides.
    package var regions: [String?: Int] {
        var regions: [String?: Int] = [:]
        for (part, count) in lastParts {
            let names = part.map(Region.names(ofPart:)) ?? []
            if names.isEmpty { regions[nil, default: 0] += count }
            for name in names { regions[name, default: 0] += count }
        }
        return regions
    }
    /// The number of quakes by the last part of the place name. Looking up the region of each different part is faster
    /// than looking up the region of each quake.
    private var lastParts: [String?: Int] = [:]
    /// The number of quakes by magnitude type, counting only quakes with a magnitude.
    package private(set) var magnitudeTypes: [String?: Int] = [:]
    package private(set) var statuses: [String?: Int] = [:]
    package private(set) var magnitudes = MagnitudeCounts()
    /// The number of quakes by magnitude rounded down: 4 for 4.0 up to 5.0. The key is nil for quakes without a
    /// magnitude.
    public var magnitudeCounts: [Int?: Int] { magnitudes.classes }
    /// The estimated magnitude at or above which no quake is missing: see ``GutenbergRichter/completeness``. Nil if no
    /// quake has a magnitude.
    public var magnitudeOfCompleteness: Double? { magnitudes.completeness }
    /// The b-value and its fit. They mean nothing if the quakes were selected by size, such as by felt reports.
    ///
    /// Nil if fewer than 50 quakes reach the magnitude of completeness, or if all their magnitudes are in one bin of
    /// 0.1.
    public var gutenbergRichter: GutenbergRichter? { try? magnitudes.gutenbergRichter() }
    package private(set) var times = OriginTimeCounts()

    public init() {}

    public mutating func add(_ quake: Quake) {
        add(
            Event(
                id: quake.id, originTime: quake.originTime, magnitude: quake.magnitude,
                depthKilometers: quake.hypocenter.depthKilometers, feltReports: quake.feltReports, place: quake.place,
                eventType: quake.eventType),
            network: quake.net, magnitudeType: quake.magnitudeType, status: quake.status,
            longitude: quake.hypocenter.longitude)
    }

    package mutating func add(
        _ quake: Event, network: String?, magnitudeType: String?, status: String?, longitude: Double
    ) {
        count += 1
        earliest = min(earliest ?? quake.originTime, quake.originTime)
        latest = max(latest ?? quake.originTime, quake.originTime)
        eventTypes[quake.eventType, default: 0] += 1
        networks[network, default: 0] += 1
        statuses[status, default: 0] += 1
        lastParts[quake.place.map { Region.partAfterLastComma(of: $0, longitude: longitude) }, default: 0] += 1
        if quake.magnitude != nil { magnitudeTypes[magnitudeType, default: 0] += 1 }
        magnitudes.add(quake.magnitude)
        times.add(quake.originTime)
        Self.replace(&largest, with: quake, ifMoreIn: \.magnitude)
        Self.replace(&deepest, with: quake, ifMoreIn: \.depthKilometers)
        let isFelt = (quake.feltReports ?? 0) > 0
        if isFelt { Self.replace(&mostFelt, with: quake, ifMoreIn: \.feltReports) }
        guard quake.eventType == "earthquake" else { return }
        Self.replace(&largestEarthquake, with: quake, ifMoreIn: \.magnitude)
        if isFelt { Self.replace(&mostFeltEarthquake, with: quake, ifMoreIn: \.feltReports) }
    }

    private static func replace<Value: Comparable>(
        _ notable: inout Event?, with quake: Event, ifMoreIn value: KeyPath<Event, Value?>
    ) {
        guard let new = quake[keyPath: value] else { return }
        if let notable, let old = notable[keyPath: value] {
            if new < old { return }
            if new == old, notable.id.utf8.lexicographicallyPrecedes(quake.id.utf8) { return }
        }
        notable = quake
    }
}
