import Glibc
public import QuakeModel

/// The content of a map: the quakes, the query that selected them, their history, and what the map shows around them.
/// Terminal, SVG and HTML maps are all drawn from it.
public struct MapContent: Sendable {
    /// The quakes, in list order.
    public var quakes: [Quake]
    /// The headline describing the query: `M 4.5+ · past week`.
    public var title: String
    /// The dates after the title: `July 13–22, 2021`. Nil if the title needs none.
    public var period: String?
    /// The line about the age of the data: `data through 2025-05-04 13:53 UTC`.
    public var subtitle: String
    /// The time as of which the map shows the quakes. Ages are relative to this time.
    public var asOf: Timestamp
    /// Any id of the selected quake; nil if no quake is selected.
    public var selectedID: String?
    /// The part of the Earth to show; nil to fit every quake, with a margin.
    public var extent: MapBounds?
    /// The changes to each quake as recorded in the cache, oldest first, keyed by the quake's preferred id.
    public var revisions: [String: [Revision]] = [:]
    /// The published solutions for each quake, keyed by the quake's preferred id.
    public var solutions: [String: SolutionHistory] = [:]
    /// The parts of the Earth to which the query was limited, outlined on the map; empty if the query was not limited
    /// to any.
    public var scope: [Scope] = []
    /// The reader's home, drawn on the map.
    public var home: GeographicPoint?
    /// The centers of the query's circles, drawn with their names.
    public var centers: [NamedPlace] = []
    /// The places at which to estimate intensity. For each quake, the intensity is estimated at the nearest place.
    public var intensitySites: [NamedPlace] = []
    /// The meaning of the colors; nil for age if the quakes are recent, otherwise depth.
    public var chosenColoring: MapColoring?
    /// The unit of length on an HTML page: `km` or `mi`.
    public var unit = "km"
    /// The time zone on an HTML page: `UTC`, `local`, or the name of a zone.
    public var timeZone = "UTC"
    /// The number of seconds after which an HTML page reloads itself; nil for never.
    public var reloadInterval: Int?
    /// The sentences that the map shows if there are no quakes.
    public var sentencesIfEmpty = ["No quakes match."]
    /// The data for showing past states of the map; nil to show only the present.
    public var replay: Replay?

    /// A point and its name.
    public struct NamedPlace: Hashable, Sendable {
        public var point: GeographicPoint
        /// The name shown to readers, such as `home`.
        public var name: String

        public init(point: GeographicPoint, name: String) {
            self.point = point
            self.name = name
        }
    }

    /// A part of the Earth to which a query was limited.
    public enum Scope: Hashable, Sendable {
        case box(BoundingBox)
        case circle(center: GeographicPoint, radiusKilometers: Double)

        /// The bounds of a map of this part of the Earth.
        public var bounds: MapBounds {
            switch self {
            case .box(let box): MapBounds(box)
            case .circle(let center, let radius): MapBounds(around: center, radiusKilometers: radius)
            }
        }

