import GRDB
import QuakeModel

/// A descriptor as one SELECT.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    /// The statement that yields `columns` of the quakes the descriptor asks for, out of `source`.
    init(_ descriptor: QuakeDescriptor, columns: String, from source: QuakeSource = .present) {
        let filter = FilterSQL(descriptor.filter)
        let (order, orderValues) = QuakeQuery.order(descriptor)
        var (sql, values): (String, [QuakeValue])
        switch source {
        case .present:
            let terms = order.map { "\($0.term) \($0.direction)" }.joined(separator: ", ")
            sql = "SELECT \(columns) FROM quakes\(filter.whereClause) ORDER BY \(terms)"
            values = filter.values + orderValues
        case .past: (sql, values) = QuakeQuery.merged(source, columns, filter, order, orderValues)
        }
        if descriptor.limit != nil || descriptor.offset > 0 {
            sql += " LIMIT ? OFFSET ?"
            values += [.integer(Int64(descriptor.limit ?? -1)), .integer(Int64(descriptor.offset))]
        }
        self.sql = sql
        self.values = values
    }

    /// The arms of `source`, each in order by an index where there is one, merged. A compound can only be ordered by its
    /// columns, so the terms of the order stand behind those that were asked for.
    private static func merged(
        _ source: QuakeSource, _ columns: String, _ filter: FilterSQL, _ order: [OrderTerm], _ orderValues: [QuakeValue]
    ) -> (sql: String, values: [QuakeValue]) {
        let keys = order.indices.map { ", \(order[$0].term) AS sort_\($0)" }.joined()
        let arms = source.arms.map { arm in
            "SELECT \(columns)\(keys) FROM \(arm.table)\(QuakeSource.whereClause(filter, and: arm.condition))"
        }
        let terms = order.indices.map { "sort_\($0) \(order[$0].direction)" }.joined(separator: ", ")
        return (
            arms.joined(separator: " UNION ALL ") + " ORDER BY " + terms,
            source.arms.flatMap { _ in orderValues + filter.values }
        )
    }

    private typealias OrderTerm = (term: String, direction: String)

    /// Ties are broken by id and missing values come last, whichever way round, so that output is deterministic.
    private static func order(_ descriptor: QuakeDescriptor) -> (terms: [OrderTerm], values: [QuakeValue]) {
        let down = descriptor.isReversed ? "ASC" : "DESC"
        let up = descriptor.isReversed ? "DESC" : "ASC"
        let tie = (term: "net || code", direction: "ASC")
        switch descriptor.sort {
        case .time: return ([("time", down), tie], [])
        case .magnitude: return ([("mag", down + " NULLS LAST"), tie], [])
        case .depth: return ([("depth", down + " NULLS LAST"), tie], [])
        case .updated: return ([("updated", down), tie], [])
        case .distance(let point):
            return ([("distance_km(lat, lon, ?, ?)", up), tie], [.real(point.latitude), .real(point.longitude)])
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
