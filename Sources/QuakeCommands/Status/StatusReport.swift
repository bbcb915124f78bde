import QuakeMirror

/// The status of a cache, in its present state or a past one.
struct StatusReport {
    let path: String
    let now: Timestamp
    let statistics: StoreStatistics
    /// The feeds and event services, each with the pause that its server has asked for, unless the pause has ended.
    let feeds: [FeedRecord]
    let unconfirmedChanges: [(change: UnconfirmedChange, quake: Quake?)]
    let consumers: [ConsumerStatus]
    /// The ranges of origin time that no complete document covers.
    let gaps: [Range<Timestamp>]
    /// The end of the data; nil if no document was read.
    let dataEnds: Timestamp?
    let coveredRanges: [CoveredRange]
    /// The ids in question: ids whose meaning the event service has yet to confirm. The coverage does not include their
    /// quakes.
    let idsInQuestion: [IDInQuestion]
    /// The requested parts of the catalog that backfills have not fetched yet, apart from the last day. Empty while a
    /// backfill may be running.
    let unfinished: [CoveredRange]
    let head: HistoryToken
    let floor: HistoryFloor
    /// Whether this is a past state. Feeds, unconfirmed changes, consumers and sizes have no history, so for a past
    /// state they are omitted or, in JSON, null.
    let isPast: Bool
    /// The last transaction in this state; nil if there is none or it was purged.
    let last: HistoryTransaction?
    let limits: ProblemLimits
    let command: SuggestedCommand

    init(
        _ context: QuakeContext, now: Timestamp, isPast: Bool = false, limits: ProblemLimits = ProblemLimits(),
        command: SuggestedCommand = SuggestedCommand()
    ) throws {
        // Check the lock first: if a backfill ended between the snapshot and the check, what it fetched would count as
        // missing.
        let isBackfillBarred = CacheLock.isHeld(cacheAt: context.cache.path)
        self = try context.snapshot {
            try StatusReport(
                pinned: context, now: now, isPast: isPast, limits: limits, command: command,
                isBackfillBarred: isBackfillBarred)
        }
    }

    private init(
        pinned context: QuakeContext, now: Timestamp, isPast: Bool, limits: ProblemLimits, command: SuggestedCommand,
        isBackfillBarred: Bool
    ) throws {
        self.now = now
        self.limits = limits
        self.command = command
        self.isPast = isPast
        path = context.cache.path
        statistics = try context.maintenance.statistics()
        feeds = try context.sources.feeds().map { $0.withActivePause(at: now) }
        unconfirmedChanges = try context.sources.unconfirmedChanges().map {
            ($0, try context.unmergedQuake(forKey: $0.quakeKey)?.quake)
        }
        consumers = try context.history.consumers().map { try ConsumerStatus($0, in: context, now: now) }
        let coverage = try context.sources.coverage()
        gaps = coverage.gaps(at: now)
        dataEnds = try context.endOfData()
        coveredRanges = coverage.coveredRanges
        idsInQuestion = coverage.idsInQuestion
        unfinished = isBackfillBarred ? [] : coverage.missing(until: now - .seconds(86_400))
        head = try context.history.currentToken()
        floor = try context.history.floor()
        last = try context.history.transaction(head.number)
    }

    var age: DataAge { DataAge(feeds: feeds, coveredRanges: coveredRanges, now: now, limits: limits) }
    var lastSuccess: Timestamp? { age.lastSuccess }

    /// Returns the command that fetches `gap` and the days before and after it. A quarter of all quakes are published
    /// more than an hour after they happen, so some quakes next to the gap are missing, too.
    func commandToFill(_ gap: Range<Timestamp>) -> String {
        let first = gap.lowerBound - .seconds(86_400)
        let last = gap.upperBound + .seconds(2 * 86_400)
        return command.line("backfill", "--since", first.dayWords, "--until", last.dayWords)
    }
}

extension FeedRecord {
    /// Returns the record with the pause in effect at `moment`, if any.
    fileprivate func withActivePause(at moment: Timestamp) -> FeedRecord {
        var feed = self
        feed.pause = pause(at: moment)
        return feed
    }
}
