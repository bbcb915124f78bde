/// A query for quakes: SQL and the values it binds.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    init(_ sql: String, _ values: [QuakeValue]) { (self.sql, self.values) = (sql, values) }

    /// Creates the query for `columns` of the quakes that the descriptor requests. `filter` is the descriptor's filter.
    init(_ descriptor: QuakeDescriptor, filter: FilterSQL, columns: String, from source: QuakeSource) {
        let (order, orderValues) = QuakeQuery.order(descriptor)
        // A compound SELECT can be ordered only by its result columns, so the sort terms are then added to them.
        let isCompound = !source.overlays.isEmpty
        let sortColumns = isCompound ? order.indices.map { ", \(order[$0].term) AS sort_\($0)" }.joined() : ""
        let terms = order.indices.map { "\(isCompound ? "sort_\($0)" : order[$0].term) \(order[$0].direction)" }
        let rows = source.select(columns + sortColumns, isCompound ? orderValues : [], where: filter)
        var sql = "\(rows.sql) ORDER BY \(terms.joined(separator: ", "))"
        var values = rows.values + (isCompound ? [] : orderValues)
        if descriptor.limit != nil || descriptor.offset > 0 {
            sql += " LIMIT ? OFFSET ?"
            values += [.integer(Int64(descriptor.limit ?? -1)), .integer(Int64(descriptor.offset))]
        }
        self.init(sql, values)
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
            case .distance(let points):
                let distances = points.map { _ in "distance_km(lat, lon, ?, ?)" }
                guard let nearest = SQLTree.joined(distances[...], { "min(\($0), \($1))" }) else { continue }
                terms.append((nearest, direction))
                values += points.flatMap { [.real($0.latitude), .real($0.longitude)] }
            }
        }
        return (terms + [("net || code", "ASC")], values)
    }
}

/// The tables that a read uses: the cache's own table of quakes, and a stack of overlays.
struct QuakeSource {
    /// The overlays, lowest first; empty for the current saved state.
    var overlays: [QuakeOverlay] = []

    /// The tables, each with the condition that its rows must meet not to be replaced by the overlays above the table.
    private var arms: [(table: String, condition: String?)] {
        (["quakes"] + overlays.map(\.quakes)).enumerated().map { index, table in
            let above = overlays.dropFirst(index).map { "SELECT key FROM \($0.touched)" }
            return (table, above.isEmpty ? nil : "key NOT IN (\(above.joined(separator: " UNION ALL ")))")
        }
    }

    /// Returns the query for `columns`, which bind `values`, of the quakes that the filter accepts.
    func select(_ columns: String, _ values: [QuakeValue] = [], where filter: FilterSQL) -> QuakeQuery {
        let arms = arms.map { "SELECT \(columns) FROM \($0.table)\(filter.whereClause(and: $0.condition))" }
        return QuakeQuery(arms.joined(separator: " UNION ALL "), arms.flatMap { _ in values + filter.values })
    }

    /// Returns the query for the quakes that the filter accepts, ordered by key. The key is the first column.
    func byKey(_ filter: FilterSQL) -> QuakeQuery {
        let rows = select("key, \(QuakeColumns.list())", where: filter)
        return QuakeQuery(rows.sql + " ORDER BY key", rows.values)
    }

    /// The query for the quake under the key bound to `?1`.
    var oneByKey: String {
        arms.map { arm in
            "SELECT \(QuakeColumns.list()) FROM \(arm.table) WHERE key = ?1"
                + (arm.condition.map { " AND " + $0 } ?? "")
        }.joined(separator: " UNION ALL ")
    }
}
