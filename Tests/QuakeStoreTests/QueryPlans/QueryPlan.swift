import GRDB

@testable import QuakeStore

/// How SQLite means to answer one statement that the library ran.
struct QueryPlan: CustomStringConvertible {
    let sql: String
    /// The lines of EXPLAIN QUERY PLAN: `SEARCH quakes USING INTEGER PRIMARY KEY (rowid=?)`.
    let steps: [String]

    init(_ sql: String, steps: [String]) {
        self.sql = sql
        // Whether the schema stands before a table differs from version to version.
        self.steps = steps.map { $0.replacing("main.", with: "").replacing("temp.", with: "") }
    }

    var description: String { "\(sql)\n  \(steps.joined(separator: "\n  "))" }

    /// Whether a step is `text`, or begins with it.
    func has(_ text: String) -> Bool {
        steps.contains { $0 == text || $0.hasPrefix(text + " ") }
    }

    /// Whether rows are sorted because no index gives them in order.
    var sorts: Bool { steps.contains { $0.hasPrefix("USE TEMP B-TREE FOR") && $0.hasSuffix("ORDER BY") } }

    /// Whether all rows of a table may be read, with an index or without one.
    func walks(_ table: String) -> Bool { has("SCAN \(table)") }
}

extension QuakeContext {
    /// The plans of the statements that read or write rows and that `work` runs on this context's connection, each once,
    /// in the order of their first run.
    func plans(of work: () throws -> Void) throws -> [QueryPlan] {
        let record = StatementRecord()
        let connection = connection
        connection.queue.unsafeReentrantWrite { db in
            db.trace { event in
                if case .statement(let statement) = event { record.add(statement.sql) }
            }
        }
        defer { connection.queue.unsafeReentrantWrite { $0.trace(nil) } }
        try work()
        // Explained while the tables of a pinned generation are still there.
        return try connection.queue.unsafeReentrantWrite { db in
            db.trace(nil)
            return try record.statements.map { sql in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                // A plan does not depend on the values: the cache is never analyzed.
                statement.setUncheckedArguments([])
                return QueryPlan(sql, steps: try Row.fetchAll(statement).map { $0["detail"] })
            }
        }
    }
}

/// The statements that ran.
private final class StatementRecord {
    private(set) var statements: [String] = []

    func add(_ sql: String) {
        let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE"]
        guard verbs.contains(where: { sql.hasPrefix($0) }), !statements.contains(sql) else { return }
        statements.append(sql)
    }
}
