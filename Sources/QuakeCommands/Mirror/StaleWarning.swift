import QuakeMirror

/// Warns that the data is stale, which no failure shows if a server keeps serving an old document. A refresh warns when
/// this begins, and then once a day while it lasts, even with `--quiet`.
enum StaleWarning {
    private static let interval = Duration.seconds(86_400)
    private static let beginning = "quakes: The data is stale: "

    /// Whether `line`, written by a refresh, is the warning.
    static func isIn(_ line: Substring) -> Bool { line.hasPrefix(beginning) }

    /// Returns the warning if it is due, and records that it was given.
    static func due(in context: QuakeContext, now: Timestamp) throws -> String? {
        let sources = context.sources
        let age = DataAge(feeds: try sources.feeds(), coveredRanges: try sources.coveredRanges(), now: now)
        let last = try sources.staleNotice()
        guard let staleness = age.staleness else {
            if last != nil { try sources.save(nil) }
            return nil
        }
        // After a clock was set back, a recorded time may lie in the future.
        if let last, last.time <= now, now - last.time < interval { return nil }
        let words = beginning + staleness + "."
        try sources.save(StaleNotice(words: words, time: now))
        return words
    }
}
