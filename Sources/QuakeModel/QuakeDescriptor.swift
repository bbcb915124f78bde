/// What to fetch: which quakes, in which order, how many.
public struct QuakeDescriptor: Hashable, Sendable {
    /// Which quakes.
    public var filter: QuakeFilter
    /// In which order.
    public var sort: QuakeSort
    /// The order turned round.
    public var isReversed: Bool
    /// At most so many; nil for all.
    public var limit: Int?
    /// How many to pass over first.
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
