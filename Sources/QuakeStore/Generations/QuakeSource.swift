import QuakeModel

/// The tables a read takes quakes from.
enum QuakeSource {
    /// As they are.
    case present
    /// As they were: those untouched since, and the ``PastOverlay``.
    case past

    /// The tables, each with the condition its rows must meet.
    var arms: [(table: String, condition: String?)] {
        switch self {
        case .present: [("quakes", nil)]
        case .past:
            [("quakes", "key NOT IN (SELECT key FROM \(PastOverlay.touched))"), (PastOverlay.quakes, nil)]
        }
    }

    /// How many quakes the filter accepts.
    func count(_ filter: FilterSQL) -> (sql: String, values: [QuakeValue]) {
        let present = "(SELECT count(*) FROM quakes\(filter.whereClause))"
        guard case .past = self else { return ("SELECT " + present, filter.values) }
        // Taking off what was touched asks for those rows only; leaving it out would ask about every row.
        let touched = QuakeSource.whereClause(filter, and: "key IN (SELECT key FROM \(PastOverlay.touched))")
        return (
            "SELECT \(present) - (SELECT count(*) FROM quakes\(touched))"
                + " + (SELECT count(*) FROM \(PastOverlay.quakes)\(filter.whereClause))",
            filter.values + filter.values + filter.values
        )
    }

    /// The quakes the filter accepts, by ascending key, which stands first.
    func byKey(_ filter: FilterSQL = FilterSQL(QuakeFilter())) -> (sql: String, values: [QuakeValue]) {
        let arms = arms.map { arm in
            "SELECT key, \(QuakeColumns.list()) FROM \(arm.table)"
                + QuakeSource.whereClause(filter, and: arm.condition)
        }
        return (arms.joined(separator: " UNION ALL ") + " ORDER BY key", arms.flatMap { _ in filter.values })
    }

    /// The quake under one key, its bound value.
    var oneByKey: String {
        arms.map { arm in
            "SELECT \(QuakeColumns.list()) FROM \(arm.table) WHERE key = ?1"
                + (arm.condition.map { " AND " + $0 } ?? "")
        }.joined(separator: " UNION ALL ")
    }

    static func whereClause(_ filter: FilterSQL, and condition: String?) -> String {
        guard let condition else { return filter.whereClause }
        return " WHERE " + (filter.conditions + [condition]).joined(separator: " AND ")
    }
}

extension QuakeContext {
    /// Where reads take quakes from; makes the overlay of a pinned old generation at the first of them.
    func source() throws -> QuakeSource {
        try settlePin()
        guard case .held(var generation) = pin, generation.isPast else { return .present }
        if !generation.hasOverlay {
            let range = try changeIDs(after: generation.token.number, through: .max)
            try database { try PastOverlay.build($0, path: store.path, range: range) }
            generation.hasOverlay = true
            pin = .held(generation)
        }
        return .past
    }
}
