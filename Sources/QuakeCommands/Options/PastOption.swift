import ArgumentParser
import QuakeStore

struct PastOption: ParsableArguments {
    @Option(
        "--at <token|time>",
        """
        Show the cache as it was at a time or a token (see `quakes help token`); with published:TIME, what USGS had \
        published by then. Exits with status 3 if the history does not reach back that far.
        """, parsing: .unconditional, completion: .historyPoint, transform: HistoryPointArgument.parse)
    var point: HistoryPointArgument?

    /// Pins `context` to the selected state, if any, and returns the time from which ages count back: the time of that
    /// state, or the present. Throws if its history was purged or the token belongs to another cache.
    @discardableResult
    func pin(
        _ context: QuakeContext, in environment: CommandEnvironment, zone: DisplayTimeZone
    ) throws -> Timestamp {
        let now = environment.now()
        guard let point else { return now }
        try point.pin(context, now: now, zone: zone)
        if let moment = point.moment(now: now, zone: zone) { return moment }
        let last = try context.history.currentToken().number
        return try context.history.transaction(last)?.time ?? context.history.floor().time ?? now
    }

    /// Returns the time at which the requested time range ends by default: the time of the selected state
    /// (``HistoryPointArgument/moment(now:zone:)``), or now. Nil if neither a time range nor a state was requested.
    func moment(for times: OriginTimeOptions, in environment: CommandEnvironment, zone: DisplayTimeZone) -> Timestamp? {
        times.isSet || point != nil ? (point ?? .now).moment(now: environment.now(), zone: zone) : nil
    }
}
