extension QuakeContext {
    /// Returns a summary of the quakes that `filter` accepts.
    public func summary(of filter: QuakeFilter = QuakeFilter()) throws -> QuakeSummary {
        let columns = "net || code, time, mag, depth, felt, place, type, net, magType, status, lon"
        var summary = QuakeSummary()
        let rows = try FilterSQL(filter, in: session.database())
        try forEach(session.source.select(columns, where: rows)) { row in
            summary.add(
                QuakeSummary.Event(
                    id: row.text(0), originTime: row.timestamp(1), magnitude: row.realOrNil(2),
                    depthKilometers: row.realOrNil(3), feltReports: row.integerOrNil(4).map { Int($0) },
                    place: row.textOrNil(5),
                    eventType: row.textOrNil(6)),
                network: row.text(7), magnitudeType: row.textOrNil(8), status: row.textOrNil(9),
                longitude: row.real(10))
        }
        return summary
    }
}
