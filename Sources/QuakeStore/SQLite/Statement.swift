import CQuakesSQLite

/// A prepared statement, which binds values, steps through rows and reads columns.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite's own interface. Releasing the object finalizes the
/// statement.
final class Statement {
    let handle: OpaquePointer
    private let path: String
    /// Whether several threads share the connection.
    private let isShared: Bool

    init(_ sql: String, on database: Database) throws {
        var handle: OpaquePointer?
        try database.check(
            sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
        guard let handle else {
            throw StoreError.statement(path: database.path, code: SQLITE_MISUSE, reason: "an empty statement")
        }
        self.handle = handle
        path = database.path
        isShared = sqlite3_db_mutex(database.handle) != nil
    }

    deinit {
        // The result repeats the error of the last step, which was already reported.
        sqlite3_finalize(handle)
    }

    /// Advances to the next row; returns false if there is none.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        try check(code)
        return false
    }

    /// Runs a statement that returns no rows, with `values` bound to its parameters in order.
    func run<each Value: SQLValue>(_ values: repeat each Value) throws {
        try bindAll(repeat each values)
        defer { reset() }
        _ = try step()
    }

    /// Binds `values`, and returns the result of `read` for the first row; nil if there is no row.
    func first<Result, each Value: SQLValue>(
        _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result? {
        try bindAll(repeat each values)
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Binds `values`, and calls `body` with each row.
    func forEach<each Value: SQLValue>(_ values: repeat each Value, body: (Statement) throws -> Void) throws {
        try bindAll(repeat each values)
        defer { reset() }
        while try step() { try body(self) }
    }

    /// Prepares the statement to run again, keeping its bound values.
    func reset() {
        // The result repeats the error of the last step, which was already reported.
        sqlite3_reset(handle)
    }

    func check(_ code: Int32) throws {
        try StoreError.check(code, on: sqlite3_db_handle(handle), path: path)
    }
}

extension Statement {
    /// Binds `values`, starting at the first parameter.
    func bindAll<each Value: SQLValue>(_ values: repeat each Value) throws {
        var index: Int32 = 1
        for value in repeat each values {
            try value.bind(to: self, at: index)
            index += value.parameterCount
        }
    }

    func bind(_ index: Int32, blob: [UInt8]) throws {
        try check(
            blob.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, blob, UInt64(blob.count), transient))
    }

    func bindNull(_ index: Int32) throws { try check(sqlite3_bind_null(handle, index)) }
}

// MARK: Reading columns

extension Statement {
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func integerOrNil(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
    func key(_ column: Int32) -> QuakeKey { QuakeKey(integer(column)) }
    func keyOrNil(_ column: Int32) -> QuakeKey? { integerOrNil(column).map(QuakeKey.init(_:)) }
    func transaction(_ column: Int32) -> TransactionNumber { TransactionNumber(integer(column)) }

    func transactionOrNil(_ column: Int32) -> TransactionNumber? {
        integerOrNil(column).map(TransactionNumber.init(_:))
    }

    func change(_ column: Int32) -> ChangeID { ChangeID(integer(column)) }
    func timestamp(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }

    func timestampOrNil(_ column: Int32) -> Timestamp? { integerOrNil(column).map(Timestamp.init(milliseconds:)) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func realOrNil(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(handle, column)
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func textOrNil(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Returns a column's value without copying it, valid until the next step. Looks the column up only once, unless
    /// threads share the connection: SQLite then requires a separate lookup for each access
    /// (sqlite.org/c3ref/value.html).
    func field(_ column: Int32) -> FieldValue {
        let value = sqlite3_column_value(handle, column)
        switch isShared ? sqlite3_column_type(handle, column) : sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(isShared ? integer(column) : sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(isShared ? real(column) : sqlite3_value_double(value))
        case SQLITE_NULL: return .null
        default:
            guard let start = isShared ? sqlite3_column_text(handle, column) : sqlite3_value_text(value) else {
                return .null
            }
            let count = isShared ? sqlite3_column_bytes(handle, column) : sqlite3_value_bytes(value)
            return .text(UnsafeBufferPointer(start: start, count: Int(count)))
        }
    }
}
