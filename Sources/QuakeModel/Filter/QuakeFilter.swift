/// Conditions on quakes. Every condition that is set must hold; the empty filter accepts all quakes.
///
/// A quake whose value is missing never satisfies a condition on that value. A text with U+0000 matches nothing.
public struct QuakeFilter: Hashable, Sendable, Codable {
    /// At least this magnitude.
    public var minimumMagnitude: Double?
    /// At most this magnitude.
    public var maximumMagnitude: Double?
    /// Origin time at or after this.
    public var since: Timestamp?
    /// Origin time before this.
    public var until: Timestamp?
    /// At least this deep, in kilometers.
    public var minimumDepthKilometers: Double?
    /// At most this deep, in kilometers.
    public var maximumDepthKilometers: Double?
    /// A rectangle the epicenter lies in.
    public var boundingBox: BoundingBox?
    /// A circle the epicenter lies in.
    public var circle: Circle?
    /// A place that is intensitySite.
    public var shaking: Shaking?
    /// The place name holds one of these texts, compared ignoring case and accents. In the present of a cache also a
    /// name that is not confirmed yet matches, here and in ``regions``.
    public var placesContain: Set<String>
    /// The place lies in one of these regions: see ``Quake/regions``. `California` in any case, with or without
    /// accents, but always the whole name: neither `Cali` nor the postal code `CA` matches anything.
    public var regions: Set<String>
    /// One of these event types, and none of those after a `!`: `!earthquake` accepts every other type. This and the
    /// next four compare without regard to the case of ASCII letters.
    public var eventTypes: Set<String>
    /// One of these review statuses.
    public var statuses: Set<String>
    /// One of these networks.
    public var networks: Set<String>
    /// One of these magnitude types.
    public var magnitudeTypes: Set<String>
    /// One of these alert levels.
    public var alerts: Set<String>
    /// At least this many felt reports.
    public var minimumFelt: Int64?
    /// At least this significance.
    public var minimumSignificance: Int64?
    /// Only quakes that carry the tsunami flag.
    public var requiresTsunamiFlag: Bool

    /// A filter with the conditions that are given; without arguments, the one that accepts every quake.
    public init(
        minimumMagnitude: Double? = nil, maximumMagnitude: Double? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, minimumDepthKilometers: Double? = nil, maximumDepthKilometers: Double? = nil,
        boundingBox: BoundingBox? = nil, circle: Circle? = nil, placesContain: Set<String> = [],
        regions: Set<String> = [], eventTypes: Set<String> = [], statuses: Set<String> = [], networks: Set<String> = [],
        magnitudeTypes: Set<String> = [], alerts: Set<String> = [], minimumFelt: Int64? = nil,
        minimumSignificance: Int64? = nil, requiresTsunamiFlag: Bool = false, shaking: Shaking? = nil
    ) {
        (self.minimumMagnitude, self.maximumMagnitude, self.since) = (minimumMagnitude, maximumMagnitude, since)
        (self.until, self.minimumDepthKilometers) = (until, minimumDepthKilometers)
        (self.maximumDepthKilometers, self.boundingBox, self.circle) = (maximumDepthKilometers, boundingBox, circle)
        (self.shaking, self.placesContain, self.regions) = (shaking, placesContain, regions)
        (self.eventTypes, self.statuses, self.networks) = (eventTypes, statuses, networks)
        (self.magnitudeTypes, self.alerts, self.minimumFelt) = (magnitudeTypes, alerts, minimumFelt)
        (self.minimumSignificance, self.requiresTsunamiFlag) = (minimumSignificance, requiresTsunamiFlag)
    }

    /// A place and the least intensity that a quake is expected to have there: see ``ExpectedIntensity``. At a latitude
    /// beyond 90 degrees, and at coordinates that are not numbers, matches no quake.
    public struct Shaking: Hashable, Sendable, Codable {
        public var place: GeographicPoint
        /// The least expected intensity.
        public var minimumIntensity: Double

        /// A condition on the intensity that is expected at `place`.
        public init(place: GeographicPoint, minimumIntensity: Double) {
            (self.place, self.minimumIntensity) = (place, minimumIntensity)
        }
    }

