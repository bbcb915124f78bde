import GRDBSQLite
public import QuakeModel

/// One row under a cursor, in the fields that were asked for. Valid only inside the call that hands it out.
public struct StoredRow {
    let statement: SQLStatement

    /// The value of the field at `index`, in the order the fields were named.
    public func field(at index: Int) -> FieldValue {
        let column = Int32(index)
        switch sqlite3_column_type(statement.handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement.handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement.handle, column))
        case SQLITE_NULL: return .null
        default: return .text(statement.bytes(column))
        }
    }
}

extension QuakeProperty {
    /// The SQL that yields the property's value.
    var columnExpression: String {
        switch self {
        case .id: DerivedColumns.id
        case .title: DerivedColumns.title
        case .url: DerivedColumns.url
        case .detail: DerivedColumns.detail
        default: rawValue
        }
    }
}
