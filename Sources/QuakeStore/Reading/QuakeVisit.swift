import FoundationEssentials

/// One pass over the quakes that a descriptor requests, inside the caller's snapshot.
///
/// Quakes arrive in the order of the query. With a predicate, the descriptor's offset and limit count only the quakes
/// that the predicate accepts, so they are applied here rather than by SQL.
struct QuakeVisit {
    let descriptor: QuakeDescriptor
    let context: QuakeContext
    let predicate: ((Quake) throws -> Bool)?
    let condition: PredicateSQL?

    func quakes() throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try run { quakes.append($0) }
        return quakes
    }

    func run(_ body: (StoredQuake) throws -> Void) throws {
        var (rows, skipped, left) = (descriptor, 0, Int.max)
        if predicate != nil {
            skipped = max(0, descriptor.offset)
            left = descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
            (rows.offset, rows.limit) = (0, nil)
        }
        let query = try context.query(rows, and: condition, columns: "key, " + QuakeColumns.list())
        let statement = try context.database().prepare(query)
        while left > 0, try statement.step() {
            let stored = StoredQuake(key: statement.key(0), quake: statement.quake(from: 1))
            guard try predicate?(stored.quake) ?? true else { continue }
            if skipped > 0 {
                skipped -= 1
            } else {
                left -= 1
                try body(stored)
            }
        }
    }

    func runKeys(_ body: (QuakeKey) throws -> Void) throws {
        guard predicate == nil else { return try run { try body($0.key) } }
        try context.forEach(context.query(descriptor, and: condition, columns: "key")) { try body($0.key(0)) }
    }
}

extension QuakeContext {
    /// Runs `body` with a pass over the quakes that the descriptor requests.
    func visiting<Result>(
        _ descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?, _ body: (QuakeVisit) throws -> Result
    ) throws -> Result {
        let condition = predicate.map(PredicateSQL.init)
        return try visiting(descriptor, where: condition?.accepts, condition, body)
    }

    /// Runs `body` with a pass over the quakes that the descriptor requests and `predicate` accepts.
    func visiting<Result>(
        _ descriptor: QuakeDescriptor, where predicate: ((Quake) throws -> Bool)?, _ condition: PredicateSQL? = nil,
        _ body: (QuakeVisit) throws -> Result
    ) throws -> Result {
        try inRead {
            try body(QuakeVisit(descriptor: descriptor, context: self, predicate: predicate, condition: condition))
        }
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
