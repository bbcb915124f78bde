/// A filter as SQL: conditions on the columns of `quakes`, and the values they bind. Equivalent to
/// ``QuakeFilter/accepts(_:)``.
struct FilterSQL {
    private(set) var conditions: [String] = []
    private(set) var values: [QuakeValue] = []

    init(_ filter: QuakeFilter) {
        // SQLite evaluates conditions from left to right: comparisons of numbers first, function calls last.
        let conditions = filter.conditions
        for condition in conditions.filter({ !$0.callsFunction }) + conditions.filter(\.callsFunction) {
            add(condition)
        }
    }

    /// Restricts the result to quakes in `cells`.
    mutating func narrow(to cells: PlaceCells) { conditions.append(cells.condition) }

    /// Restricts the result to quakes that meet the conditions of `predicate`.
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
            add(anyOf: "instr(folded(place), ?) > 0", texts.sorted().map(QuakeFilter.folded))
        // No region's name contains a comma, so a whole name can be found in the list of a place's regions.
        case .region(let regions):
            add(
                anyOf: "instr(', ' || folded(region(place, lon)) || ', ', ?) > 0",
                regions.filter { !$0.contains(",") }.sorted().map { ", \(QuakeFilter.folded($0)), " })
        case .box(let box):
            add("lat >= ? AND lat <= ?", [.real(box.south), .real(box.north)])
            add(
                box.crossesDateLine ? "(lon >= ? OR lon <= ?)" : "(lon >= ? AND lon <= ?)",
                [.real(box.west), .real(box.east)])
        case .circle(let circle):
            let (center, height) = (circle.center, circle.angularRadiusDegrees)
            // This band of latitudes excludes most rows without computing sines.
            add("lat >= ? AND lat <= ?", [.real(center.latitude - height), .real(center.latitude + height)])
            add(
                "distance_km(lat, lon, ?, ?) <= ?",
                [.real(center.latitude), .real(center.longitude), .real(circle.radiusKilometers)])
        case .shaking(let shaking):
            add(
                "expected_intensity(mag, depth, lat, lon, ?, ?) >= ?",
                [.real(shaking.place.latitude), .real(shaking.place.longitude), .real(shaking.minimumIntensity)])
        }
    }

    private mutating func add(_ relation: String, _ words: Set<String>, _ property: QuakeProperty) {
        // Both SQL's `lower` and `foldedWord` change ASCII letters only.
        add(
            "replace(lower(\(property)), '_', ' ') \(relation) (\(words.map { _ in "?" }.joined(separator: ", ")))",
            words.sorted().map { .text(QuakeFilter.foldedWord($0)) })
    }

    private mutating func add(_ condition: String, _ bound: [QuakeValue]) {
        conditions.append(condition)
        values += bound
    }

    private mutating func add(anyOf match: String, _ texts: [String]) {
        add(Self.anyOf(match, count: texts.count), texts.map(QuakeValue.text))
    }

    /// Repeats `match` `count` times, joined by OR as a balanced tree, because SQLite allows at most 1,000 levels.
    private static func anyOf(_ match: String, count: Int) -> String {
        guard count > 1 else { return count == 0 ? "0" : match }
        return "(\(anyOf(match, count: count / 2)) OR \(anyOf(match, count: count - count / 2)))"
    }
}

extension FilterCondition {
    fileprivate var callsFunction: Bool {
        switch self {
        case .placeContains, .region, .circle, .shaking: true
        case .atLeast, .atMost, .less, .equal, .among, .noneOf, .box: false
        }
    }
}
