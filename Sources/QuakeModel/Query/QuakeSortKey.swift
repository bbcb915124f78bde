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
