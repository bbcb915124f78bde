import ArgumentParser
import QuakeStore

struct OriginTimeOptions: ParsableArguments {
    @Option(
        "-s --since <time>", "Minimum origin time (inclusive): ISO 8601, a date, or an age such as 2h or 7d.",
        parsing: .unconditional, completion: .time, transform: TimeExpression.parse)
    var since: TimeExpression?

    @Option(
        "--until <time>", "Maximum origin time (exclusive), in the same formats.", parsing: .unconditional,
        completion: .time, transform: TimeExpression.parse)
    var until: TimeExpression?

    var isSet: Bool { since != nil || until != nil }

    /// Sets the start and end of `filter`. Ages count back from `now`. Throws a usage error if the start is not before
    /// the end.
    func restrict(_ filter: inout QuakeFilter, now: Timestamp, zone: DisplayTimeZone) throws {
        let start = since?.resolve(now: now, zone: zone)
        let end = until?.resolve(now: now, zone: zone)
        if let start, let end, start >= end {
            var day = ""
            if since == until, case .clock(let date) = until {
                day = " --until \((date + .seconds(86_400)).dayWords) includes that day."
            }
            throw ValidationError(
                "--since (\(start.momentWords)) is not before --until (\(end.momentWords)), so nothing can match."
                    + day)
        }
        filter.since = start
        filter.until = end
    }
}
