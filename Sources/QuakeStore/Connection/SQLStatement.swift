import GRDB
import GRDBSQLite

/// A prepared statement used through SQLite's own interface.
///
/// Need: an import binds some forty values a quake, a listing reads as many; GRDB's value type costs more than the
/// statement itself (311 against 227 ms for 10,000 quakes). Hazard: bound bytes must outlive the step, which is why
/// text is bound SQLITE_TRANSIENT. Choice: GRDB prepares, caches and finalizes; this binds, steps and reads. Price: every result
/// code is checked here by hand.
struct SQLStatement {
    let handle: OpaquePointer
    /// Keeps the handle alive.
    private let statement: Statement

    /// The statement for `sql`, prepared once per connection. One that stays open while the caller's own code runs is
    /// prepared for itself (`isShared` false), since that code may ask the same question again.
    init(_ db: Database, _ sql: String, isShared: Bool = true) throws {
        statement = try isShared ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Moves to the next row; false when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw lastError()
        }
    }

    /// Runs a statement that returns no rows, and readies it for the next values.
    func run() throws {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            let error = lastError()
            sqlite3_reset(handle)
            throw error
        }
        sqlite3_reset(handle)
    }

    /// Readies the statement for other values; bindings stay.
    func reset() {
        sqlite3_reset(handle)
    }

    private func lastError() -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// A statement that is asked so often that finding it by its text would be felt: prepared at its first use, then kept.
final class KeptStatement {
    private let sql: String
    private var statement: SQLStatement?

    init(_ sql: String) {
        self.sql = sql
    }

    /// The statement, ready for new values.
    func prepared(in db: Database) throws -> SQLStatement {
        if let statement {
            statement.reset()
            return statement
        }
        let new = try SQLStatement(db, sql, isShared: false)
        statement = new
        return new
    }
}

/// SQLite copies the bytes before the call returns.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension SQLStatement {
    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ value: String?) {
        guard var value else {
            sqlite3_bind_null(handle, index)
            return
        }
        value.withUTF8 { bytes in
            // An empty buffer may have no address, and a null address would bind NULL instead of ''.
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress ?? emptyText, Int32($0.count), transient)
            }
        }
    }

    func bind(_ index: Int32, blob: [UInt8]) {
        _ = blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), transient)
        }
    }
}

private var emptyText: UnsafePointer<CChar> {
    UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
}

extension SQLStatement {
    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func integerOrNil(_ column: Int32) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(handle, column)
    }

    func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    func realOrNil(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, column)
    }

    /// The bytes of a text column, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    func textOrNil(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
