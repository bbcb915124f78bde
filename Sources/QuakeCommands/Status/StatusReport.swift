import QuakeMirror

/// The status of a cache in one state.
struct StatusReport {
    let path: String
    let now: Timestamp
    let statistics: StoreStatistics
    /// The feeds, each with the pause in force, if any.
    let feeds: [FeedRecord]
    let unconfirmedChanges: [(change: UnconfirmedChange, quake: Quake?)]
    let consumers: [ConsumerStanding]
    /// Ranges of origin time that no complete document has covered.
    let gaps: [Range<Timestamp>]
    /// The end of the data; nil if no document was read.
    let dataEnds: Timestamp?
    let coveredRanges: [CoveredRange]
    /// The unresolved ids, for which the coverage is uncertain.
    let idsInQuestion: [IDInQuestion]
    /// The parts that backfills have yet to fetch, except for the last day. Empty while a backfill may be running.
    let unfinished: [CoveredRange]
    let head: HistoryToken
    let floor: HistoryFloor
    /// Whether this is a past state. Feeds, unconfirmed changes, consumers and sizes have no history, so for a past
    /// state they are omitted, or null in JSON.
    let isPast: Bool
    /// The last transaction in this state.
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
        (
            statistics, feeds, unconfirmedChanges, consumers, gaps, dataEnds, coveredRanges, idsInQuestion, unfinished,
            head, floor, last
        ) =
            try context.snapshot {
                let coverage = try context.sources.coverage()
                return (
                    try context.maintenance.statistics(), try context.sources.feeds().map { $0.paused(at: now) },
                    try context.sources.unconfirmedChanges().map {
                        ($0, try context.unmergedQuake(forKey: $0.quakeKey)?.quake)
                    },
                    try context.history.consumers().map { try ConsumerStanding($0, in: context, now: now) },
                    coverage.gaps(at: now), try context.endOfData(), coverage.coveredRanges, coverage.idsInQuestion,
                    isBackfillBarred ? [] : coverage.missing(until: now - .seconds(86_400)),
                    try context.history.head(), try context.history.floor(),
                    try context.history.transaction(context.history.head().number)
                )
            }
    }

    var age: DataAge { DataAge(feeds: feeds, coveredRanges: coveredRanges, now: now, limits: limits) }
    var lastSuccess: Timestamp? { age.lastSuccess }

    /// Returns the command that fills `gap` and fetches the days before and after it. A quarter of all quakes are
    /// published more than an hour after they happen, so some quakes next to the gap are missing as well.
    func filling(_ gap: Range<Timestamp>) -> String {
        let (first, last) = (gap.lowerBound - .seconds(86_400), gap.upperBound + .seconds(2 * 86_400))
        return command.line("backfill", "--since", first.dayWords, "--until", last.dayWords)
    }
}

extension FeedRecord {
    /// The last time the feed responded successfully or one of its documents was applied. Nil for the event service,
    /// which is not a feed.
    var lastSuccess: Timestamp? { isService ? nil : [checked, applied].compactMap { $0 }.max() }

    /// Returns the record with the pause in force at `moment`, if any.
    fileprivate func paused(at moment: Timestamp) -> FeedRecord {
        var feed = self
        feed.pause = pause(at: moment)
        return feed
    }
}
