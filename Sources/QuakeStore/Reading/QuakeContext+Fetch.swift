public import FoundationEssentials

/// Every read sees a single state, whatever others commit meanwhile. While a body or predicate is being called for each
/// quake, writes of this context throw ``StoreError/contextState(_:)``, so fetch quakes before changing them.
extension QuakeContext {
    /// Returns the quakes that the descriptor requests.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        try visiting(descriptor) { try $0.quakes() }
    }

    /// Returns the quakes that the descriptor requests and `predicate` accepts, for conditions that a
    /// ``/QuakeModel/QuakeFilter`` cannot express.
    ///
    /// The filter runs in the database and is much faster; the predicate only sees quakes that the filter accepts.
    /// Limit and offset count the quakes that both accept.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: @escaping (Quake) throws -> Bool
    ) throws -> [StoredQuake] {
        try visiting(descriptor, where: predicate) { try $0.quakes() }
    }

    /// Returns the quakes that the descriptor requests and `predicate` accepts, like SwiftData's `FetchDescriptor`.
    ///
    /// Comparisons of stored numbers and moments with constants and ranges, joined by `&&`, narrow the query in the
    /// database; the predicate then tests the selected quakes. Limit and offset count the quakes that it accepts.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>
    ) throws -> [StoredQuake] {
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) { try $0.quakes() }
    }

    /// Returns the number of quakes that `fetch` returns for the same arguments.
    public func fetchCount(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>
    ) throws -> Int {
        var count = 0
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) {
            try $0.runKeys { _ in count += 1 }
        }
        return count
    }

    /// Calls `body` with every quake that the descriptor requests, keeping one at a time in memory.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor) { try $0.run(body) }
    }

    /// Calls `body` with every quake that the descriptor requests and `predicate` accepts, one at a time in memory.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: @escaping (Quake) throws -> Bool,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor, where: predicate) { try $0.run(body) }
    }

    /// Calls `body` with every quake that the descriptor requests and `predicate` accepts, one at a time in memory.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try visiting(descriptor, where: predicate.evaluate, PredicateSQL(predicate)) { try $0.run(body) }
    }

    /// Returns the number of quakes the filter accepts.
    public func fetchCount(_ filter: QuakeFilter = QuakeFilter()) throws -> Int {
        try snapshot { try database().count(source().count(sql(of: filter))) }
    }

    /// Returns the number of quakes that ``fetch(_:)`` returns for the descriptor.
    public func fetchCount(_ descriptor: QuakeDescriptor) throws -> Int {
        let count = try inRead {
            try database().count(source(for: descriptor).count(sql(of: descriptor.filter)))
        }
        let left = max(0, count - max(0, descriptor.offset))
        return min(left, descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? left)
    }

    /// Returns the local keys of the quakes that the descriptor requests.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [QuakeKey] {
        var keys: [QuakeKey] = []
        try visiting(descriptor) { try $0.runKeys { keys.append($0) } }
        return keys
    }

    /// Calls `body` with every row that the descriptor requests, reduced to `fields`, keeping one row at a time in
    /// memory. Rows contain saved values, never pending ones.
    package func forEachRow(
        _ descriptor: QuakeDescriptor, fields: [QuakeProperty], _ body: (StoredRow) throws -> Void
    ) throws {
        let layout = RowLayout(fields)
        let columns = layout.columns.isEmpty ? "key" : layout.columns.joined(separator: ", ")
        try inRead {
            try forEach(query(descriptor, columns: columns)) { try body(StoredRow(statement: $0, layout: layout)) }
        }
    }

    /// Returns the quake under a local key with its saved values, unless it is deleted. The key of a merged quake leads
    /// to the surviving quake, so that a selection remains valid. A temporary key leads to the pending quake and, after
    /// the save, to the saved one: see ``/QuakeModel/StoredQuake/isTemporary``.
    public func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        let saved = pending.savedKey(key)
        guard saved >= StoredQuake.firstTemporaryKey else {
            return try savedQuake(forKey: saved)
                ?? snapshot { try database().survivor(of: saved).flatMap { try savedQuake(forKey: $0) } }
        }
        return edits.hasChanges ? try inRead { try PendingView.current(in: self).quake(forKey: key) } : nil
    }

    /// Returns the quake with exactly this key, without following merges.
    package func savedQuake(forKey key: QuakeKey) throws -> StoredQuake? {
        try database().first(source().oneByKey, key) { StoredQuake(key: key, quake: $0.quake(from: 0)) }
    }

    /// Returns the quakes under `keys`, leaving out deleted ones.
    func quakes(forKeys keys: some Sequence<QuakeKey>, includingPending: Bool) throws -> [StoredQuake] {
        try inRead {
            guard includingPending, edits.hasChanges else {
                return try keys.compactMap { try savedQuake(forKey: pending.savedKey($0)) }
            }
            return try keys.compactMap(PendingView.current(in: self).quake(forKey:))
        }
    }

    /// Returns the local key of the quake that has, or ever had, the id; case is ignored.
    public func key(ofID id: String) throws -> QuakeKey? {
        let source = try source()
        let key = try database().quake(ofAlias: id)
        return try source.overlays.isEmpty ? key : pastKey(ofID: id, today: key)
    }

    /// Returns every id that leads to the quake under `key`, sorted.
    public func aliases(ofKey key: QuakeKey) throws -> [String] {
        let source = try source()
        let aliases = try database().aliases(ofKey: key)
        return try source.overlays.isEmpty ? aliases : pastAliases(ofKey: key, today: aliases)
    }

    /// Returns the quake that has, or ever had, the id, unless it is deleted.
    public func quake(forID id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(forKey: $0) } }
    }
}

