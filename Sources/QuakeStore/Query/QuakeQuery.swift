import GRDB
import QuakeModel

/// A descriptor as one SELECT.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    /// The statement that yields `columns` of the quakes the descriptor asks for, out of `source`.
    init(_ descriptor: QuakeDescriptor, columns: String, from source: String = "quakes") {
        let filter = FilterSQL(descriptor.filter)
        var sql = "SELECT \(columns) FROM \(source)\(filter.whereClause)"
        var values = filter.values
        let (order, orderValues) = QuakeQuery.order(descriptor)
        sql += " ORDER BY \(order)"
        values += orderValues
        if descriptor.limit != nil || descriptor.offset > 0 {
            sql += " LIMIT ? OFFSET ?"
            values += [.integer(Int64(descriptor.limit ?? -1)), .integer(Int64(descriptor.offset))]
        }
        self.sql = sql
        self.values = values
    }

    /// Ties are broken by id and missing values come last, whichever way round, so that output is deterministic.
    private static func order(_ descriptor: QuakeDescriptor) -> (sql: String, values: [QuakeValue]) {
        let down = descriptor.isReversed ? "ASC" : "DESC"
        let up = descriptor.isReversed ? "DESC" : "ASC"
        switch descriptor.sort {
        case .time: return ("time \(down), net || code", [])
        case .magnitude: return ("mag \(down) NULLS LAST, net || code", [])
        case .depth: return ("depth \(down) NULLS LAST, net || code", [])
        case .updated: return ("updated \(down), net || code", [])
        case .distance(let point):
            return ("distance_km(lat, lon, ?, ?) \(up), net || code", [.real(point.latitude), .real(point.longitude)])
        }
    }

    /// The prepared statement with its values bound.
    func prepare(_ db: Database) throws -> SQLStatement {
        let statement = try SQLStatement(db, sql, isShared: false)
        statement.bind(values)
        return statement
    }
}

extension SQLStatement {
    /// Binds `values` from the first placeholder on.
    func bind(_ values: [QuakeValue]) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            switch value {
            case .null: bind(index, nil as Int64?)
            case .integer(let integer): bind(index, integer)
            case .real(let real): bind(index, real)
            case .text(let text): bind(index, text)
            }
        }
    }
}
