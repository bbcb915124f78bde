import QuakeModel
import QuakeOutput
import QuakeStore

extension QuakeContext {
    /// Why the times of `filter` alone leave no quake: when the quakes of the cache were. Nil in other cases.
    func reasonForNothing(_ filter: QuakeFilter, zone: LocalTime) throws -> String? {
        let times = QuakeFilter(since: filter.since, until: filter.until)
        guard times != QuakeFilter(), try fetchCount(times) == 0, let newest = try originTime(.reverse),
            let oldest = try originTime(.forward)
        else { return nil }
        let name = zone.isUTC ? "UTC" : zone.name
        if let since = filter.since, newest < since { return "newest quake: \(zone.minuteWords(newest)) \(name)" }
        if let until = filter.until, oldest >= until { return "oldest quake: \(zone.minuteWords(oldest)) \(name)" }
        return "no quakes in this time range"
    }

    /// The origin time of the quake that is first in `order`.
    private func originTime(_ order: QuakeSortKey.Order) throws -> Timestamp? {
        var first: Timestamp?
        let descriptor = QuakeDescriptor(sortedBy: [QuakeSortKey(.time, order: order)], limit: 1)
        try forEachRow(descriptor, fields: [.time]) { row in
            if case .integer(let milliseconds) = row.field(at: 0) { first = Timestamp(milliseconds: milliseconds) }
        }
        return first
    }
}

extension GlobalOptions {
    /// Says on standard error, unless `--quiet` says no, why the times of `filter` leave no quake of `context`.
    func explainNothing(
        _ filter: QuakeFilter, in context: QuakeContext, zone: LocalTime, _ environment: CommandEnvironment
    ) throws {
        guard !isQuiet, let reason = try context.reasonForNothing(filter, zone: zone) else { return }
        environment.standardError.writeLine("quakes: no quakes match; \(reason)")
    }
}
