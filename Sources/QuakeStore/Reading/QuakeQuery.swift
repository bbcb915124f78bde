/// A query for quakes: SQL and the values it binds.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    init(_ sql: String, _ values: [QuakeValue]) { (self.sql, self.values) = (sql, values) }

    /// Creates the query for `columns` of the quakes that the descriptor requests. `filter` is the descriptor's filter.
    init(_ descriptor: QuakeDescriptor, filter: FilterSQL, columns: String, from source: QuakeSource) {
        let (order, orderValues) = QuakeQuery.order(descriptor)
        var (sql, values): (String, [QuakeValue])
        if source.overlays.isEmpty {
            let terms = order.map { "\($0.term) \($0.direction)" }.joined(separator: ", ")
            sql = "SELECT \(columns) FROM quakes\(filter.whereClause()) ORDER BY \(terms)"
            values = filter.values + orderValues
        } else {
            (sql, values) = QuakeQuery.merged(source, columns, filter, order, orderValues)
        }
        if descriptor.limit != nil || descriptor.offset > 0 {
            sql += " LIMIT ? OFFSET ?"
            values += [.integer(Int64(descriptor.limit ?? -1)), .integer(Int64(descriptor.offset))]
        }
        self.init(sql, values)
    }

    /// Merges the results from all tables of `source`. A compound SELECT can be ordered only by its result columns, so
    /// the sort terms are added after the requested columns.
    private static func merged(
        _ source: QuakeSource, _ columns: String, _ filter: FilterSQL, _ order: [OrderTerm], _ orderValues: [QuakeValue]
    ) -> (sql: String, values: [QuakeValue]) {
        let keys = order.indices.map { ", \(order[$0].term) AS sort_\($0)" }.joined()
        let arms = source.arms.map { arm in
            "SELECT \(columns)\(keys) FROM \(arm.table)\(filter.whereClause(and: arm.condition))"
        }
        let terms = order.indices.map { "sort_\($0) \(order[$0].direction)" }.joined(separator: ", ")
        return (
            arms.joined(separator: " UNION ALL ") + " ORDER BY " + terms,
            source.arms.flatMap { _ in orderValues + filter.values }
        )
    }

    private typealias OrderTerm = (term: String, direction: String)

    /// Ties are ordered by id, and missing values come last in both directions, so that output is deterministic.
    private static func order(_ descriptor: QuakeDescriptor) -> (terms: [OrderTerm], values: [QuakeValue]) {
        var (terms, values): ([OrderTerm], [QuakeValue]) = ([], [])
        for key in descriptor.sort {
            let direction = key.order == .forward ? "ASC" : "DESC"
            switch key.value {
            case .time: terms.append(("time", direction))
            case .magnitude: terms.append(("mag", direction + " NULLS LAST"))
            case .depth: terms.append(("depth", direction + " NULLS LAST"))
            case .updated: terms.append(("updated", direction))
            case .feltReports: terms.append(("felt", direction + " NULLS LAST"))
            case .significance: terms.append(("sig", direction + " NULLS LAST"))
            case .distance(let point):
                terms.append(("distance_km(lat, lon, ?, ?)", direction))
                values += [.real(point.latitude), .real(point.longitude)]
            }
        }
        return (terms + [("net || code", "ASC")], values)
    }
}

/// The tables that a read uses: the cache's own table of quakes, and a stack of overlays.
struct QuakeSource {
    /// The overlays, lowest first; empty for the current saved state.
    var overlays: [QuakeOverlay] = []

    /// The tables, each with a query for the keys that are replaced by the overlays above the table.
    private var tables: [(name: String, touched: String?)] {
        (["quakes"] + overlays.map(\.quakes)).enumerated().map { index, name in
            let above = overlays.dropFirst(index).map { "SELECT key FROM \($0.touched)" }
            return (name, above.isEmpty ? nil : above.joined(separator: " UNION ALL "))
        }
    }

    /// The tables, each with the condition that its rows must meet to be visible.
    var arms: [(table: String, condition: String?)] {
        tables.map { ($0.name, $0.touched.map { "key NOT IN (\($0))" }) }
    }

    /// Returns the query for the number of quakes the filter accepts.
    func count(_ filter: FilterSQL) -> QuakeQuery {
        // Subtracting the affected quakes reads only their rows; excluding them would read every row.
        let counts =
            tables.map { ("+", $0.name, nil) }
            + tables.compactMap { table in
                table.touched.map { ("-", table.name, "key IN (\($0))") }
            }
        let terms = counts.map { "\($0) (SELECT count(*) FROM \($1)\(filter.whereClause(and: $2)))" }
        return QuakeQuery("SELECT 0 " + terms.joined(separator: " "), terms.flatMap { _ in filter.values })
    }

    /// Returns the query for the quakes that the filter accepts, ordered by key. The key is the first column.
    func byKey(_ filter: FilterSQL) -> QuakeQuery {
        let arms = arms.map { arm in
            "SELECT key, \(QuakeColumns.list()) FROM \(arm.table)\(filter.whereClause(and: arm.condition))"
        }
        return QuakeQuery(arms.joined(separator: " UNION ALL ") + " ORDER BY key", arms.flatMap { _ in filter.values })
    }

    /// The query for the quake under the key bound to `?1`.
    var oneByKey: String {
        arms.map { arm in
            "SELECT \(QuakeColumns.list()) FROM \(arm.table) WHERE key = ?1"
                + (arm.condition.map { " AND " + $0 } ?? "")
        }.joined(separator: " UNION ALL ")
    }
}
