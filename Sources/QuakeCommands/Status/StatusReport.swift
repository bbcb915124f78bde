import QuakeMirror

/// What a cache says of itself, in one state.
struct StatusReport {
    let path: String
    let now: Timestamp
    let statistics: StoreStatistics
    /// Each with the pause that is in force, if any.
    let feeds: [FeedRecord]
    let doubts: [(doubt: Doubt, quake: Quake?)]
    let consumers: [ConsumerStanding]
    /// Stretches of origin time that no complete document has covered.
    let gaps: [Range<Timestamp>]
    /// Where the data ends; nil if no document was read.
    let dataEnds: Timestamp?
    let claims: [Claim]
    /// What the claims are not true of.
    let questions: [OpenQuestion]
    /// What is missing of what backfills asked for, but for the last day. None while a backfill may be running.
    let unfinished: [Claim]
    let head: HistoryToken
    let floor: HistoryFloor
    /// Whether this is an earlier state. Feeds, doubts, consumers and sizes have no history: they are omitted then, and
    /// null in JSON.
    let isPast: Bool
    /// The last transaction of that state.
    let last: HistoryTransaction?
    let limits: ProblemLimits
    let command: CacheCommand

    init(
        _ context: QuakeContext, now: Timestamp, isPast: Bool = false, limits: ProblemLimits = ProblemLimits(),
        command: CacheCommand = CacheCommand()
    ) throws {
        (self.now, self.limits, self.command) = (now, limits, command)
        (self.isPast, path) = (isPast, context.cache.path)
        let isBackfillBarred = CacheLock.isHeld(cacheAt: path)
        (statistics, feeds, doubts, consumers, gaps, dataEnds, claims, questions, unfinished, head, floor, last) =
            try context.snapshot {
                let coverage = try context.sources.coverage()
                return (
                    try context.maintenance.statistics(), try context.sources.feeds().map { $0.paused(at: now) },
                    try context.sources.doubts().map { ($0, try context.savedQuake(forKey: $0.quakeKey)?.quake) },
                    try context.history.consumers().map { try ConsumerStanding($0, in: context, now: now) },
                    coverage.gaps(at: now), try context.endOfData(), coverage.claims, coverage.questions,
                    isBackfillBarred ? [] : coverage.missing(until: now - .seconds(86_400)),
                    try context.history.head(), try context.history.floor(),
                    try context.history.transaction(context.history.head().number)
                )
            }
    }

    /// When a feed was last read successfully, a file last applied, or a backfill last answered.
    var lastSuccess: Timestamp? {
        (feeds.compactMap(\.lastSuccess) + claims.filter { $0.source == .backfill }.map(\.asOf)).max()
    }

    /// When the newest document was generated, or the newest answer to a backfill.
    var newestData: Timestamp? { (feeds.compactMap(\.generated) + claims.map(\.asOf)).max() }

    /// The command that fills `gap`, and a day before and after it: a quarter of all quakes are published more than an
    /// hour after they happened, so that some of those beside the gap are missing too.
    func filling(_ gap: Range<Timestamp>) -> String {
        let (first, last) = (gap.lowerBound - .seconds(86_400), gap.upperBound + .seconds(2 * 86_400))
        return command.line("backfill", "--since", first.dayWords, "--until", last.dayWords)
    }
}

extension FeedRecord {
    /// When the feed last answered successfully, or a document of it was applied. Nil for the event service, which is
    /// no feed.
    var lastSuccess: Timestamp? { isService ? nil : [checked, applied].compactMap { $0 }.max() }

    /// The record with the pause that is in force at `moment`, if any.
    fileprivate func paused(at moment: Timestamp) -> FeedRecord {
        var feed = self
        feed.pause = pause(at: moment)
        return feed
    }
}
