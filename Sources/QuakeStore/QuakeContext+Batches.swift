public import QuakeModel

/// The quakes of a descriptor as they were ordered when it was asked, fetched a batch at a time.
///
/// Only the local keys are held, eight bytes a quake. Values are those of the moment a batch is fetched, in a pinned
/// context those of its generation; a quake deleted meanwhile is left out.
public struct QuakeBatches {
    /// The local keys, in order.
    public let identifiers: [Int64]
    /// How many are held at a time.
    public let batchSize: Int
    private let context: QuakeContext

    fileprivate init(context: QuakeContext, identifiers: [Int64], batchSize: Int) {
        self.context = context
        self.identifiers = identifiers
        self.batchSize = max(1, batchSize)
    }

    /// How many batches there are.
    public var count: Int { (identifiers.count + batchSize - 1) / batchSize }

    /// The quakes of the batch at `index`, counted from zero.
    public func batch(at index: Int) throws -> [StoredQuake] {
        let keys = identifiers.dropFirst(index * batchSize).prefix(batchSize)
        return try context.snapshot { try keys.compactMap { try context.quake(forKey: $0) } }
    }
}

extension QuakeContext {
    /// The quakes the descriptor asks for, to be fetched `batchSize` at a time.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int) throws -> QuakeBatches {
        QuakeBatches(context: self, identifiers: try fetchIdentifiers(descriptor), batchSize: batchSize)
    }

    /// Calls `body` with the quakes the descriptor asks for, `batchSize` at a time, without holding more.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([StoredQuake]) throws -> Void
    ) throws {
        var batch: [StoredQuake] = []
        try enumerate(descriptor) { quake in
            batch.append(quake)
            guard batch.count >= max(1, batchSize) else { return }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
    }

    /// Calls `body` with the local keys of the quakes the descriptor asks for, `batchSize` at a time.
    public func enumerateIdentifiers(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([Int64]) throws -> Void
    ) throws {
        var batch: [Int64] = []
        try forEachIdentifier(descriptor) { key in
            batch.append(key)
            guard batch.count >= max(1, batchSize) else { return }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
    }
}

extension QuakeContext: CustomDebugStringConvertible {
    /// The store, the author and what is not saved yet, in one line.
    public var debugDescription: String {
        let state =
            switch pin {
            case .none: "unpinned"
            case .waiting(nil): "pinned at the next read"
            case .waiting(let token?): "pinned to \(token) at the next read"
            case .held(let generation): "pinned to \(generation.token)"
            }
        return "QuakeContext(\(store.path), author \(author), \(state), \(pending.changes.count) pending)"
    }
}
