/// A filter as SQL: conditions on the columns of `quakes`, and the values they bind. Equivalent to
/// ``QuakeFilter/accepts(_:)``.
struct FilterSQL {
    private(set) var conditions: [String] = []
    private(set) var values: [QuakeValue] = []

    /// - Throws: ``StoreError/outOfRange(_:value:)`` if one of the filter's numbers is NaN.
    init(_ filter: QuakeFilter) throws(StoreError) {
        try filter.requireNumbers()
        // SQLite evaluates conditions from left to right, so put comparisons first and function calls last.
        let conditions = filter.conditions
        for condition in conditions.filter({ !$0.callsFunction }) + conditions.filter(\.callsFunction) {
            add(condition)
        }
    }

    /// Creates the SQL. If few quakes are in the filter's area, adds a condition that makes SQLite read them through
    /// the index by place.
    init(_ filter: QuakeFilter, in database: Database) throws {
        try self.init(filter)
        if let cells = GridCellCondition(filter), try cells.containFewQuakes(in: database) {
            conditions.append(cells.condition)
        }
    }

    /// Limits the selection to quakes that meet the conditions of `predicate`.
    mutating func narrow(to predicate: PredicateSQL) {
        conditions += predicate.conditions
        values += predicate.values
    }

    /// Returns ` WHERE …` with the filter's conditions and `condition`, or an empty string if there are no conditions.
    func whereClause(and condition: String? = nil) -> String {
        let all = conditions + (condition.map { [$0] } ?? [])
        return all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
    }

    private mutating func add(_ condition: FilterCondition) {
        switch condition {
        case .atLeast(let property, let bound): add("\(property) >= ?", [bound])
        case .atMost(let property, let bound): add("\(property) <= ?", [bound])
        case .less(let property, let bound): add("\(property) < ?", [bound])
        case .equal(let property, let value): add("\(property) = \(value)", [])
        case .among(let property, let allowed): add("IN", allowed, property)
        case .noneOf(let property, let words):
            add("\(property) IS NOT NULL", [])
            add("NOT IN", words, property)
        case .placeContains(let texts):
            add(anyOf: "instr(folded(place), ?) > 0", texts.sorted().map { [.text(TextFolding.folded($0))] })
        // No region's name contains a comma, so a whole name can be found in the list of a place's regions.
        case .region(let regions):
            add(
                anyOf: "instr(', ' || folded(region(place, lon)) || ', ', ?) > 0",
                regions.filter { !$0.contains(",") }.sorted().map { [.text(", \(TextFolding.folded($0)), ")] })
        case .boxes(let boxes):
            add(
                anyOf: boxes.map { box in
                    let longitudes = box.crossesDateLine ? "(lon >= ? OR lon <= ?)" : "lon >= ? AND lon <= ?"
                    return (
                        "(lat >= ? AND lat <= ? AND \(longitudes))",
                        [box.south, box.north, box.west, box.east].map(QuakeValue.real)
                    )
                })
        case .circles(let circles):
            // The band of latitudes excludes most rows without computing sines.
            add(
                anyOf: "(lat >= ? AND lat <= ? AND distance_km(lat, lon, ?, ?) <= ?)",
                circles.map { circle in
                    let center = circle.center
                    let height = circle.angularRadiusDegrees
                    let numbers = [
                        center.latitude - height, center.latitude + height, center.latitude, center.longitude,
                        circle.radiusKilometers,
                    ]
                    return numbers.map(QuakeValue.real)
                })
        case .intensity(let intensity):
            add(
                anyOf: "estimated_intensity(mag, depth, lat, lon, ?, ?) >= ?",
                intensity.places.map { place in
                    [place.latitude, place.longitude, intensity.minimumIntensity].map(QuakeValue.real)
                })
        }
    }

    private mutating func add(_ relation: String, _ words: Set<String>, _ property: QuakeProperty) {
        // Both SQL's `lower` and `foldedWord` change ASCII letters only.
        add(
            "replace(lower(\(property)), '_', ' ') \(relation) (\(words.map { _ in "?" }.joined(separator: ", ")))",
            words.sorted().map { .text(TextFolding.foldedWord($0)) })
    }

    private mutating func add(_ condition: String, _ bound: [QuakeValue]) {
        conditions.append(condition)
        values += bound
    }

    /// Adds a condition that is met if `match` is true for at least one of the lists of values.
    private mutating func add(anyOf match: String, _ alternatives: [[QuakeValue]]) {
        add(anyOf: alternatives.map { (match, $0) })
    }

    private mutating func add(anyOf alternatives: [(match: String, values: [QuakeValue])]) {
        let condition = SQLTree.joined(alternatives.map(\.match)[...]) { "(\($0) OR \($1))" }
        add(condition ?? "0", alternatives.flatMap(\.values))
    }
}

extension FilterCondition {
    fileprivate var callsFunction: Bool {
        switch self {
        case .placeContains, .region, .circles, .intensity: true
        case .atLeast, .atMost, .less, .equal, .among, .noneOf, .boxes: false
        }
    }
}