    /// A circle on the surface. One whose radius is negative or not a number, or whose center has a latitude beyond 90
    /// degrees or coordinates that are not numbers, contains no quakes.
    public struct Circle: Hashable, Sendable, Codable {
        public var center: GeographicPoint
        public var radiusKilometers: Double

        public init(center: GeographicPoint, radiusKilometers: Double) {
            (self.center, self.radiusKilometers) = (center, radiusKilometers)
        }
    }
}

/// The table of conditions: everything that SQL, values in memory, headlines, claims and the event service need to know
/// about each. A new condition is a member of ``QuakeFilter`` and a row here.
extension QuakeFilter {
    /// In the order in which a headline names them.
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
        .boundingBox, .circle, .shaking,
        .words(\.eventTypes, "eventTypes", of: .type, bySize: false, as: "type", service: ("eventtype", "type")),
        .words(\.statuses, "statuses", of: .status, bySize: false, as: "status"),
        .words(\.networks, "networks", of: .net, bySize: false, as: "network"),
        .words(\.magnitudeTypes, "magnitudeTypes", of: .magType, bySize: false, as: "magnitude type"),
        .words(\.alerts, "alerts", of: .alert, bySize: true, as: "alert"),
        .least(\.minimumFelt, "minimumFelt", of: .felt, bySize: true, words: { "felt by \($0.grouped)+" }),
        .least(\.minimumSignificance, "minimumSignificance", of: .sig, bySize: true, words: { "significance \($0)+" }),
        FilterRow(
            "requiresTsunamiFlag", bySize: true, conditions: { $0.requiresTsunamiFlag ? [.equal(.tsunami, 1)] : [] },
            words: { $0.requiresTsunamiFlag ? "tsunami flag" : nil }),
    ]
}

/// What follows from the table of conditions.
extension QuakeFilter {
    package var conditions: [FilterCondition] { QuakeFilter.table.flatMap { $0.conditions(self) } }

    /// Whether `quake` satisfies every condition. The same answer as the store's query gives, but for names of places
    /// that are not confirmed yet.
    public func accepts(_ quake: Quake) -> Bool { conditions.allSatisfy { $0.holds(for: quake) } }

    /// The filter as a headline: `M 4.5+ · since 2025-05-04 · place "alaska"`. It has
    /// moments and no ages, because a map is read later.
    package var headline: String {
        let set = headlines
        guard let first = set.first else { return "All quakes" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + set.dropFirst()).joined(separator: " · ")
    }

    /// The words of each condition that is set: `M 4.5+`, `place "alaska"`.
    package var headlines: [String] { QuakeFilter.table.compactMap { $0.words(self) } }

    /// Whether a condition other than the least magnitude selects by size.
    package var isBiased: Bool {
        var filter = self
        filter.minimumMagnitude = nil
        return QuakeFilter.table.contains { $0.selectsBySize && !$0.conditions(filter).isEmpty }
    }

    /// The first condition that the event service does not know, by the name of its member here; nil if it knows all.
    package var unknownToService: String? {
        QuakeFilter.table.first { row in
            row.conditions(self).contains { if case .noneOf = $0 { true } else { row.service == nil } }
        }.map { $0.service == nil ? $0.member : "\($0.member) with \"!\"" }
    }

    /// The conditions that a claim may have, as members of a JSON object: `min_mag`, `bbox`, …
    package var claimMembers: [(name: String, value: FilterValue)] {
        QuakeFilter.table.flatMap { $0.service?.members ?? [] }.compactMap { member in
            member.get(self).map { (member.name, $0) }
        }
    }

    /// The conditions that `members` name; others are ignored.
    package init(claimMembers members: [String: FilterValue]) {
        self.init()
        for member in QuakeFilter.table.flatMap({ $0.service?.members ?? [] }) {
            if let value = members[member.name] { member.set(&self, value) }
        }
    }

    /// Whether this filter accepts all that `other` accepts, by the conditions the service knows. False when in doubt.
    package func includes(_ other: QuakeFilter) -> Bool {
        QuakeFilter.table.filter { $0.service != nil }.allSatisfy { row in
            let narrower = row.conditions(other)
            return row.conditions(self).allSatisfy { condition in narrower.contains { $0.implies(condition) } }
        }
    }
}
