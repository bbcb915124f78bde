import FoundationEssentials

extension QuakeContext {
    /// Calls `body` with each quake that the descriptor requests and `accepts` accepts, in the order of the query.
    ///
    /// With `accepts`, the descriptor's offset and limit count only accepted quakes, so they are applied here rather
    /// than by SQL. `condition` holds for all accepted quakes.
    func visit(
        _ descriptor: QuakeDescriptor, where accepts: ((Quake) throws -> Bool)?, and condition: PredicateSQL? = nil,
        _ body: (StoredQuake) throws -> Void
    ) throws {
        try inRead {
            var (rows, skipped, left) = (descriptor, 0, Int.max)
            if accepts != nil {
                skipped = max(0, descriptor.offset)
                left = descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
                (rows.offset, rows.limit) = (0, nil)
            }
            let query = try query(rows, and: condition, columns: "key, " + QuakeColumns.list())
            let statement = try database().prepare(query)
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
    func visitKeys(
        _ descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?, _ body: (QuakeKey) throws -> Void
    ) throws {
        guard predicate == nil else { return try enumerate(descriptor, where: predicate) { try body($0.key) } }
        try inRead { try forEach(query(descriptor, columns: "key")) { try body($0.key(0)) } }
    }

    /// Runs `body` in one snapshot. Rejects this context's writes meanwhile, because open statements would see them.
    func inRead<Result>(_ body: () throws -> Result) throws -> Result {
        try snapshot {
            visits += 1
            defer { visits -= 1 }
            return try body()
        }
    }

    /// Calls `body` with each row. The statement is not shared, so `body` may run the same query.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        try database().prepare(query.sql).forEach(query.values, body: body)
    }
}
