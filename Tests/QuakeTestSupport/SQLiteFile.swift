import CQuakesSQLite

/// A SQLite file as seen by any other program: no schema check, no functions, but with triggers.
public final class SQLiteFile {
    public enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])

        /// The integer; nil if it is not one.
        public var integer: Int64? {
            if case .integer(let value) = self { value } else { nil }
        }

        /// The text; nil if it is not one.
        public var text: String? {
            if case .text(let value) = self { value } else { nil }
        }

        /// The bytes; nil if it is not a blob.
        public var blob: [UInt8]? {
            if case .blob(let value) = self { value } else { nil }
        }
    }

    /// SQLite's message for a failed call.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let handle: OpaquePointer

    /// Opens the file at `path`, which must exist.
    public init(path: String, isReadOnly: Bool = true) throws {
        var handle: OpaquePointer?
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        guard sqlite3_open_v2(path, &handle, mode, nil) == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw Failure(description: String(cString: sqlite3_errmsg(handle)))
        }
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Runs one statement and returns its rows, as values by column.
    @discardableResult
    public func rows(_ sql: String) throws -> [[String: Value]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
        defer { sqlite3_finalize(statement) }
        var rows: [[String: Value]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let columns = (0..<sqlite3_column_count(statement)).map { column in
                    (String(cString: sqlite3_column_name(statement, column)), value(statement, column))
                }
                rows.append(Dictionary(columns) { first, _ in first })
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// Runs statements that return nothing.
    public func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            .blob(
                [UInt8](
                    UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(statement, column),
                        count: Int(sqlite3_column_bytes(statement, column)))))
        default: .null
        }
    }

    private func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(handle))) }
}
