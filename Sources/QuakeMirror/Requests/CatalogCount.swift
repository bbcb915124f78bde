/// The number of quakes that match a ``CatalogQuery``.
package struct CatalogCount: Hashable, Sendable, Decodable {
    package var count: Int
    /// The maximum number of quakes in a response; nil if the service does not report it.
    package var maxAllowed: Int?

    /// Whether the count is possible for a catalog of quakes.
    var isPlausible: Bool { (0...1_000_000_000).contains(count) && maxAllowed.map { $0 > 0 } ?? true }
}
