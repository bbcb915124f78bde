import Glibc
public import QuakeModel

/// What a map shows: quakes, what was asked to get them, and what is known about their past. The terminal, SVG and HTML
/// maps draw the same picture.
public struct MapPicture: Sendable {
    /// The quakes, in the order in which a list shows them.
    public var quakes: [Quake]
    /// What was asked, as the headline: `M 4.5+ · past week`.
    public var title: String
    /// How fresh the answer is: `as of 2025-05-04 13:53 UTC`.
    public var subtitle: String
    /// The moment of which the map tells; ages are counted from it.
    public var asOf: Timestamp
    /// The id of the quake that is selected, under any of its ids.
    public var selectedID: String?
    /// Which part of the Earth to show.
    public var extent: Extent
    /// What the cache saw change, by the preferred id of the quake, oldest first.
    public var revisions: [String: [Revision]]
    /// How quakes were solved, by their preferred ids.
    public var solutions: [String: SolutionHistory] = [:]
    /// The part of the Earth that was asked for, which the map outlines; quakes outside of it are not in the picture.
    public var scope: Scope?
    /// Whether a map of characters names the largest towns.
    var namesTowns = false
    /// The reader's home, drawn on the map.
    public var home: GeographicPoint?
    /// The middle of the circle that was asked for, drawn with its name.
    public var center: NamedPlace?
    /// The place of which the map tells the shaking to expect.
    public var intensitySite: NamedPlace?
    /// Whether the color of a quake stands for that shaking, not for its depth.
    public var colorsByShaking = false
    /// How a page writes lengths: `km` or `mi`.
    public var unit = "km"
    /// How a page writes times: `UTC`, `local`, or the name of a zone.
    public var timeZone = "UTC"
    /// After how many seconds a page loads itself again.
    public var reloadInterval: Int?
    /// What a page needs to show the past.
    public var replay: Replay?

    /// A place that a reader knows by a name.
    public struct NamedPlace: Hashable, Sendable {
        public var point: GeographicPoint
        /// What people call it: `home`.
        public var name: String

        /// A place with the name that people read.
        public init(point: GeographicPoint, name: String) { (self.point, self.name) = (point, name) }
    }

    var coloring: MapColoring {
        guard colorsByShaking, let intensitySite else { return .depth }
        return .shaking(at: intensitySite.point)
    }

    /// A part of the Earth that was asked for.
    public enum Scope: Hashable, Sendable {
        case box(BoundingBox)
        case circle(center: GeographicPoint, radiusKilometers: Double)

        /// Its outline; longitudes may lie beyond 180°.
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

    /// What a page needs to show the past, beside the quakes and their revisions.
    public struct Replay: Sendable {
        /// The first moment whose state is known, by the clock of the cache.
        public var learnedStart: Timestamp
        /// The same by the time of publication; nil if that is not known.
        public var publishedStart: Timestamp?
        /// Quakes that are no longer in the picture, with their last values and their revisions.
        public var departed: [(quake: Quake, revisions: [Revision])]

        /// What a page needs to show the past.
        public init(
            learnedStart: Timestamp, publishedStart: Timestamp?, departed: [(quake: Quake, revisions: [Revision])]
        ) { (self.learnedStart, self.publishedStart, self.departed) = (learnedStart, publishedStart, departed) }
    }

    /// Which part of the Earth a map shows.
    public enum Extent: Hashable, Sendable {
        /// As much as holds every quake, with a margin.
        case fitted
        case world
        case fixed(MapBounds)
        case box(BoundingBox)
        /// A circle of that many kilometers.
        case circle(center: GeographicPoint, radiusKilometers: Double)
    }

    /// One change of one quake, as the cache saw it.
    public struct Revision: Hashable, Sendable {
        /// When the cache learned of it.
        public var seen: Timestamp
        /// When it counts as published; nil if that is not known.
        public var published: Timestamp?
        public var reason: ChangeReason
        /// The values that changed. Empty where the quake came or went.
        public var changes: [Change]
        /// Whether it is a solution that was published before the first document with the quake.
        public var isSolution = false
        /// Whether the quake was in the picture before this change.
        public var wasShown = false
        /// Whether the quake was in the picture after this change.
        public var isShown = true

