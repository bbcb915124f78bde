import CQuakesSQLite

extension Database {
    /// Returns a separate statement, for SQL that varies or for a statement that stays open while other code runs.
    func prepare(_ sql: String) throws -> Statement { try Statement(sql, on: self) }

    /// Runs one or more statements without bound values, ignoring their rows.
    func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs one statement with `values` bound to its parameters in order.
    func run<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws {
        try cachedStatement(sql).run(repeat each values)
    }

    /// Returns the result of `read` for the first row; nil if there is no row.
    func first<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result? {
        try cachedStatement(sql).first(repeat each values, read: read)
    }

    func readStoreRow<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result {
        guard let row = try first(sql, repeat each values, read: read) else {
            throw StoreError.corrupt(path: path, reason: "it has no store row")
        }
        return row
    }

    /// Calls `body` with each row. `body` may run the same SQL.
    func forEach<each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, body: (Statement) throws -> Void
    ) throws {
        try cachedStatement(sql).forEach(repeat each values, body: body)
    }

    /// Returns the results of `read` for all rows.
    func all<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEach(sql, repeat each values) { results.append(try read($0)) }
        return results
    }

    /// Returns the integer in the first column of the first row; nil if there is no row or the value is null.
    func integer<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws -> Int64? {
        try first(sql, repeat each values) { $0.integerOrNil(0) } ?? nil
    }

    /// Returns the time in the first column of the first row; nil if there is no row or the value is null.
    func timestamp<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws -> Timestamp? {
        try integer(sql, repeat each values).map(Timestamp.init(milliseconds:))
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }
}
