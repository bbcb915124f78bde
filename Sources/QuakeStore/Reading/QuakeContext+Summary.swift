public import QuakeModel

extension QuakeContext {
    /// Sums up the quakes that `filter` accepts, in one pass, in the generation that reads see.
    public func summary(of filter: QuakeFilter = QuakeFilter()) throws -> QuakeSummary {
        let filter = try sql(of: filter)
        let columns = "time, mag, depth, felt, type, net, magType, status, code, place, lon"
        let arms = try source().arms
        let sql = arms.map { "SELECT \(columns) FROM \($0.table)\(filter.whereClause(and: $0.condition))" }
        var summary = QuakeSummary()
        try forEach(QuakeQuery(sql.joined(separator: " UNION ALL "), arms.flatMap { _ in filter.values })) { row in
            let network = row.text(5)
            summary.add(
                QuakeSummary.Measurement(
                    originTime: row.timestamp(0), magnitude: row.realOrNil(1),
                    depthKilometers: row.realOrNil(2), feltReports: row.integerOrNil(3), eventType: row.textOrNil(4),
                    network: network, magnitudeType: row.textOrNil(6), status: row.textOrNil(7),
                    place: row.textOrNil(9), longitude: row.real(10))
            ) { network + row.text(8) }
        }
        return summary
    }
}
