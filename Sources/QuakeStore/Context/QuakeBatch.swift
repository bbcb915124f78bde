/// A batch of quakes from a ``QuakeBatches`` collection.
public struct QuakeBatch {
    /// Returns the quakes with the given keys, omitting deleted quakes.
    package typealias Fetch = (ArraySlice<QuakeKey>) throws -> [StoredQuake]

    /// The local keys of the batch's quakes, in order.
    public let identifiers: ArraySlice<QuakeKey>
    private let fetch: Fetch

    init(identifiers: ArraySlice<QuakeKey>, fetch: @escaping Fetch) {
        self.identifiers = identifiers
        self.fetch = fetch
    }

    /// Fetches the quakes with their current values or, in a pinned context, with those of the pinned generation. Omits
    /// quakes deleted in the meantime.
    public func quakes() throws -> [StoredQuake] { try fetch(identifiers) }
}
