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

    /// Which part of the Earth a map shows.
    public enum Extent: Hashable, Sendable {
        /// As much as holds every quake, with a margin.
        case fitted
        /// All of it.
        case world
        /// A rectangle.
        case box(BoundingBox)
        /// A point and the region around it, large enough to recognise its coasts.
        case surroundings(GeographicPoint)
    }

    /// One change of one quake, as the cache saw it.
    public struct Revision: Hashable, Sendable {
        /// When the cache learned of it.
        public var seen: Timestamp
        /// Why the quake changed.
        public var reason: ChangeReason
        /// The values that changed. Empty where the quake came or went.
        public var changes: [Change]

        /// One value before and after.
        public struct Change: Hashable, Sendable {
            /// Which value.
            public var property: QuakeProperty
            /// What it was.
            public var before: QuakeValue
            /// What it became.
            public var after: QuakeValue

            /// A change of one value.
            public init(property: QuakeProperty, before: QuakeValue, after: QuakeValue) {
                self.property = property
                self.before = before
                self.after = after
            }
        }

        /// A change as the cache saw it.
        public init(seen: Timestamp, reason: ChangeReason, changes: [Change]) {
            self.seen = seen
            self.reason = reason
            self.changes = changes
        }

        /// What a recorded change tells; `seen` is the time of its transaction.
        public init(_ change: HistoryChange, seen: Timestamp) {
            self.init(seen: seen, reason: change.reason, changes: [])
            if case .update(let before, let after, let changed) = change.effect {
                changes = changed.map { Change(property: $0, before: before[$0], after: after[$0]) }
                if before.id != after.id {
                    changes.insert(Change(property: .id, before: before[.id], after: after[.id]), at: 0)
                }
            }
        }
    }

    /// A picture of `quakes`, without selection and history, fitted to them.
    public init(quakes: [Quake], title: String, subtitle: String, asOf: Timestamp) {
        self.quakes = quakes
        self.title = title
        self.subtitle = subtitle
        self.asOf = asOf
        extent = .fitted
        revisions = [:]
    }

    /// A picture of one quake, which is selected, and of the region around it.
    public init(surroundingsOf quake: Quake) {
        self.init(quakes: [quake], title: quake.title, subtitle: "", asOf: quake.updated)
        selectedID = quake.id
        extent = .surroundings(quake.epicenter)
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
        case .box(let box): MapBounds(box)
        case .surroundings(let point): MapBounds(around: point)
        }
    }

    /// The places in ``quakes`` from the smallest magnitude to the largest. Places, because moving a place is cheap.
    var ascendingMagnitudes: [Int] {
        let magnitudes = quakes.map { $0.magnitude ?? -9 }
        return magnitudes.indices.sorted { magnitudes[$0] < magnitudes[$1] }
    }

    /// How many there are, in words.
    var countText: String {
        quakes.isEmpty ? "no quakes match" : quakes.count.counted("quake")
    }
}
