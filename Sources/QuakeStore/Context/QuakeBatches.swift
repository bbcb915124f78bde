/// The quakes that a descriptor requests, in batches. The quakes and their order are fixed when the collection is
/// created.
///
/// Only the local keys stay in memory, eight bytes per quake. ``QuakeBatch/quakes()`` fetches the values of one batch.
public struct QuakeBatches: RandomAccessCollection {
    /// The local keys of all quakes, in order.
    public let identifiers: [QuakeKey]
    /// The maximum number of quakes in a batch.
    public let batchSize: Int
    private let fetch: QuakeBatch.Fetch

    /// - Throws: ``StoreError/outOfRange(_:value:)`` if `batchSize` is less than 1.
    package init(
        batchSize: Int, identifiers: () throws -> [QuakeKey], fetch: @escaping QuakeBatch.Fetch
    ) throws {
        try StoreError.require("batchSize", batchSize, atLeast: 1)
        self.batchSize = batchSize
        self.identifiers = try identifiers()
        self.fetch = fetch
    }

    public var startIndex: Int { 0 }
    /// The number of batches.
    public var endIndex: Int { identifiers.count / batchSize + (identifiers.count % batchSize == 0 ? 0 : 1) }

    /// The batch at `index`. Its quakes are not fetched yet.
    public subscript(index: Int) -> QuakeBatch {
        let first = index * batchSize
        let last = Swift.min(first + batchSize, identifiers.count)
        return QuakeBatch(identifiers: identifiers[first..<last], fetch: fetch)
    }
}
