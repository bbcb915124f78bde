import GRDBSQLite
public import QuakeModel

/// One row under a cursor, in the fields that were asked for. Valid only inside the call that hands it out.
public struct StoredRow {
    let statement: SQLStatement
    let layout: RowLayout

    /// The value of the field at `index`, in the order the fields were named.
    public func field(at index: Int) -> FieldValue {
        switch layout.origins[index] {
        case .column(let column): statement.field(column)
        case .derived(let text): text.value(in: statement)
        }
    }
}

extension SQLStatement {
    /// The value of a column as it lies in the row.
    ///
    /// Asked of the column once, then of its value: a column is looked up and locked at every question. A connection of one
    /// thread, as GRDB opens it, has no lock, and its values may be asked directly (sqlite.org/c3ref/value.html).
    func field(_ column: Int32) -> FieldValue {
        let value = sqlite3_column_value(handle, column)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_NULL: return .null
        default:
            guard let start = sqlite3_value_text(value) else { return .null }
            return .text(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
    }
}

/// Which columns a listing reads, and how its fields come from them.
///
/// Values that follow from others are put together here, not by SQL: its string functions took a third of a listing's time.
struct RowLayout {
    /// Where a field comes from.
    enum Origin {
        case column(Int32)
        case derived(DerivedText)
    }

    /// The columns to select, in their order.
    private(set) var columns: [String] = []
    private(set) var origins: [Origin] = []

    init(_ fields: [QuakeProperty]) {
        for field in fields {
            switch field {
            case .id: origins.append(.derived(DerivedText(after: "", net: column("net"), code: column("code"))))
            case .url:
                origins.append(
                    .derived(
                        DerivedText(
                            published: column("url"), after: Quake.eventPages, net: column("net"),
                            code: column("code"))))
            case .detail:
                origins.append(
                    .derived(
                        DerivedText(
                            published: column("detail"), after: Quake.detailFeeds, net: column("net"),
                            code: column("code"), before: Quake.detailSuffix)))
            case .title:
                origins.append(
                    .derived(DerivedText(published: column("title"), magnitude: column("mag"), place: column("place"))))
            default: origins.append(.column(column(field.rawValue)))
            }
        }
    }

    /// The position of a column, selected if it was not yet.
    private mutating func column(_ name: String) -> Int32 {
        if let position = columns.firstIndex(of: name) { return Int32(position) }
        columns.append(name)
        return Int32(columns.count - 1)
    }
}
