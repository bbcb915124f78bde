package import FoundationEssentials

/// Reads of a context's quakes, or of the quakes with an overlay on top of them.
extension QuakeContext {
    /// Calls `body` with each quake that the descriptor requests and `predicate` accepts, in the order of the query.
    package func visit(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, where predicate: Predicate<Quake>?,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        let condition = predicate.map(PredicateSQL.init)
        try visit(descriptor, over: overlay, where: condition?.accepts, and: condition, body)
    }

    /// Calls `body` with each quake that the descriptor requests and `condition` accepts, in the order of the query.
    package func visit(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, where condition: (Quake) throws -> Bool,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try withoutActuallyEscaping(condition) {
            try visit(descriptor, over: overlay, where: $0, and: nil, body)
        }
    }

    /// Calls `body` with each quake that the descriptor requests and `accepts` accepts.
    ///
    /// With `accepts`, the descriptor's offset and limit count only accepted quakes, so they are applied here rather
    /// than by SQL. `condition` holds for all accepted quakes.
    private func visit(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay?, where accepts: ((Quake) throws -> Bool)?,
        and condition: PredicateSQL?, _ body: (StoredQuake) throws -> Void
    ) throws {
        try inRead {
            var rows = descriptor
            var skipped = 0
            var left = Int.max
            if accepts != nil {
                skipped = max(0, descriptor.offset)
                left = descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
                rows.offset = 0
                rows.limit = nil
            }
            let query = try query(rows, over: overlay, and: condition, columns: "key, " + QuakeColumns.list())
            let statement = try session.database().prepare(query)
            while left > 0, try statement.step() {
                let stored = StoredQuake(key: statement.key(0), quake: statement.quake(from: 1))
                guard try accepts?(stored.quake) ?? true else { continue }
                if skipped > 0 {
                    skipped -= 1
                } else {
                    left -= 1
                    try body(stored)
                }
            }
        }
    }

    /// Calls `body` with the key of each quake that the descriptor requests and `predicate` accepts.
    package func visitKeys(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, where predicate: Predicate<Quake>?,
        _ body: (QuakeKey) throws -> Void
    ) throws {
        guard predicate == nil else {
            return try visit(descriptor, over: overlay, where: predicate) { try body($0.key) }
        }
        try inRead { try forEach(query(descriptor, over: overlay, columns: "key")) { try body($0.key(0)) } }
    }

    /// Returns the number of quakes that the descriptor requests and `predicate` accepts.
    package func count(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, where predicate: Predicate<Quake>?
    ) throws -> Int {
        guard predicate == nil else {
            var count = 0
            try visitKeys(descriptor, over: overlay, where: predicate) { _ in count += 1 }
            return count
        }
        // Without an order, an index alone serves the count.
        let count = try inRead {
            let database = try session.database()
            let filter = try FilterSQL(descriptor.filter, in: database)
            return try database.count(source(over: overlay).select("key", where: filter))
        }
        let left = max(0, count - max(0, descriptor.offset))
        return min(left, descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? left)
    }

    /// Returns the query for `columns` of the quakes that the descriptor and `condition` accept, as reads see them.
    func query(
        _ descriptor: QuakeDescriptor, over overlay: QuakeOverlay? = nil, and condition: PredicateSQL? = nil,
        columns: String
    ) throws -> QuakeQuery {
        var filter = try FilterSQL(descriptor.filter, in: session.database())
        if let condition { filter.narrow(to: condition) }
        return QuakeQuery(descriptor, filter: filter, columns: columns, from: source(over: overlay))
    }

    /// Returns the tables that reads use, with `overlay` on top of them.
    func source(over overlay: QuakeOverlay?) -> QuakeSource {
        var source = session.source
        if let overlay { source.overlays.append(overlay) }
        return source
    }

    /// Calls `body` with each row. The statement is not shared, so `body` may run the same query.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        try session.database().prepare(query.sql).forEach(query.values, body: body)
    }
}
