public import QuakeModel

extension QuakeContext {
    /// Calls `body` with every row the descriptor asks for, reduced to `fields`, holding one row at a time.
    public func forEachRow(
        _ descriptor: QuakeDescriptor, fields: [QuakeProperty], _ body: (StoredRow) throws -> Void
    ) throws {
        let layout = RowLayout(fields)
        let columns = layout.columns.isEmpty ? "key" : layout.columns.joined(separator: ", ")
        try forEach(QuakeQuery(descriptor, columns: columns, from: source())) {
            try body(StoredRow(statement: $0, layout: layout))
        }
    }

    /// The quakes the descriptor asks for.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try enumerate(descriptor) { quakes.append($0) }
        return quakes
    }

    /// Calls `body` with every quake the descriptor asks for, holding one at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try forEach(QuakeQuery(descriptor, columns: "key, " + QuakeColumns.list(), from: source())) { row in
            try body(StoredQuake(key: row.integer(0), quake: row.quake(from: 1)))
        }
    }

    /// How many quakes the filter accepts.
    public func fetchCount(_ filter: QuakeFilter = QuakeFilter()) throws -> Int {
        var count = 0
        try forEach(source().count(FilterSQL(filter))) { count = Int($0.integer(0)) }
        return count
    }

    /// The local keys of the quakes the descriptor asks for.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [Int64] {
        var keys: [Int64] = []
        try forEachIdentifier(descriptor) { keys.append($0) }
        return keys
    }

    private func forEachIdentifier(_ descriptor: QuakeDescriptor, _ body: (Int64) throws -> Void) throws {
        try forEach(QuakeQuery(descriptor, columns: "key", from: source())) { try body($0.integer(0)) }
    }

    /// The quake under a local key, unless it is deleted.
    public func quake(forKey key: Int64) throws -> StoredQuake? {
        try database().first(source().oneByKey, key) { StoredQuake(key: key, quake: $0.quake(from: 0)) }
    }

    /// The local key of the quake that has, or ever had, the id. Compared without regard to case.
    public func key(ofID id: String) throws -> Int64? {
        let source = try source()
        let key = try database().integer("SELECT quake FROM aliases WHERE alias = ?", id)
        return try source == .past ? pastKey(ofID: id, today: key) : key
    }

    /// Every id that leads to the quake under `key`, sorted.
    public func aliases(ofKey key: Int64) throws -> [String] {
        let source = try source()
        let aliases = try database().all("SELECT alias FROM aliases WHERE quake = ? ORDER BY alias", key) { $0.text(0) }
        return try source == .past ? pastAliases(ofKey: key, today: aliases) : aliases
    }

    /// The quake that has, or ever had, the id, unless it is deleted.
    public func quake(forID id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(forKey: $0) } }
    }

    /// Calls `body` with each row. The statement is not shared: `body` may ask the same question again.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        let statement = try database().prepare(query.sql)
        try statement.bind(query.values)
        while try statement.step() { try body(statement) }
    }
}

// MARK: Batches

/// The quakes of a descriptor in the order of the moment it was asked, fetched a batch at a time.
///
/// Only the local keys are held, eight bytes a quake. Values are those of the moment a batch is fetched, in a pinned
/// context those of its generation; a quake deleted meanwhile is left out.
public struct QuakeBatches {
    /// The local keys, in order.
    public let identifiers: [Int64]
    /// How many quakes a batch holds at most.
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

    /// Calls `body` with the quakes the descriptor asks for, `batchSize` at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([StoredQuake]) throws -> Void
    ) throws {
        var batches = Batches<StoredQuake>(size: batchSize)
        try enumerate(descriptor) { try batches.add($0, body) }
        try batches.finish(body)
    }

    /// Calls `body` with the local keys of the quakes the descriptor asks for, `batchSize` at a time.
    public func enumerateIdentifiers(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([Int64]) throws -> Void
    ) throws {
        var batches = Batches<Int64>(size: batchSize)
        try forEachIdentifier(descriptor) { try batches.add($0, body) }
        try batches.finish(body)
    }
}

/// Collects elements and passes them on `size` at a time.
private struct Batches<Element> {
    let size: Int
    private var elements: [Element] = []

    init(size: Int) {
        self.size = max(1, size)
    }

    mutating func add(_ element: Element, _ body: ([Element]) throws -> Void) rethrows {
        elements.append(element)
        guard elements.count >= size else { return }
        try body(elements)
        elements.removeAll(keepingCapacity: true)
    }

    func finish(_ body: ([Element]) throws -> Void) rethrows {
        if !elements.isEmpty { try body(elements) }
    }
}
