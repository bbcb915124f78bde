import ArgumentParser
import QuakeModel

/// When quakes happened.
struct OriginTimeOptions: ParsableArguments {
    @Option(
        name: .customLong("since"), parsing: .unconditional,
        help: ArgumentHelp(
            "Only quakes at or after this time: ISO 8601, a date, or an age such as 2h or 7d.", valueName: "time"),
        transform: TimeExpression.parse)
    var since: TimeExpression?

    @Option(
        name: .customLong("until"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes before this time.", valueName: "time"), transform: TimeExpression.parse)
    var until: TimeExpression?

    /// Adds the bounds to `filter`, ages counted back from `now`. Throws a usage error where nothing lies between them.
    func restrict(_ filter: inout QuakeFilter, now: Timestamp) throws {
        let (start, end) = (since?.resolve(now: now), until?.resolve(now: now))
        if let start, let end, start >= end {
            throw ValidationError(
                "--since (\(start.iso8601)) is not before --until (\(end.iso8601)): no quake can match.")
        }
        filter.since = start
        filter.until = end
    }
}
