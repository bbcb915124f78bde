import QuakeMirror

/// The warning that the data is stale. If a server keeps sending an old document, refreshes succeed, so no error
/// reveals that the data is stale. A refresh warns when the data becomes stale, and then once a day, even with
/// `--quiet`.
enum StaleWarning {
    private static let interval = Duration.seconds(86_400)
    private static let beginning = "quakes: The data is stale: "

    /// Whether `line` of the output of a refresh is this warning.
    static func isIn(_ line: Substring) -> Bool { line.hasPrefix(beginning) }

    /// Returns and records the warning if it is due; otherwise returns nil.
    static func due(in context: QuakeContext, now: Timestamp) throws -> String? {
        let sources = context.sources
        let age = DataAge(feeds: try sources.feeds(), coveredRanges: try sources.coveredRanges(), now: now)
        let last = try sources.staleNotice()
        guard let staleness = age.staleness else {
            if last != nil { try sources.save(nil) }
            return nil
        }
        // If a clock was set back, the recorded time may lie in the future; the warning is then due.
        if let last, last.time <= now, now - last.time < interval { return nil }
        let words = beginning + staleness + ". `quakes status` shows what to do."
        try sources.save(StaleNotice(words: words, time: now))
        return words
    }
}
