/// Which quakes to fetch, in which order, and how many.
public struct QuakeDescriptor: Hashable, Sendable, Codable {
    public var filter: QuakeFilter
    /// In which order: by the first key, where that is equal by the second, and so on, and last by id.
    public var sort: [QuakeSortKey]
    /// The most quakes to fetch; nil for all.
    public var limit: Int?
    /// How many to skip first.
    public var offset: Int
    /// Whether changes that are not saved yet are seen: filtered, sorted and counted as they will be saved. A quake
    /// that will be new has a key of its own until then: see ``StoredQuake/isTemporary``.
    public var includesPending: Bool

    /// A descriptor; without arguments, every quake, the newest first.
    public init(
        filter: QuakeFilter = QuakeFilter(), sort: QuakeSort = .time, order: QuakeSortKey.Order? = nil,
        limit: Int? = nil, offset: Int = 0, includesPending: Bool = false
    ) {
        self.init(
            filter: filter, sortedBy: [QuakeSortKey(sort, order: order)], limit: limit, offset: offset,
            includesPending: includesPending)
    }

    /// A descriptor with several sort keys.
    public init(
        filter: QuakeFilter = QuakeFilter(), sortedBy sort: [QuakeSortKey], limit: Int? = nil, offset: Int = 0,
        includesPending: Bool = false
    ) {
        (self.filter, self.sort, self.limit) = (filter, sort, limit)
        (self.offset, self.includesPending) = (offset, includesPending)
    }
}

/// What quakes are sorted by, and in which order.
public struct QuakeSortKey: Hashable, Sendable, Codable {
    public var value: QuakeSort
    public var order: Order

    /// A key; without an order, the nearest first, or the newest, largest or deepest.
    public init(_ value: QuakeSort, order: Order? = nil) {
        self.value = value
        self.order = order ?? value.usualOrder
    }

    /// The order of what is compared. Missing values come last in both.
    public enum Order: String, Hashable, Sendable, Codable {
        /// Oldest, smallest, shallowest or nearest first.
        case forward
        /// Newest, largest, deepest or farthest first.
        case reverse

        /// The other one.
        package var opposite: Order { self == .forward ? .reverse : .forward }
    }
}

/// What quakes are sorted by. Ties are broken by id, missing values come last.
public enum QuakeSort: Hashable, Sendable, Codable {
    case time
    case magnitude
    case depth
    /// The distance from the point.
    case distance(from: GeographicPoint)
    /// When the quake was last updated.
    case updated
    /// The number of felt reports.
    case feltReports
    case significance

    /// The nearest first, and by any other value the newest, largest, deepest or most.
    package var usualOrder: QuakeSortKey.Order {
        switch self {
        case .time, .magnitude, .depth, .updated, .feltReports, .significance: .reverse
        case .distance: .forward
        }
    }
}