        /// The outline of this part of the Earth. Longitudes may lie beyond 180°.
        var outline: [(longitude: Double, latitude: Double)] {
            switch self {
            case .box(let box):
                let bounds = MapBounds(box)
                return [
                    (bounds.west, box.south), (bounds.east, box.south), (bounds.east, box.north),
                    (bounds.west, box.north),
                ]
            case .circle(let center, let radius):
                let angle = radius / 6371.0088
                let latitude = center.latitude * .pi / 180
                return (0..<180).map { step in
                    let bearing = Double(step) * .pi / 90
                    let north = asin(sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing))
                    let east = atan2(sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(north))
                    return (center.longitude + east * 180 / .pi, north * 180 / .pi)
                }
            }
        }
    }

    /// The data that a replay needs in addition to ``quakes`` and ``revisions``.
    public struct Replay: Sendable {
        /// The earliest time at which it is known what the cache contained.
        public var recordedStart: Timestamp
        /// The earliest time for which it is known what USGS had published; nil if there is none.
        public var publishedStart: Timestamp?
        /// The quakes that are no longer on the map, with their last values and their revisions.
        public var departed: [(quake: Quake, revisions: [Revision])]

        public init(
            recordedStart: Timestamp, publishedStart: Timestamp?, departed: [(quake: Quake, revisions: [Revision])]
        ) {
            self.recordedStart = recordedStart
            self.publishedStart = publishedStart
            self.departed = departed
        }
    }

    /// One change to one quake, as recorded in the cache, or one solution published before the first of these changes.
    public struct Revision: Hashable, Sendable {
        /// The time at which the cache recorded the change.
        public var recorded: Timestamp
        /// The time at which USGS published the change; nil if unknown.
        public var published: Timestamp?
        public var reason: ChangeReason
        /// The values that changed. Empty if the quake appeared for the first time, or disappeared.
        public var changes: [Change]
        /// Whether the revision is a solution that was published before the quake first appeared in a snapshot.
        public var isSolution = false
        /// Whether the quake was on the map before this change.
        public var wasShown = false
        /// Whether the quake was on the map after this change.
        public var isShown = true

        /// A value before and after a change.
        public struct Change: Hashable, Sendable {
            public var property: QuakeProperty
            public var before: QuakeValue
            public var after: QuakeValue

            public init(property: QuakeProperty, before: QuakeValue, after: QuakeValue) {
                self.property = property
                self.before = before
                self.after = after
            }
        }

        public init(recorded: Timestamp, published: Timestamp? = nil, reason: ChangeReason, changes: [Change]) {
            self.recorded = recorded
            self.published = published
            self.reason = reason
            self.changes = changes
        }

        /// Creates a revision from a recorded change; `recorded` is the time of its transaction.
        public init(_ change: HistoryChange, recorded: Timestamp, published: Timestamp?) {
            self.init(recorded: recorded, published: published, reason: change.reason, changes: [])
            if case .update(let before, let after, let changed) = change.effect {
                changes = changed.map { Change(property: $0, before: before[$0], after: after[$0]) }
                if before.id != after.id {
                    changes.insert(Change(property: .id, before: before[.id], after: after[.id]), at: 0)
                }
            }
        }

        /// Sets ``changes`` to the values in which `quake` differs from `tombstone`: for example, a restored quake from
        /// its last values before the deletion.
        public mutating func addDifferences(from tombstone: Quake, to quake: Quake) {
            changes = QuakeProperty.allCases.compactMap { property in
                let before = tombstone[property]
                let after = quake[property]
                return before == after ? nil : Change(property: property, before: before, after: after)
            }
        }
    }

    /// Creates the content of a map that fits `quakes`, with no quake selected and no history.
    public init(quakes: [Quake], title: String, subtitle: String, asOf: Timestamp) {
        self.quakes = quakes
        self.title = title
        self.subtitle = subtitle
        self.asOf = asOf
    }

    /// Creates the content of a map of the region around one quake, which is selected.
    public init(surroundingsOf quake: Quake) {
        self.init(quakes: [quake], title: quake.title, subtitle: "", asOf: quake.updated)
        selectedID = quake.id
        extent = MapBounds(around: quake.epicenter, radiusKilometers: 150)
    }

    /// The selected quake; nil if there is none, or if it is not among ``quakes``.
    public var selected: Quake? {
        guard let selectedID else { return nil }
        return quakes.first { $0.id.isSameID(as: selectedID) }
            ?? quakes.first { $0.aliases.contains { $0.isSameID(as: selectedID) } }
    }

    /// The quake that a terminal map describes: the selected one, otherwise the largest.
    var describedQuake: Quake? { selected ?? largestIndex.map { quakes[$0] } }

    /// The index in ``quakes`` of the largest quake; nil without quakes.
    package var largestIndex: Int? { ascendingMagnitudes.last }

    /// The title with the period.
    var headline: String { ([title] + [period].compactMap(\.self)).joined(separator: " · ") }

    /// The title of an HTML page: `M 2.5+ earthquakes, July 13–22, 2021`, or `M 2.5+ seismic events, …` if not all are
    /// earthquakes.
    var pageTitle: String {
        guard let period else { return title }
        let parts = title.split(separator: " · ", maxSplits: 1)
        let kind = quakes.allSatisfy { Quake.kind(ofType: $0.eventType) == nil } ? "earthquakes" : "seismic events"
        let what =
            parts.first?.hasPrefix("M ") == true && parts[0].hasSuffix("+")
            ? (["\(parts[0]) \(kind)"] + parts.dropFirst()).joined(separator: " · ") : title
        return "\(what), \(period)"
    }

    /// The part of the Earth to show: ``extent`` or, if that is nil, the part with the quakes; extended to the nearest
    /// coast or city if it contains neither. The whole world is extended to the southernmost and northernmost quakes.
    public var bounds: MapBounds {
        guard let extent else { return MapBounds(ofQuakesAt: quakes.map(\.epicenter)) }
        let latitudes = quakes.map(\.hypocenter.latitude)
        guard extent == .world, let south = latitudes.min(), let north = latitudes.max() else {
            return extent.reachingLandmark()
        }
        return extent.including(latitudes: south...north)
    }

    /// The indices in ``quakes`` in drawing order: by ``SymbolScale/bands``. Within a band of large quakes, smaller
    /// quakes are drawn above larger ones, so that none is hidden. Within another band, larger quakes and those of the
    /// last day are on top. Sorting indices is cheaper than sorting quakes. Same order as in quakes.js.
    var drawingOrder: [Int] {
        let ranks = quakes.map { quake in
            let magnitude = quake.magnitude ?? 0
            let band = SymbolScale.band(magnitude)
            if band >= SymbolScale.firstLargeBand { return Double(100 * band) - magnitude }
            return Double(20 * band) + magnitude + (asOf - quake.originTime < .seconds(86_400) ? 1 : 0)
        }
        return ranks.indices.sorted { ranks[$0] < ranks[$1] }
    }

    /// The indices in ``quakes`` in order of magnitude, so that the largest quake in a character cell is drawn last.
    var ascendingMagnitudes: [Int] {
        let magnitudes = quakes.map { $0.magnitude ?? -9 }
        return magnitudes.indices.sorted { magnitudes[$0] < magnitudes[$1] }
    }

    var countText: String { quakes.isEmpty ? "no quakes match" : quakes.count.counted("quake") }
}

