public import FoundationEssentials

/// Every read sees a single state, whatever others commit meanwhile. While a body or predicate is being called for each
/// quake, writes of this context throw ``StoreError/contextState(_:)``, so fetch quakes before changing them.
extension QuakeContext {
    /// Returns the quakes that the descriptor requests and `predicate` accepts. Limit and offset apply after the
    /// predicate.
    ///
    /// The database evaluates comparisons of stored numbers and times with constants and ranges, joined by `&&`, even
    /// if optional values are unwrapped with `??` or `!`. They take about twice as long as the same condition in a
    /// filter. Any other condition, such as one on text or with `||` or `!=`, is tested on every quake that the filter
    /// accepts. To find one day among 100,000 quakes, this takes more than 100 times as long.
    ///
    /// - Throws: ``StoreError/missing(_:id:)`` if the predicate force-unwraps a property that a quake lacks.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil
    ) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try enumerate(descriptor, where: predicate) { quakes.append($0) }
        return quakes
    }

    /// Returns the quakes that the descriptor requests and `condition` accepts. The condition is tested on every quake
    /// that the filter accepts. Limit and offset apply after the condition.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where condition: @escaping (Quake) throws -> Bool
    ) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try visit(descriptor, where: condition) { quakes.append($0) }
        return quakes
    }

    /// Calls `body` with each quake that the descriptor requests and `predicate` accepts. Only one is in memory at a
    /// time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        let condition = predicate.map(PredicateSQL.init)
        try visit(descriptor, where: condition?.accepts, and: condition, body)
    }

    /// Returns the number of quakes that the filter accepts.
    public func fetchCount(_ filter: QuakeFilter) throws -> Int { try fetchCount(QuakeDescriptor(filter: filter)) }

    /// Returns the number of quakes that the descriptor requests and `predicate` accepts.
    public func fetchCount(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil
    ) throws -> Int {
        guard predicate == nil else {
            var count = 0
            try visitKeys(descriptor, where: predicate) { _ in count += 1 }
            return count
        }
        // Without an order, an index alone serves the count.
        let count = try inRead {
            try database().count(source(for: descriptor).select("key", where: sql(of: descriptor.filter)))
        }
        let left = max(0, count - max(0, descriptor.offset))
        return min(left, descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? left)
    }

    /// Returns the local keys of the quakes that the descriptor requests and `predicate` accepts, in order.
    public func fetchIdentifiers(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil
    ) throws -> [QuakeKey] {
        var keys: [QuakeKey] = []
        try visitKeys(descriptor, where: predicate) { keys.append($0) }
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

    /// Returns the saved quake with this local key; nil if it was deleted. The key of a merged quake leads to the
    /// surviving quake. A temporary key leads to the pending quake and, after a save, to the saved quake: see
    /// ``/QuakeModel/StoredQuake/isTemporary``.
    public func quake(forKey key: QuakeKey) throws -> StoredQuake? {
        let saved = pending.savedKey(key)
        guard saved >= StoredQuake.firstTemporaryKey else {
            return try savedQuake(forKey: saved)
                ?? snapshot {
                    let merge = try source().overlays.isEmpty ? Database.merge : PastOverlay.merge
                    return try database().survivor(of: saved, merge).flatMap { try savedQuake(forKey: $0) }
                }
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

    /// Returns the local key of the quake that has or ever had this id, ignoring case; nil if there is none. In a past
    /// generation, an id that was assigned later finds the quake too.
    public func key(ofID id: String) throws -> QuakeKey? {
        let source = try source()
        let key = try database().quake(ofAlias: id)
        return try source.overlays.isEmpty ? key : pastKey(ofID: id, today: key)
    }

    /// Returns every id that leads to the quake with this local key, sorted.
    public func aliases(ofKey key: QuakeKey) throws -> [String] {
        let source = try source()
        let aliases = try database().aliases(ofKey: key)
        return try source.overlays.isEmpty ? aliases : pastAliases(ofKey: key, today: aliases)
    }

    /// Returns the quake that has or ever had this id; nil if there is none or it was deleted.
    public func quake(forID id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(forKey: $0) } }
    }

    // MARK: Queries

    /// Returns the query for `columns` of the quakes that the descriptor and `condition` accept, as reads see them.
    func query(_ descriptor: QuakeDescriptor, and condition: PredicateSQL? = nil, columns: String) throws -> QuakeQuery
    {
        var filter = try sql(of: descriptor.filter)
        if let condition { filter.narrow(to: condition) }
        return QuakeQuery(descriptor, filter: filter, columns: columns, from: try source(for: descriptor))
    }

    /// Returns the filter as SQL, for a read by place if few quakes are in the filter's area.
    func sql(of filter: QuakeFilter) throws -> FilterSQL {
        var sql = FilterSQL(filter)
        if let cells = PlaceCells(filter), try cells.containFewQuakes(in: database()) { sql.narrow(to: cells) }
        return sql
    }

    // MARK: Batches

    /// Returns the quakes that the descriptor requests and `predicate` accepts, in batches of `batchSize`.
    public func fetch(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil, batchSize: Int
    ) throws -> QuakeBatches {
        QuakeBatches(
            context: self, identifiers: try fetchIdentifiers(descriptor, where: predicate), batchSize: batchSize,
            includesPending: descriptor.includesPending)
    }

    /// Calls `body` with the quakes that the descriptor requests and `predicate` accepts, in batches of `batchSize`.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil, batchSize: Int,
        _ body: ([StoredQuake]) throws -> Void
    ) throws {
        var batch: [StoredQuake] = []
        try enumerate(descriptor, where: predicate) { stored in
            batch.append(stored)
            guard batch.count >= batchSize else { return }
            // Empty the list before the call, so that a batch is not passed on again if `body` throws.
            let full = batch
            batch.removeAll(keepingCapacity: true)
            try body(full)
        }
        if !batch.isEmpty { try body(batch) }
    }
}

extension Database {
    /// Returns the number of rows of `query`.
    func count(_ query: QuakeQuery) throws -> Int {
        try prepare("SELECT count(*) FROM (\(query.sql))").first(query.values) { Int($0.integer(0)) } ?? 0
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

    /// A query for the key of the quake into which the quake under `?1` was merged.
    static let merge = "SELECT merged_into FROM main.departed WHERE quake = ?1"

    /// Returns the key of the quake that now contains the quake under `key`, after one or more merges; nil if it was
    /// not merged. `merge` is the query for a single merge.
    func survivor(of key: QuakeKey, _ merge: String = merge) throws -> QuakeKey? {
        var survivor: QuakeKey?
        // In a damaged cache the chain of merges may be circular.
        for _ in 0..<1000 {
            guard let next = try integer(merge, survivor ?? key) else { break }
            survivor = QuakeKey(next)
        }
        return survivor
    }
}
