import CQuakesSQLite

@testable import QuakeStore

/// SQLite's plan for one statement that the library ran.
struct QueryPlan: CustomStringConvertible {
    let sql: String
    /// The lines of EXPLAIN QUERY PLAN, such as `SEARCH quakes USING INTEGER PRIMARY KEY (rowid=?)`.
    let steps: [String]

    init(_ sql: String, steps: [String]) {
        self.sql = sql
        // Whether the schema precedes a table varies between versions.
        self.steps = steps.map { $0.replacing("main.", with: "").replacing("temp.", with: "") }
    }

    var description: String { "\(sql)\n  \(steps.joined(separator: "\n  "))" }

    /// Whether a step is `text` or begins with it.
    func has(_ text: String) -> Bool { steps.contains { $0 == text || $0.hasPrefix(text + " ") } }

    /// Whether rows are sorted because no index yields them in order.
    var sorts: Bool { steps.contains { $0.hasPrefix("USE TEMP B-TREE FOR") && $0.hasSuffix("ORDER BY") } }

    /// Whether all rows of a table may be read, with or without an index.
    func walks(_ table: String) -> Bool { has("SCAN \(table)") }
}

extension QuakeContext {
    /// Returns the plans of the statements by which `work` reads or writes rows on the connection that this context
    /// reads from, without duplicates, in the order of their first run.
    func plans(of work: () throws -> Void) throws -> [QueryPlan] {
        let connection = try session.database()
        let record = StatementRecord()
        // The record outlives the trace, which ends before this function returns.
        sqlite3_trace_v2(
            connection.handle, UInt32(SQLITE_TRACE_STMT),
            { _, record, _, sql in
                guard let record, let sql else { return 0 }
                Unmanaged<StatementRecord>.fromOpaque(record).takeUnretainedValue()
                    .add(String(cString: sql.assumingMemoryBound(to: CChar.self)))
                return 0
            }, Unmanaged.passUnretained(record).toOpaque())
        defer { sqlite3_trace_v2(connection.handle, 0, nil, nil) }
        try withExtendedLifetime(record, work)
        sqlite3_trace_v2(connection.handle, 0, nil, nil)
        // Explained while the tables of a pinned generation still exist. Plans do not depend on the values, because the
        // cache is never analyzed.
        return try record.statements.map { sql in
            QueryPlan(sql, steps: try connection.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) })
        }
    }
}

extension QuakeContext {
    /// Returns the plans of the statements that build the past state at `place`.
    func plans(ofPastAt place: HistoryPosition) throws -> [QueryPlan] {
        try plans {
            try snapshot {
                try PastOverlay.build(for: place, from: history.changes(after: place), in: session.database())
            }
        }
    }
}

private final class StatementRecord {
    private(set) var statements: [String] = []

    func add(_ sql: String) {
        let verbs = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]
        guard verbs.contains(where: { sql.hasPrefix($0) }), !statements.contains(sql) else { return }
        statements.append(sql)
    }
}
