import QuakeModel

/// A question about quakes: SQL and the values it binds.
struct QuakeQuery {
    let sql: String
    let values: [QuakeValue]

    init(_ sql: String, _ values: [QuakeValue]) {
        self.sql = sql
        self.values = values
    }

    /// The query for `columns` of the quakes the descriptor asks for, whose filter is `filter`, out of `source`.
    init(_ descriptor: QuakeDescriptor, filter: FilterSQL, columns: String, from source: QuakeSource) {
        let (order, orderValues) = QuakeQuery.order(descriptor)
        var (sql, values): (String, [QuakeValue])
        switch source {
        case .present:
            let terms = order.map { "\($0.term) \($0.direction)" }.joined(separator: ", ")
            sql = "SELECT \(columns) FROM quakes\(filter.whereClause()) ORDER BY \(terms)"
            values = filter.values + orderValues
        case .past: (sql, values) = QuakeQuery.merged(source, columns, filter, order, orderValues)
        }
        if descriptor.limit != nil || descriptor.offset > 0 {
            sql += " LIMIT ? OFFSET ?"
            values += [.integer(Int64(descriptor.limit ?? -1)), .integer(Int64(descriptor.offset))]
        }
        self.init(sql, values)
    }

    /// The arms of `source`, each ordered by an index where there is one, merged. A compound SELECT can only be ordered
    /// by its columns, so the terms of the order follow the columns that were asked for.
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

    /// Ties are broken by id and missing values come last in both directions, so that output is deterministic.
    /// ``QuakeDescriptor/isOrdered(_:before:)`` is the same order.
    private static func order(_ descriptor: QuakeDescriptor) -> (terms: [OrderTerm], values: [QuakeValue]) {
        var (terms, values): ([OrderTerm], [QuakeValue]) = ([], [])
        for key in descriptor.sort {
            let direction = key.order == .forward ? "ASC" : "DESC"
            switch key.value {
            case .time: terms.append(("time", direction))
            case .magnitude: terms.append(("mag", direction + " NULLS LAST"))
            case .depth: terms.append(("depth", direction + " NULLS LAST"))
            case .updated: terms.append(("updated", direction))
            case .distance(let point):
                terms.append(("distance_km(lat, lon, ?, ?)", direction))
                values += [.real(point.latitude), .real(point.longitude)]
            }
        }
        return (terms + [("net || code", "ASC")], values)
    }
}

/// The tables a read takes quakes from.
enum QuakeSource {
    /// As they are.
    case present
    /// As they were: the quakes that have not changed since, and the ``PastOverlay``.
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
    func count(_ filter: FilterSQL) -> QuakeQuery {
        let present = "(SELECT count(*) FROM quakes\(filter.whereClause()))"
        guard case .past = self else { return QuakeQuery("SELECT " + present, filter.values) }
        // Subtracting the touched quakes reads those rows only; excluding them would read every row.
        let touched = filter.whereClause(and: "key IN (SELECT key FROM \(PastOverlay.touched))")
        return QuakeQuery(
            "SELECT \(present) - (SELECT count(*) FROM quakes\(touched))"
                + " + (SELECT count(*) FROM \(PastOverlay.quakes)\(filter.whereClause()))",
            filter.values + filter.values + filter.values)
    }

    /// The quakes the filter accepts, by ascending key, which is the first column.
    func byKey(_ filter: FilterSQL) -> QuakeQuery {
        let arms = arms.map { arm in
            "SELECT key, \(QuakeColumns.list()) FROM \(arm.table)\(filter.whereClause(and: arm.condition))"
        }
        return QuakeQuery(arms.joined(separator: " UNION ALL ") + " ORDER BY key", arms.flatMap { _ in filter.values })
    }

    /// The quake under the key bound to `?1`.
    var oneByKey: String {
        arms.map { arm in
            "SELECT \(QuakeColumns.list()) FROM \(arm.table) WHERE key = ?1"
                + (arm.condition.map { " AND " + $0 } ?? "")
        }.joined(separator: " UNION ALL ")
    }
}

/// A filter as SQL: conditions on the columns of `quakes`, and the values they bind. Accepts what
/// ``QuakeFilter/accepts(_:)`` accepts.
struct FilterSQL {
    private(set) var conditions: [String] = []
    private(set) var values: [QuakeValue] = []

