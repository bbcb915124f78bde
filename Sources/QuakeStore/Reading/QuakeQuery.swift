/// A query for quakes: SQL and the values it binds.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    init(_ sql: String, _ values: [QuakeValue]) {
        self.sql = sql
        self.values = values
    }

    /// Creates the query for `columns` of the quakes that the descriptor requests. `filter` is the descriptor's filter.
    init(_ descriptor: QuakeDescriptor, filter: FilterSQL, columns: String, from source: QuakeSource) {
        let (order, orderValues) = QuakeQuery.order(descriptor)
        // A compound SELECT can be ordered only by its result columns, so the sort terms are then added to the columns.
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

    /// Returns the terms to order by, and the values that they bind. Ties are ordered by id, and missing values come
    /// last in both directions, so that output is deterministic.
    private static func order(_ descriptor: QuakeDescriptor) -> (terms: [OrderTerm], values: [QuakeValue]) {
        var (terms, values): ([OrderTerm], [QuakeValue]) = ([], [])
        for key in descriptor.sortKeys {
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

extension Database {
    func prepare(_ query: QuakeQuery) throws -> Statement {
        let statement = try prepare(query.sql)
        try statement.bindAll(query.values)
        return statement
    }

    /// Returns the number of rows of `query`.
    func count(_ query: QuakeQuery) throws -> Int {
        try prepare("SELECT count(*) FROM (\(query.sql))").first(query.values) { Int($0.integer(0)) } ?? 0
    }
}
