import QuakeMirror

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
    let claims: [Claim]
    /// What the claims are not true of.
    let questions: [OpenQuestion]
    /// What is missing of what backfills asked for, but for the last day.
    let unfinished: [Claim]
    /// Whether a backfill, or anything else that keeps one from starting, is running.
    let isBackfillBarred: Bool
    let head: HistoryToken
    let floor: HistoryFloor
    /// Whether this is an earlier state. Feeds, doubts, consumers and sizes have no history: they are omitted then, and
    /// null in JSON.
    let isPast: Bool
    /// The last transaction of that state.
    let last: HistoryTransaction?
    private(set) var problems: [StatusProblem] = []
    private let command: CacheCommand

    init(
        _ context: QuakeContext, now: Timestamp, isPast: Bool = false, limits: ProblemLimits = ProblemLimits(),
        command: CacheCommand = CacheCommand()
    ) throws {
        (self.now, self.isPast, self.command) = (now, isPast, command)
        path = context.cache.path
        isBackfillBarred = CacheLock.isHeld(cacheAt: path)
        let feeds: [FeedRecord]
        (statistics, feeds, doubts, consumers, gaps, claims, questions, unfinished, head, floor, last) =
            try context.snapshot {
                let coverage = try context.sources.coverage()
                return (
                    try context.maintenance.statistics(), try context.sources.feeds(),
                    try context.sources.doubts().map { ($0, try context.savedQuake(forKey: $0.quakeKey)?.quake) },
                    try context.history.consumers().map { try ConsumerStanding($0, in: context, now: now) },
                    coverage.gaps(at: now), coverage.claims, coverage.questions,
                    coverage.missing(until: now - .seconds(86_400)),
                    try context.history.head(), try context.history.floor(),
                    try context.history.transaction(context.history.head().number)
                )
            }
        self.feeds = feeds.map { feed in
            var feed = feed
            feed.pause = feed.pause(at: now)
            return feed
        }
        problems = problems(limits, command)
    }

    /// When a feed was last read successfully, or a file last applied.
    var lastSuccess: Timestamp? { feeds.compactMap(\.lastSuccess).max() }

    /// When the newest document was generated, or the newest answer to a backfill.
    var newestData: Timestamp? { (feeds.compactMap(\.generated) + claims.map(\.asOf)).max() }

    /// `isVerbose`: with each doubt.
    func writeText(_ lines: WrappedLines, isVerbose: Bool) {
        func line(_ name: String, _ value: String) {
            // A command stays in one piece, so that it can be copied.
            let isCommand = ["run: "].contains { value.hasPrefix($0) }
            lines.append(label: name.padding(to: 12), value, isWhole: isCommand)
        }
        line("cache", path)
        line("quakes", "\(statistics.quakes.grouped)\(span)")
        line(
            "history",
            "\(statistics.transactions.counted("transaction")), \(statistics.changes.counted("change"))\(floorWords)")
        line("token", head.description)
        if isPast {
            line(
                "as of",
                "transaction \(head.number)\(last.map { ", \($0.time.momentWords), \($0.publishedWords)" } ?? "")")
            return
        }
        line(
            "size",
            statistics.fileBytes.byteWords + (statistics.logBytes > 0 ? ", log \(statistics.logBytes.byteWords)" : ""))
        line("fresh", lastSuccess.map { $0.age(at: now) } ?? "never")
        writeFeeds(line)
        writeDoubts(line, isVerbose: isVerbose)
        if let words = awaitingWords { line("awaiting", words) }
        writeGaps(line)
        for words in claims.words(now: now) { line("coverage", words) }
        writeQuestions(line)
        for standing in consumers {
            let words =
                standing.fault == nil
                ? "read up to transaction \(standing.consumer.number) of \(head.number)"
                : "its token is no longer valid (\(standing.state))"
            line("consumer", "\(standing.consumer.name): \(words)")
        }
        writeProblems(line)
    }

    /// The problems, of each kind only some, each with the command that helps.
    private func writeProblems(_ line: (String, String) -> Void) {
        for code in StatusProblem.Code.allCases {
            let all = problems.filter { $0.code == code }
            for problem in all.prefix(StatusReport.mostProblems) {
                line("problem", problem.message)
                if let command = problem.command { line("", "run: \(command)") }
            }
            let rest = all.count - StatusReport.mostProblems
            if rest > 0 { line("problem", "and \(rest) more like this; --format json lists all") }
        }
    }

    /// The summary feeds, and of all other sources those that were asked last: a screen has room for no more.
    private func writeFeeds(_ line: (String, String) -> Void) {
        let sources = feeds.filter { !$0.source.isService }
        let others = sources.filter { FeedName($0.name) == nil }
            .sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        let hidden = Set(others.dropFirst(StatusReport.mostSources).map(\.name))
        for feed in sources where !hidden.contains(feed.name) {
            line("feed", feedWords(feed))
            if let error = feed.error, let time = feed.errorTime { line("", "failed \(time.age(at: now)): \(error)") }
        }
        guard !hidden.isEmpty else { return }
        let failing = others.dropFirst(StatusReport.mostSources).count { $0.error != nil }
        line(
            "feed",
            "and \(hidden.count) more\(failing > 0 ? ", \(failing) of them failing" : ""); --format json lists all")
    }

    /// How many quakes are in doubt, and why; with `isVerbose` each, the latest first.
    private func writeDoubts(_ line: (String, String) -> Void, isVerbose: Bool) {
        guard !doubts.isEmpty else { return }
        let counts = Doubt.Kind.allCases.map { kind in (kind, doubts.count { $0.doubt.kind == kind }) }
        let kinds = counts.filter { $0.1 > 0 }.map { kind, count in kind.words(count) }
        let quakes = Set(doubts.map(\.doubt.quakeKey)).count.counted("quake")
        line("unconfirmed", "\(quakes) (\(kinds.joined(separator: ", ")))\(isVerbose ? "" : "; -v says which")")
        guard isVerbose else { return }
        for (doubt, quake) in doubts.sorted(by: { $0.doubt.last > $1.doubt.last }) {
            let name = quake.map { "\($0.id), \($0.headline)" } ?? "quake \(doubt.quakeKey)"
            line("", "\(name): \(doubt.words), \(doubt.sightings.counted("snapshot")) since \(doubt.first.momentWords)")
        }
    }

    /// The newest gaps, each with the command that fills it.
    private func writeGaps(_ line: (String, String) -> Void) {
        let shown = gaps.suffix(StatusReport.mostGaps)
        if gaps.count > shown.count { line("gap", "\((gaps.count - shown.count).counted("older gap")) not shown") }
        for gap in shown {
            line("gap", "\(gap.lowerBound.minuteWords) to \(gap.upperBound.minuteWords) UTC: quakes may be missing")
            line("", "run: \(filling(gap))")
        }
    }

    /// The command that fills `gap`, and a day before and after it: a quarter of all quakes are published more than an
    /// hour after they happened, so that some of those beside the gap are missing too.
    func filling(_ gap: Range<Timestamp>) -> String {
        let (first, last) = (gap.lowerBound - .seconds(86_400), gap.upperBound + .seconds(2 * 86_400))
        return command.line("backfill", "--since", first.dayWords, "--until", last.dayWords)
    }

    /// The ids that coverage is not true of.
    private func writeQuestions(_ line: (String, String) -> Void) {
        guard !questions.isEmpty else { return }
        let shown = questions.prefix(StatusReport.mostQuestions).map(\.id)
        let rest = questions.count > shown.count ? " and \((questions.count - shown.count).grouped) more" : ""
        line(
            "in question",
            "\(questions.count.counted("quake")) to ask the event service about: \(shown.joined(separator: ", "))\(rest)"
        )
    }

    private static let mostQuestions = 5
    private static let mostSources = 10
    private static let mostGaps = 5
    private static let mostProblems = 1

    private var span: String {
        guard let earliest = statistics.earliest, let latest = statistics.latest else { return "" }
        return ", \(earliest.momentWords) to \(latest.momentWords)"
    }

    /// How many missing quakes the event service is to confirm, and why it could not be asked.
    private var awaitingWords: String? {
        let count = doubts.count { $0.doubt.awaitsService }
        guard count > 0 else { return nil }
        var words = "\(count.counted("missing quake")) \(count == 1 ? "waits" : "wait") for the event service"
        if let service = feeds.last(where: { $0.source.isService && $0.error != nil }) {
            if let time = service.errorTime { words += ", which failed \(time.age(at: now))" }
            words += ": \(service.error ?? "")"
        }
        return words
    }

    private var floorWords: String {
        floor.number == .zero
            ? "" : ", purged up to transaction \(floor.number)\(floor.time.map { " of \($0.momentWords)" } ?? "")"
    }

    private func feedWords(_ feed: FeedRecord) -> String {
        var words = feed.title
        if let count = feed.featureCount { words += ", \(count.counted("quake"))" }
        if let generated = feed.generated { words += ", generated \(generated.momentWords)" }
        if let checked = feed.checked { words += ", last asked \(checked.age(at: now))" }
        if let pause = feed.pause?.end { words += "; paused by the server until \(pause.momentWords)" }
        return words
    }
}

extension FeedRecord {
    /// When the feed last answered successfully, or a document of it was applied. Nil for the event service, which is
    /// no feed.
    var lastSuccess: Timestamp? { source.isService ? nil : [checked, applied].compactMap { $0 }.max() }
}

extension Doubt {
    fileprivate var words: String {
        switch kind {
        case .absent: "missing"
        case .backward: "an older version shown"
        case .place: claimedName.map { "place named “\($0)”" } ?? "unnamed place"
        }
    }
}

extension Doubt.Kind {
    /// How many doubts of this kind there are: `4 missing`, `37 place names`.
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .absent: "\(count.grouped) missing"
        case .backward: count.counted("older version")
        case .place: count.counted("place name")
        }
    }
}
