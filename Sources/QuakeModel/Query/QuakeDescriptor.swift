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
