/// The quakes that a descriptor requests, in batches. Their order is fixed when the collection is created.
///
/// Only the local keys stay in memory, eight bytes per quake. The values are fetched with each batch, including pending
/// values if the descriptor requests them.
public struct QuakeBatches: RandomAccessCollection {
    /// The local keys of all quakes, in order.
    public let identifiers: [QuakeKey]
    /// The maximum number of quakes in a batch.
    public let batchSize: Int
    private let context: QuakeContext
    private let includesPending: Bool

    init(context: QuakeContext, identifiers: [QuakeKey], batchSize: Int, includesPending: Bool) {
        (self.context, self.includesPending, self.identifiers) = (context, includesPending, identifiers)
        self.batchSize = Swift.max(1, batchSize)
    }

    public var startIndex: Int { 0 }
    /// The number of batches.
    public var endIndex: Int { identifiers.count / batchSize + (identifiers.count % batchSize == 0 ? 0 : 1) }

    /// The batch at `index`. Its quakes are not fetched yet.
    public subscript(index: Int) -> QuakeBatch {
        let first = index * batchSize
        return QuakeBatch(
            context: context, identifiers: identifiers[first..<Swift.min(first + batchSize, identifiers.count)],
            includesPending: includesPending)
    }
}

/// A batch of quakes from a ``QuakeBatches`` collection.
public struct QuakeBatch {
    fileprivate let context: QuakeContext
    /// The local keys of the batch's quakes, in order.
    public let identifiers: ArraySlice<QuakeKey>
    fileprivate let includesPending: Bool

    /// Fetches the quakes with their current values or, in a pinned context, with those of the pinned generation. Omits
    /// quakes deleted in the meantime.
    public func quakes() throws -> [StoredQuake] {
        try context.quakes(forKeys: identifiers, includingPending: includesPending)
    }
}