extension [MapContent.Scope] {
    /// The bounds of a map of these parts of the Earth; nil if there are none.
    public var bounds: MapBounds? {
        guard count > 1 else { return first?.bounds }
        return MapBounds(
            fitting: map(\.bounds).flatMap { bounds in
                [bounds.west, (bounds.west + bounds.east) / 2, bounds.east].flatMap { longitude in
                    [bounds.south, bounds.north].map { GeographicPoint(latitude: $0, longitude: longitude) }
                }
            })
    }
}

extension MapContent.Scope {
    /// A description of the location, such as `around Japan` for a box or `near Hilo, Hawaii` for a circle. A box is
    /// named after the country or state with the label nearest to its center or, if no label lies in the box, after the
    /// nearest city. Nil for a box wider than 60 degrees.
    public var whereabouts: String? {
        let places = Places()
        let middle: GeographicPoint
        switch self {
        case .circle(let center, _): middle = center
        case .box(let box):
            let bounds = MapBounds(box)
            guard bounds.east - bounds.west <= 60 else { return nil }
            middle = GeographicPoint(
                latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2)
            let regions = places.regions.filter { $0.width > 0 && bounds.contains($0.point) }
            if let region = regions.nearest(to: middle, by: \.point) { return "around \(region.name)" }
        }
        return places.cities.nearest(to: middle, by: \.point).map {
            "near \($0.name), \(places.regions[$0.region].name)"
        }
    }
}

extension Array {
    fileprivate func nearest(to point: GeographicPoint, by place: (Element) -> GeographicPoint) -> Element? {
        let distances = map { place($0).distanceKilometers(to: point) }
        return zip(self, distances).min { $0.1 < $1.1 }?.0
    }
}
