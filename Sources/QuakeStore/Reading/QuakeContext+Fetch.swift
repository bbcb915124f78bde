public import FoundationEssentials

/// Every read sees one state, whatever others commit meanwhile. While a body or a predicate is called for each quake,
/// this context does not write: ``StoreError/contextState(_:)``. Fetch first what is to be changed.
extension QuakeContext {
    /// The quakes the descriptor asks for.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        try visiting(descriptor) { try $0.quakes() }
    }

    /// The quakes the descriptor asks for and `predicate` accepts: for conditions that a ``/QuakeModel/QuakeFilter``
    /// cannot say.
    ///
    /// The filter runs in the database and is much faster; the predicate sees what the filter accepts. Limit and offset
    /// count what both accept.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: @escaping (Quake) throws -> Bool
    ) throws -> [StoredQuake] {
        try visiting(descriptor, where: predicate) { try $0.quakes() }
    }

    /// The quakes the descriptor asks for and `predicate` accepts, as `FetchDescriptor(predicate:)` asks for them in
    /// SwiftData.
    ///
    /// Comparisons of stored numbers and moments with constants and ranges, joined by `&&`, narrow the query in the
    /// database; the predicate decides about what they select. Limit and offset count what it accepts.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>
    ) throws -> [StoredQuake] {
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) { try $0.quakes() }
    }

    /// How many quakes `fetch` returns with the same arguments.
    public func fetchCount(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>
    ) throws -> Int {
        var count = 0
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) {
            try $0.runKeys { _ in count += 1 }
        }
        return count
    }

    /// Calls `body` with every quake the descriptor asks for, holding one at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor) { try $0.run(body) }
    }

    /// Calls `body` with every quake the descriptor asks for and `predicate` accepts, holding one at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: @escaping (Quake) throws -> Bool,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor, where: predicate) { try $0.run(body) }
    }

    /// Calls `body` with every quake the descriptor asks for and `predicate` accepts, holding one at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) { try $0.run(body) }
    }

    /// How many quakes the filter accepts.
    public func fetchCount(_ filter: QuakeFilter = QuakeFilter()) throws -> Int {
        try snapshot { try database().count(source().count(sql(of: filter))) }
    }

    /// How many quakes ``fetch(_:)`` returns for the descriptor.
    public func fetchCount(_ descriptor: QuakeDescriptor) throws -> Int {
        let count = try inRead {
            try database().count(source(for: descriptor).count(sql(of: descriptor.filter)))
        }
        let left = max(0, count - max(0, descriptor.offset))
        return min(left, descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? left)
    }

    /// The local keys of the quakes the descriptor asks for.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [QuakeKey] {
        var keys: [QuakeKey] = []
        try visiting(descriptor) { try $0.runKeys { keys.append($0) } }
        return keys
    }

    /// Calls `body` with every row the descriptor asks for, reduced to `fields`, holding one row at a time. Rows hold
    /// what is saved, never what is pending.
    package func forEachRow(
        _ descriptor: QuakeDescriptor, fields: [QuakeProperty], _ body: (StoredRow) throws -> Void
    ) throws {
        let layout = RowLayout(fields)
        let columns = layout.columns.isEmpty ? "key" : layout.columns.joined(separator: ", ")
        try inRead {
            try forEach(query(descriptor, columns: columns)) { try body(StoredRow(statement: $0, layout: layout)) }
        }
    }

    /// The quake under a local key, with its saved values, unless it is deleted. The key of a quake that was merged
    /// into another one leads to that one, so that a selection survives. A temporary key leads to the pending quake
    /// that has it, and after the save to the saved one: see ``/QuakeModel/StoredQuake/isTemporary``.
    public func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        let saved = pending.savedKey(key)
        guard saved >= StoredQuake.firstTemporaryKey else {
            return try savedQuake(forKey: saved)
                ?? snapshot { try database().survivor(of: saved).flatMap { try savedQuake(forKey: $0) } }
        }
        return edits.hasChanges ? try inRead { try PendingView.current(in: self).quake(forKey: key) } : nil
    }

    /// The quake under a key of the cache, and no other one.
    package func savedQuake(forKey key: QuakeKey) throws -> StoredQuake? {
        try database().first(source().oneByKey, key) { StoredQuake(key: key, quake: $0.quake(from: 0)) }
    }

    /// The quakes under `keys`, without those that are gone.
    func quakes(forKeys keys: some Sequence<QuakeKey>, includingPending: Bool) throws -> [StoredQuake] {
        try inRead {
            guard includingPending, edits.hasChanges else {
                return try keys.compactMap { try savedQuake(forKey: pending.savedKey($0)) }
            }
            return try keys.compactMap(PendingView.current(in: self).quake(forKey:))
        }
    }

    /// The local key of the quake that has, or ever had, the id. Compared ignoring case.
    public func key(ofID id: String) throws -> QuakeKey? {
        let source = try source()
        let key = try database().quake(ofAlias: id)
        return try source.overlays.isEmpty ? key : pastKey(ofID: id, today: key)
    }

    /// Every id that leads to the quake under `key`, sorted.
    public func aliases(ofKey key: QuakeKey) throws -> [String] {
        let source = try source()
        let aliases = try database().aliases(ofKey: key)
        return try source.overlays.isEmpty ? aliases : pastAliases(ofKey: key, today: aliases)
    }

    /// The quake that has, or ever had, the id, unless it is deleted.
    public func quake(forID id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(forKey: $0) } }
    }
}