// MARK: Queries

extension QuakeContext {
    /// Returns the query for `columns` of the quakes that the descriptor and `condition` accept, as reads see them.
    func query(_ descriptor: QuakeDescriptor, and condition: PredicateSQL? = nil, columns: String) throws -> QuakeQuery
    {
        var filter = try sql(of: descriptor.filter, limit: descriptor.rowsByTime)
        if let condition { filter.narrow(to: condition) }
        return QuakeQuery(descriptor, filter: filter, columns: columns, from: try source(for: descriptor))
    }

    /// Returns the filter as SQL for a read of the first `limit` quakes by time, or by place if that is less work.
    func sql(of filter: QuakeFilter, limit: Int? = nil) throws -> FilterSQL {
        var sql = FilterSQL(filter, readsDoubts: !isPast)
        if let cells = PlaceCells(filter), try cells.arePreferable(for: filter, limit: limit, in: database()) {
            sql.narrow(to: cells)
        }
        return sql
    }
}

extension QuakeDescriptor {
    /// The number of quakes after which a read by time ends; nil if all are read, as any other order requires.
    fileprivate var rowsByTime: Int? {
        guard let limit, limit >= 0, case .time? = sort.first?.value else { return nil }
        return limit.addingReportingOverflow(max(0, offset)).overflow ? nil : limit + max(0, offset)
    }
}

// MARK: Batches

extension QuakeContext {
    /// Returns the quakes that the descriptor requests, to be fetched `batchSize` at a time.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int) throws -> QuakeBatches {
        QuakeBatches(
            context: self, identifiers: try fetchIdentifiers(descriptor), batchSize: batchSize,
            includesPending: descriptor.includesPending)
    }

    /// Calls `body` with the quakes that the descriptor requests, `batchSize` at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([StoredQuake]) throws -> Void
    ) throws {
        var batches = Batches<StoredQuake>(size: batchSize)
        try enumerate(descriptor) { try batches.add($0, body) }
        try batches.finish(body)
    }

    /// Calls `body` with the local keys of the quakes that the descriptor requests, `batchSize` at a time.
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
        // Empty the list before the call, so that a batch is not passed on again if `body` throws.
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

    /// Returns the key of the quake that an id leads to, even if it is deleted.
    func quake(ofAlias alias: String) throws -> QuakeKey? {
        try integer("SELECT quake FROM aliases WHERE alias = ?", alias).map(QuakeKey.init(_:))
    }

    /// Returns the ids that lead to the quake under `key`, sorted.
    func aliases(ofKey key: QuakeKey) throws -> [String] {
        // The index only locates the rows: it contains the ids but no checksum that would reveal a corrupted letter.
        try all(
            """
            SELECT a.alias FROM aliases i CROSS JOIN aliases a ON a.alias = i.alias WHERE i.quake = ? ORDER BY i.alias
            """, key
        ) { $0.text(0) }
    }

    /// Returns the key of the quake into which the one under `key` was finally merged; nil if it was not merged.
    func survivor(of key: QuakeKey) throws -> QuakeKey? {
        var survivor: QuakeKey?
        // In a damaged cache the chain of merges may be circular.
        for _ in 0..<1000 {
            let row = try integer("SELECT merged_into FROM main.departed WHERE quake = ?", survivor ?? key)
            guard let next = row else { break }
            survivor = QuakeKey(next)
        }
        return survivor
    }
}
