/// The quakes of a descriptor in the order of the moment it was asked, as a collection of batches.
///
/// Only the local keys are held, eight bytes a quake. The values are fetched when a batch is asked for them: those that
/// are pending too, where the descriptor asked for them.
public struct QuakeBatches: RandomAccessCollection {
    /// The local keys, in order.
    public let identifiers: [QuakeKey]
    /// How many quakes a batch holds at most.
    public let batchSize: Int
    private let context: QuakeContext
    private let includesPending: Bool

    init(context: QuakeContext, identifiers: [QuakeKey], batchSize: Int, includesPending: Bool) {
        (self.context, self.includesPending, self.identifiers) = (context, includesPending, identifiers)
        self.batchSize = Swift.max(1, batchSize)
    }

    public var startIndex: Int { 0 }
    /// How many batches there are.
    public var endIndex: Int { identifiers.count / batchSize + (identifiers.count % batchSize == 0 ? 0 : 1) }

    /// The batch at `index`, whose quakes are not fetched yet.
    public subscript(index: Int) -> QuakeBatch {
        let first = index * batchSize
        return QuakeBatch(
            context: context, identifiers: identifiers[first..<Swift.min(first + batchSize, identifiers.count)],
            includesPending: includesPending)
    }
}

/// Some quakes of a ``QuakeBatches``.
public struct QuakeBatch {
    private let context: QuakeContext
    private let includesPending: Bool
    /// The local keys, in order.
    public let identifiers: ArraySlice<QuakeKey>

    fileprivate init(context: QuakeContext, identifiers: ArraySlice<QuakeKey>, includesPending: Bool) {
        (self.context, self.includesPending, self.identifiers) = (context, includesPending, identifiers)
    }

    /// Fetches the quakes with the values they have now, in a pinned context those of its generation. A quake deleted
    /// meanwhile is left out.
    public func quakes() throws -> [StoredQuake] {
        try context.quakes(forKeys: identifiers, includingPending: includesPending)
    }
}
