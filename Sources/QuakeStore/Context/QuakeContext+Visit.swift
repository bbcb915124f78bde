/// The reads on which the public methods are based: they read the state that the context sees, with or without an
/// additional overlay.
extension QuakeContext {
    /// Calls `body` with each quake that the descriptor requests, in order.
    package func visit(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, _ body: (StoredQuake) throws -> Void
    ) throws {
        try descriptor.requireInRange()
        var rows = descriptor
        var skipped = 0
        var left = Int.max
        let predicate = descriptor.predicate.map(PredicateSQL.init)
        if predicate != nil {
            // SQL tests only part of a predicate, so the offset and the limit are applied here.
            skipped = descriptor.offset
            left = descriptor.limit ?? .max
            rows.offset = 0
            rows.limit = nil
        }
        try inReadOnlySnapshot {
            let query = try query(rows, over: overlay, narrowedTo: predicate, columns: "key, " + QuakeColumns.list())
            let statement = try session.database().prepare(query)
            while left > 0, try statement.step() {
                let stored = StoredQuake(key: statement.key(0), quake: statement.quake(from: 1))
                guard try predicate?.accepts(stored.quake) ?? true else { continue }
                if skipped > 0 {
                    skipped -= 1
                } else {
                    left -= 1
                    try body(stored)
                }
            }
        }
    }

    /// Calls `body` with the key of each quake that the descriptor requests, in order.
    package func visitKeys(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, _ body: (QuakeKey) throws -> Void
    ) throws {
        guard descriptor.predicate == nil else { return try visit(descriptor, over: overlay) { try body($0.key) } }
        try inReadOnlySnapshot { try forEach(query(descriptor, over: overlay, columns: "key")) { try body($0.key(0)) } }
    }

    /// Returns the number of quakes that the descriptor requests.
    package func count(_ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil) throws -> Int {
        guard descriptor.predicate == nil else {
            var count = 0
            try visit(descriptor, over: overlay) { _ in count += 1 }
            return count
        }
        try descriptor.requireInRange()
        // The count needs no order, so SQLite can often use an index alone.
        let count = try inReadOnlySnapshot {
            let database = try session.database()
            let filter = try FilterSQL(descriptor.filter, in: database)
            return try database.count(source(over: overlay).select("key", where: filter))
        }
        let left = max(0, count - descriptor.offset)
        return min(left, descriptor.limit ?? left)
    }

    /// Returns the SQL query for `columns` of the quakes that the descriptor requests, limited to those that meet the
    /// conditions of `predicate`.
    func query(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, narrowedTo predicate: PredicateSQL? = nil,
        columns: String
    ) throws -> QuakeQuery {
        try descriptor.requireInRange()
        var filter = try FilterSQL(descriptor.filter, in: session.database())
        if let predicate { filter.narrow(to: predicate) }
        return QuakeQuery(descriptor, filter: filter, columns: columns, from: source(over: overlay))
    }

    /// Returns the tables that reads use, with `overlay` on top of them.
    func source(over overlay: QuakeOverlay?) -> QuakeSource {
        var source = session.source
        if let overlay { source.overlays.append(overlay) }
        return source
    }

    /// Calls `body` with each row. Uses a separate statement, so `body` may run the same query.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        try session.database().prepare(query.sql).forEach(query.values, body: body)
    }
}
