/// A request for quakes, with a filter, an order and a limit.
public struct QuakeDescriptor: Hashable, Sendable, Codable {
    public var filter: QuakeFilter
    /// The sort keys, most significant first. Remaining ties are broken by id.
    public var sort: [QuakeSortKey]
    /// The maximum number of quakes to fetch; nil for no limit.
    public var limit: Int?
    /// The number of matching quakes to skip.
    public var offset: Int

    /// Creates a descriptor; without arguments, it fetches every quake, newest first.
    public init(
        filter: QuakeFilter = QuakeFilter(), sort: QuakeSort = .time, order: QuakeSortKey.Order? = nil,
        limit: Int? = nil, offset: Int = 0
    ) {
        self.init(
            filter: filter, sortedBy: [QuakeSortKey(sort, order: order)], limit: limit, offset: offset)
    }

    /// Creates a descriptor with several sort keys.
    public init(
        filter: QuakeFilter = QuakeFilter(), sortedBy sort: [QuakeSortKey], limit: Int? = nil, offset: Int = 0
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

/// A value to sort quakes by, and the sort order.
public struct QuakeSortKey: Hashable, Sendable, Codable {
    public var value: QuakeSort
    public var order: Order

    /// Creates a sort key. By default, distance sorts forward, and other values sort in reverse.
    public init(_ value: QuakeSort, order: Order? = nil) {
        self.value = value
        self.order = order ?? value.usualOrder
    }

    /// A sort order. Missing values come last in both orders.
    public enum Order: String, Hashable, Sendable, Codable {
        /// Oldest, smallest, shallowest or nearest first.
        case forward
        /// Newest, largest, deepest or farthest first.
        case reverse

        package var opposite: Order { self == .forward ? .reverse : .forward }
    }
}

/// A value to sort quakes by. Ties are broken by id; missing values come last.
public enum QuakeSort: Hashable, Sendable, Codable {
    case time
    case magnitude
    case depth
    /// The distance from the nearest of the points.
    case distance(from: [GeographicPoint])
    /// The time of the last update.
    case updated
    case feltReports
    case significance

    /// The default order: forward for distance, reverse for all other values.
    package var usualOrder: QuakeSortKey.Order { if case .distance = self { .forward } else { .reverse } }
}