        /// One value before and after.
        public struct Change: Hashable, Sendable {
            public var property: QuakeProperty
            public var before: QuakeValue
            public var after: QuakeValue

            /// A change of one value.
            public init(property: QuakeProperty, before: QuakeValue, after: QuakeValue) {
                (self.property, self.before, self.after) = (property, before, after)
            }
        }

        /// A change as the cache saw it.
        public init(seen: Timestamp, published: Timestamp? = nil, reason: ChangeReason, changes: [Change]) {
            (self.seen, self.published, self.reason, self.changes) = (seen, published, reason, changes)
        }

        /// What a recorded change tells; `seen` is the time of its transaction.
        public init(_ change: HistoryChange, seen: Timestamp, published: Timestamp?) {
            self.init(seen: seen, published: published, reason: change.reason, changes: [])
            if case .update(let before, let after, let changed) = change.effect {
                changes = changed.map { Change(property: $0, before: before[$0], after: after[$0]) }
                if before.id != after.id {
                    changes.insert(Change(property: .id, before: before[.id], after: after[.id]), at: 0)
                }
            }
        }

        /// Adds the values in which a quake that returns differs from its tombstone.
        public mutating func addDifferences(from tombstone: Quake, to quake: Quake) {
            changes = QuakeProperty.allCases.compactMap { property in
                let (before, after) = (tombstone[property], quake[property])
                return before == after ? nil : Change(property: property, before: before, after: after)
            }
        }
    }

    /// A picture of `quakes`, without selection and history, fitted to them.
    public init(quakes: [Quake], title: String, subtitle: String, asOf: Timestamp) {
        (self.quakes, self.title, self.subtitle, self.asOf) = (quakes, title, subtitle, asOf)
        extent = .fitted
        revisions = [:]
    }

    /// A picture of one quake, which is selected, and of the region around it.
    public init(surroundingsOf quake: Quake) {
        self.init(quakes: [quake], title: quake.title, subtitle: "", asOf: quake.updated)
        selectedID = quake.id
        namesTowns = true
        extent = .circle(center: quake.epicenter, radiusKilometers: 150)
    }

    /// The selected quake, where it is among those shown.
    public var selected: Quake? {
        guard let selectedID else { return nil }
        return quakes.first { $0.id.isSameID(as: selectedID) }
            ?? quakes.first { $0.aliases.contains { $0.isSameID(as: selectedID) } }
    }

    /// The part of the Earth to show.
    public var bounds: MapBounds {
        switch extent {
        case .fitted: MapBounds(fitting: quakes.map(\.epicenter))
        case .world: .world
        case .fixed(let bounds): bounds
        case .box(let box): MapBounds(box)
        case .circle(let center, let radius): MapBounds(around: center, radiusKilometers: radius)
        }
    }

    /// The places in ``quakes`` in the order of drawing. Below magnitude 5 the large and those of the last day lie
    /// above the others; all from 5 on lie above these, and among themselves the smaller above the larger, so that none
    /// of them is hidden. Places, because moving a place is cheap.
    var drawingOrder: [Int] {
        let ranks = quakes.map { quake in
            let magnitude = quake.magnitude ?? 0
            return magnitude >= 5 ? 100 - magnitude : magnitude + (asOf - quake.originTime < .seconds(86_400) ? 1 : 0)
        }
        return ranks.indices.sorted { ranks[$0] < ranks[$1] }
    }

    /// The places in ``quakes`` from the smallest magnitude to the largest, which is seen in a character's place.
    var ascendingMagnitudes: [Int] {
        let magnitudes = quakes.map { $0.magnitude ?? -9 }
        return magnitudes.indices.sorted { magnitudes[$0] < magnitudes[$1] }
    }

    var countText: String { quakes.isEmpty ? "no quakes match" : quakes.count.counted("quake") }
}

extension MapPicture.Scope {
    /// Where it lies, in words: `around Japan` for a box, by the country or state whose name stands nearest to its
    /// middle, and `near Hilo, Hawaii` for a circle and for a box with no such name. Nil for a box wider than 60
    /// degrees, which no name describes.
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