    init(_ filter: QuakeFilter) {
        add("mag >= ?", filter.minimumMagnitude.map(QuakeValue.real))
        add("mag <= ?", filter.maximumMagnitude.map(QuakeValue.real))
        add("time >= ?", filter.since.map { .integer($0.milliseconds) })
        add("time < ?", filter.until.map { .integer($0.milliseconds) })
        add("depth >= ?", filter.minimumDepthKilometers.map(QuakeValue.real))
        add("depth <= ?", filter.maximumDepthKilometers.map(QuakeValue.real))
        add("felt >= ?", filter.minimumFelt.map(QuakeValue.integer))
        add("sig >= ?", filter.minimumSignificance.map(QuakeValue.integer))
        if filter.requiresTsunamiFlag { conditions.append("tsunami = 1") }
        addBox(filter.boundingBox)
        addCircle(filter.circle)
        addShaking(filter.shaking)
        addPlaces(filter.placesContain)
        addRegions(filter.regions)
        addMembership("type", filter.eventTypes)
        addMembership("status", filter.statuses)
        addMembership("net", filter.networks)
        addMembership("magType", filter.magnitudeTypes)
        addMembership("alert", filter.alerts)
    }

    /// Accepts only what lies in `cells` too.
    mutating func narrow(to cells: PlaceCells) {
        conditions.append(cells.condition)
    }

    /// ` WHERE …` with the filter's conditions and another one, or nothing where there is none.
    func whereClause(and condition: String? = nil) -> String {
        let all = conditions + (condition.map { [$0] } ?? [])
        return all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
    }

    private mutating func add(_ condition: String, _ value: QuakeValue?) {
        guard let value else { return }
        conditions.append(condition)
        values.append(value)
    }

    private mutating func addBox(_ box: BoundingBox?) {
        guard let box else { return }
        add("lat >= ?", .real(box.south))
        add("lat <= ?", .real(box.north))
        conditions.append(box.crossesDateLine ? "(lon >= ? OR lon <= ?)" : "(lon >= ? AND lon <= ?)")
        values += [.real(box.west), .real(box.east)]
    }

    private mutating func addCircle(_ circle: QuakeFilter.Circle?) {
        guard let circle else { return }
        // This band saves most rows the sines.
        add("lat >= ?", .real(circle.center.latitude - circle.angularRadiusDegrees))
        add("lat <= ?", .real(circle.center.latitude + circle.angularRadiusDegrees))
        conditions.append("distance_km(lat, lon, ?, ?) <= ?")
        values += [.real(circle.center.latitude), .real(circle.center.longitude), .real(circle.radiusKilometers)]
    }

    private mutating func addShaking(_ shaking: QuakeFilter.Shaking?) {
        guard let shaking else { return }
        conditions.append("expected_intensity(mag, depth, lat, lon, ?, ?) >= ?")
        values += [.real(shaking.place.latitude), .real(shaking.place.longitude), .real(shaking.minimumIntensity)]
    }

    private mutating func addPlaces(_ texts: Set<String>) {
        guard !texts.isEmpty else { return }
        let matches = texts.map { _ in "instr(folded(place), ?) > 0" }
        conditions.append("(\(matches.joined(separator: " OR ")))")
        values += texts.sorted().map { .text(QuakeFilter.folded($0)) }
    }

    /// No name of a region has a comma, so one can be found whole among those that a place lies in.
    private mutating func addRegions(_ regions: Set<String>) {
        guard !regions.isEmpty else { return }
        let matches = regions.map { _ in "instr(', ' || folded(region(place)) || ', ', ?) > 0" }
        conditions.append("(\(matches.joined(separator: " OR ")))")
        values += regions.sorted().map { .text(", \(QuakeFilter.folded($0)), ") }
    }

    /// SQL's `lower` changes ASCII letters only, and so does ``QuakeFilter/lowercasedASCII(_:)``.
    private mutating func addMembership(_ column: String, _ allowed: Set<String>) {
        guard !allowed.isEmpty else { return }
        conditions.append("lower(\(column)) IN (\(allowed.map { _ in "?" }.joined(separator: ", ")))")
        values += allowed.sorted().map { .text(QuakeFilter.lowercasedASCII($0)) }
    }
}
