/// Which quakes to fetch, in which order, and how many.
public struct QuakeDescriptor: Hashable, Sendable {
    /// Which quakes.
    public var filter: QuakeFilter
    /// In which order.
    public var sort: QuakeSort
    /// Whether the order is reversed.
    public var isReversed: Bool
    /// The most quakes to fetch; nil for all.
    public var limit: Int?
    /// How many to skip first.
    public var offset: Int

    /// A descriptor; without arguments, every quake, the newest first.
    public init(
        filter: QuakeFilter = QuakeFilter(), sort: QuakeSort = .time, isReversed: Bool = false, limit: Int? = nil,
        offset: Int = 0
    ) {
        self.filter = filter
        self.sort = sort
        self.isReversed = isReversed
        self.limit = limit
        self.offset = offset
    }
}

/// An order of quakes. Ties are broken by id, missing values come last.
public enum QuakeSort: Hashable, Sendable {
    /// Newest first.
    case time
    /// Largest first.
    case magnitude
    /// Deepest first.
    case depth
    /// Nearest to the point first.
    case distance(from: GeographicPoint)
    /// Most recently updated first.
    case updated
}
