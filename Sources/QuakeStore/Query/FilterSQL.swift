import QuakeModel

/// A filter as SQL: conditions over the columns of `quakes`, and the values they bind.
///
/// Values are always bound, never written into the text.
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
        add("instr(folded(place), ?) > 0", filter.placeContains.map { .text(QuakeFilter.folded($0)) })
        addMembership("type", filter.eventTypes)
        addMembership("status", filter.statuses)
        addMembership("net", filter.networks)
        addMembership("alert", filter.alerts)
    }

    /// ` WHERE …`, or nothing for the filter that accepts all.
    var whereClause: String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
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
        // A degree of latitude is 111.195 km on the sphere the distance is taken on; the band spares most rows the sines.
        let degrees = circle.radiusKilometers / 111.19 + 0.01
        add("lat >= ?", .real(circle.center.latitude - degrees))
        add("lat <= ?", .real(circle.center.latitude + degrees))
        conditions.append("distance_km(lat, lon, ?, ?) <= ?")
        values += [.real(circle.center.latitude), .real(circle.center.longitude), .real(circle.radiusKilometers)]
    }

    private mutating func addMembership(_ column: String, _ allowed: Set<String>) {
        guard !allowed.isEmpty else { return }
        conditions.append("lower(\(column)) IN (\(allowed.map { _ in "?" }.joined(separator: ", ")))")
        values += allowed.sorted().map { .text($0.lowercased()) }
    }
}