// MARK: Queries

extension QuakeContext {
    /// The query for `columns` of the quakes that the descriptor and `condition` accept, in the generation read.
    func query(_ descriptor: QuakeDescriptor, and condition: PredicateSQL? = nil, columns: String) throws -> QuakeQuery
    {
        var filter = try sql(of: descriptor.filter, limit: descriptor.rowsByTime)
        if let condition { filter.narrow(to: condition) }
        return QuakeQuery(descriptor, filter: filter, columns: columns, from: try source(for: descriptor))
    }

    /// The filter as SQL, for a reader by time of the first `limit` quakes. It goes by place where that is less work.
    func sql(of filter: QuakeFilter, limit: Int? = nil) throws -> FilterSQL {
        var sql = FilterSQL(filter, readsDoubts: !isPast)
        if let cells = PlaceCells(filter), try cells.arePreferable(for: filter, limit: limit, in: database()) {
            sql.narrow(to: cells)
        }
        return sql
    }
}

extension QuakeDescriptor {
    /// How many quakes end a reading by time; nil when all are read, as another order demands.
    fileprivate var rowsByTime: Int? {
        guard let limit, limit >= 0, case .time? = sort.first?.value else { return nil }
        return limit.addingReportingOverflow(max(0, offset)).overflow ? nil : limit + max(0, offset)
    }
}

// MARK: Batches

extension QuakeContext {
    /// The quakes the descriptor asks for, to be fetched `batchSize` at a time.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int) throws -> QuakeBatches {
        QuakeBatches(
            context: self, identifiers: try fetchIdentifiers(descriptor), batchSize: batchSize,
            includesPending: descriptor.includesPending)
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
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([QuakeKey]) throws -> Void
    ) throws {
        var batches = Batches<QuakeKey>(size: batchSize)
        try visiting(descriptor) { try $0.runKeys { try batches.add($0, body) } }
        try batches.finish(body)
    }
}

/// Collects elements and passes them on `size` at a time.
private struct Batches<Element> {
    let size: Int
    private var elements: [Element] = []

    init(size: Int) { self.size = max(1, size) }

    mutating func add(_ element: Element, _ body: ([Element]) throws -> Void) rethrows {
        elements.append(element)
        guard elements.count >= size else { return }
        // Emptied before the call: a batch whose body throws is not passed on again.
        let batch = elements
        elements.removeAll(keepingCapacity: true)
        try body(batch)
    }

    func finish(_ body: ([Element]) throws -> Void) rethrows {
        if !elements.isEmpty { try body(elements) }
    }
}

extension Database {
    fileprivate func count(_ query: QuakeQuery) throws -> Int {
        let statement = try prepare(query)
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// The key of the quake that an id leads to, deleted or not.
    func quake(ofAlias alias: String) throws -> QuakeKey? {
        try integer("SELECT quake FROM aliases WHERE alias = ?", alias).map(QuakeKey.init(_:))
    }

    /// The ids that lead to the quake under `key`, sorted.
    func aliases(ofKey key: QuakeKey) throws -> [String] {
        // The index only leads to the rows: it has the ids too, but no checksum that would show a flipped letter.
        try all(
            """
            SELECT a.alias FROM aliases i CROSS JOIN aliases a ON a.alias = i.alias WHERE i.quake = ? ORDER BY i.alias
            """, key
        ) { $0.text(0) }
    }

    /// The key of the quake that the one under `key` was merged into at last; nil if it was not merged.
    func survivor(of key: QuakeKey) throws -> QuakeKey? {
        var survivor: QuakeKey?
        // In a damaged cache the chain may be a ring.
        for _ in 0..<1000 {
            let row = try integer("SELECT merged_into FROM main.departed WHERE quake = ?", survivor ?? key)
            guard let next = row else { break }
            survivor = QuakeKey(next)
        }
        return survivor
    }
}
