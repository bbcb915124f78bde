/// The tables that a read uses: the cache's own table of quakes, and a stack of overlays.
struct QuakeSource {
    /// The overlays, lowest first; empty for the newest state.
    var overlays: [QuakeOverlay] = []

    /// The tables to combine, each with the condition for the rows that no overlay above it replaces.
    private var unionParts: [(table: String, condition: String?)] {
        (["quakes"] + overlays.map(\.quakes)).enumerated().map { index, table in
            let above = overlays.dropFirst(index).map { "SELECT key FROM \($0.touched)" }
            return (table, above.isEmpty ? nil : "key NOT IN (\(above.joined(separator: " UNION ALL ")))")
        }
    }

    /// Returns the query for `columns` of the quakes that the filter accepts. `values` are bound to the parameters in
    /// `columns`.
    func select(_ columns: String, _ values: [QuakeValue] = [], where filter: FilterSQL) -> QuakeQuery {
        let arms = unionParts.map { "SELECT \(columns) FROM \($0.table)\(filter.whereClause(and: $0.condition))" }
        return QuakeQuery(arms.joined(separator: " UNION ALL "), arms.flatMap { _ in values + filter.values })
    }

    /// Returns the query for the quakes that the filter accepts, ordered by key. The key is the first column.
    func queryOrderedByKey(_ filter: FilterSQL) -> QuakeQuery {
        let rows = select("key, \(QuakeColumns.list())", where: filter)
        return QuakeQuery(rows.sql + " ORDER BY key", rows.values)
    }

    /// The query for the quake under the key bound to `?1`.
    var queryForKey: String {
        unionParts.map { arm in
            "SELECT \(QuakeColumns.list()) FROM \(arm.table) WHERE key = ?1"
                + (arm.condition.map { " AND " + $0 } ?? "")
        }.joined(separator: " UNION ALL ")
    }
}
