import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Problems in status", .scratch) struct StatusProblemTests {
    private let context: QuakeContext

    init() throws { context = try newCache() }

    @Test("quakes status finds no problem in a cache refreshed a minute or some hours ago") func freshCache() throws {
        for seconds in [10 * 3600, 60] {
            try context.succeed("all_hour", ago: .seconds(seconds), generated: .sample - .seconds(seconds + 60))
            #expect(try context.problems() == [])
        }
    }

    @Test("quakes status reports \"never-refreshed\" until a feed has been read successfully") func neverRefreshed()
        throws
    {
        #expect(try context.problems() == [.neverRefreshed])
        try context.fail("all_hour")
        let problems = try context.report().problems
        #expect(problems.map(\.code) == [.neverRefreshed, .failingFeed])
        #expect(problems.map(\.command) == ["quakes refresh", "quakes refresh all_hour"])
        #expect(problems.last?.message == "reading all_hour failed 60 s ago")
        try context.succeed("event service query", ago: .zero)
        #expect(try context.problems().first == .neverRefreshed)
    }

    @Test("quakes status reports hard links to the cache and a command that finds them") func hardLinks() throws {
        try context.succeed("all_hour", ago: .seconds(60))
        let path = context.cache.path
        let other = path + ".other"
        #expect(link(path, other) == 0)
        let problem = try #require(try context.report().problems.first)
        #expect(problem.code == .hardLinks)
        #expect(problem.message.hasPrefix("the file has 2 names (hard links), so nothing can write to it"))
        #expect(problem.command == "find \"$(stat -c %m \(path))\" -xdev -samefile \(path)")
        #expect(unlink(other) == 0)
        #expect(try context.problems() == [])
    }

    @Test("quakes status reports \"stale\" after a day without a successful read, or after --max-age") func stale()
        throws
    {
        try context.succeed("all_hour", ago: .seconds(86_401))
        let problem = try #require(try context.report().problems.first)
        #expect(problem.code == .stale && problem.message == "no data has been read successfully for 24 hours")
        try context.succeed("all_day", ago: .seconds(700))
        #expect(try context.problems() == [])
        #expect(try context.problems(ProblemLimits(age: .seconds(600))) == [.stale])
    }

    @Test("quakes status finds no problem if backfills alone keep the cache up to date") func backfillOnly() throws {
        for (age, problems) in [(Duration.seconds(3_600), [StatusProblem.Code]()), (.seconds(2 * 86_400), [.stale])] {
            let context = try newCache()
            let asOf = Timestamp.sample - age
            try context.write { try $0.add(CoveredRange(originTimes: asOf - .seconds(60)..<asOf, asOf: asOf)) }
            try context.succeed("event service query", ago: .zero)
            #expect(try context.endOfData() == asOf)
            #expect(try context.problems() == problems)
        }
    }

    @Test("quakes status reports \"stale\" if all feeds stand still, even if the newest copy is of a longer feed")
    func frozenFeeds() throws {
        for (age, problems) in [(Duration.seconds(24 * 3600), [StatusProblem.Code]()), (.seconds(26 * 3600), [.stale])]
        {
            let context = try newCache()
            for (index, feed) in ["all_hour", "all_day", "all_week", "all_month"].enumerated() {
                try context.succeed(feed, ago: .zero, generated: .sample - age + .seconds(index))
            }
            #expect(try context.problems() == problems)
        }
    }

    @Test("quakes status reports \"stale\" if the data ended 30 hours ago, even after a new download")
    func stoppedData() throws {
        for (age, problems) in [(Duration.seconds(3 * 3600), [StatusProblem.Code]()), (.seconds(30 * 3600), [.stale])] {
            let context = try newCache()
            let end = Timestamp.sample - age
            try context.write {
                try $0.add(CoveredRange(source: .feed, originTimes: end - .seconds(3600)..<end, asOf: end))
            }
            try context.succeed("all_hour", ago: .zero, generated: .sample)
            #expect(try context.problems() == problems)
            let limits = ProblemLimits(age: .seconds(300), dataAge: .seconds(300))
            #expect(try context.problems(limits) == [.stale])
            let metrics = try captured { try context.report().facts.writeMetrics($0) }
            let seconds = end.milliseconds / 1000
            #expect(metrics.contains("quakes_cache_data_ends_timestamp_seconds \(seconds)"), "\(metrics)")
        }
    }

    @Test("quakes status reports a snapshot dated more than 10 minutes ahead of the clock") func datedAhead() throws {
        try context.succeed("all_hour", ago: .zero, generated: .sample + .seconds(600))
        #expect(try context.problems() == [])
        try context.succeed("all_day", ago: .zero, generated: .sample + .seconds(11 * 3600))
        let problem = try #require(try context.report().problems.first)
        let words =
            "the newest copy of all_day is dated 11 hours ahead of this machine's clock; one of the two is wrong"
        #expect(problem.code == .datedAhead && problem.message == words)
    }

    @Test("quakes status does not report a failed event service query if no quake waits for an answer")
    func failedServiceQuery()
        throws
    {
        try context.succeed("all_hour", ago: .zero)
        try context.fail("event service query")
        #expect(try context.problems() == [])
    }

    @Test("quakes status reports an unfinished backfill unless only the last day is missing") func unfinishedBackfill()
        throws
    {
        try context.succeed("all_hour", ago: .zero)
        let box = try QuakeFilter(
            minimumMagnitude: 4.5, boundingBoxes: [BoundingBox(west: -76, south: -56, east: -66, north: -17)])
        let rest = try Timestamp.moment("2024-02-28")..<Timestamp.moment("2025-01-01")
        try context.write { writer in
            try writer.changeCoverage { $0.request(QuakeFilter(), in: rest) }
            try writer.changeCoverage { $0.request(box, in: .sample - .seconds(86_400)..<Coverage.forever) }
        }
        let problems = try context.report().problems.filter { $0.code == .unfinishedBackfill }
        #expect(problems.map(\.command) == ["quakes backfill"])
        #expect(problems.map(\.message) == ["a backfill is not finished (All quakes: 2024-02-28 to 2025-01-01)"])
    }

    @Test("quakes status reports a consumer that read recently only if too many changes are unread")
    func activeConsumer() throws {
        try context.succeed("all_hour", ago: .zero)
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        try context.insert("us7000aa01")
        #expect(try context.problems() == [])
        #expect(try context.problems(ProblemLimits(unreadChanges: 0)) == [.unreadHistory])
    }

    @Test("quakes status reports a consumer that has unread changes and has not read for a week")
    func inactiveConsumer() throws {
        try context.succeed("all_hour", ago: .zero)
        try context.history.acknowledge(context.history.currentToken(), for: "the alarm")
        #expect(try context.problems(later: .seconds(8 * 86_400)) == [.stale])
        try context.insert("us7000aa01")
        let problem = try context.report(later: .seconds(8 * 86_400)).problems.last
        #expect(problem?.code == .unreadHistory)
        #expect(
            problem?.message == "the consumer the alarm last read 8 days ago and has 1 unread change, which "
                + "history purges keep; restart the consumer, or give up these changes with "
                + "`quakes consumers --forget 'the alarm'`")
        #expect(problem?.command == nil)
        let lapsed = try context.report(later: .seconds(31 * 86_400)).problems.last
        #expect(lapsed?.message.contains("purges keep") == false)
    }

    @Test("quakes status gives no unread count, not even 0, for a consumer whose token is invalid") func invalidToken()
        throws
    {
        try context.succeed("all_hour", ago: .zero)
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        for id in ["us7000aa01", "us7000aa02"] { try context.insert(id) }
        try context.history.trim(before: .token(context.history.currentToken()), force: true)
        let report = try context.report()
        #expect(report.problems.map(\.code) == [.invalidToken])
        #expect(report.problems.first?.command == "quakes changes --consumer alarm --ack beginning")
        let text = try captured { report.facts.write(WrappedLines($0, columns: nil), isVerbose: false) }
        #expect(text.contains("  alarm: its token cannot be used: the history after it has been purged\n"), "\(text)")
        let json = try captured { try JSONWriter().line(report.facts.record, to: $0) }
        let counts = #""state":"expired","read_through":0,"unread_transactions":null,"unread_changes":null"#
        #expect(json.contains(counts), "\(json)")
        let metrics = try captured { report.facts.writeMetrics($0) }
        #expect(metrics.contains("quakes_consumer_token_valid{consumer=\"alarm\"} 0"), "\(metrics)")
        #expect(!metrics.contains("quakes_consumer_unread_changes{"), "\(metrics)")
    }

    @Test("quakes status reports a large cache only if it holds at least ten changes per quake") func largeFile() throws
    {
        try context.succeed("all_hour", ago: .zero)
        let limits = ProblemLimits(fileBytes: 4_000)
        #expect(try context.problems(limits) == [.largeFile], "no quake at all")
        try context.insert("us7000aa01")
        #expect(try context.problems(limits) == [])
        for number in 1...9 { try context.revise("us7000aa01", magnitude: Double(number) / 2) }
        #expect(try context.problems(limits) == [.largeFile])
    }

    @Test("quakes status reports a write-ahead log that is larger than a limit, normally 64 MiB") func largeLog() throws
    {
        try context.succeed("all_hour", ago: .zero)
        try context.insert("us7000aa01")
        #expect(try context.problems(ProblemLimits(logBytes: 1_000)) == [.largeLog])
    }

    @Test(
        "quakes status reports a cache written by a newer version of quakes than the running one",
        arguments: [
            ("quakes 99.0", true), ("quakes 1.0.0", false), ("quakes 0.0.9", false), ("quakes 1.0.0-dev", false),
            ("QuakeStore", false), ("quakes 1.0.0.1", true), ("quakes next", false),
        ])
    func newerProgram(program: String, isNewer: Bool) throws {
        let context = try newCache(program: program)
        try context.succeed("all_hour", ago: .zero)
        try context.insert("us7000aa01")
        #expect(try context.problems() == (isNewer ? [.newerProgram] : []))
    }

    @Test("quakes status --at lists no problem, not even that the cache was never refreshed") func pastState() throws {
        #expect(try StatusReport(context, now: .sample, isPast: true).problems.isEmpty)
    }

    @Test(
        "quakes status shows a pause demanded by a server unless it is over or would last a year",
        arguments: [(Duration.seconds(600), true), (.seconds(-1), false), (.seconds(365 * 86_400), false)])
    func pause(end: Duration, isTold: Bool) throws {
        var record = FeedRecord(name: "all_hour")
        (record.checked, record.pause) = (.sample, .init(end: .sample + end, status: 503))
        try context.sources.save(record)
        let report = try context.report()
        let text = try captured { report.facts.write(WrappedLines($0, columns: nil), isVerbose: false) }
        #expect(text.contains("; paused by the server until ") == isTold)
        #expect(report.feeds.map { $0.pause != nil } == [isTold])
    }

    @Test("quakes status without -v prints at most ten problems, each with its command") func atMostTenProblems() throws
    {
        for number in 10...20 { try context.fail("https://example.org/\(number)?a=b&c") }
        let text = try captured { writer in
            try context.report().facts.write(WrappedLines(writer, columns: nil), isVerbose: false)
        }
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("problem") }
        #expect(
            lines.prefix(4) == [
                "problem     no successful read of a feed is recorded",
                "            run: quakes refresh",
                "problem     reading https://example.org/10?a=b&c failed 60 s ago",
                "            run: quakes status --forget 'https://example.org/10?a=b&c'",
            ])
        #expect(lines.count == 21 && lines.last == "problem     and 2 more; use -v to list all")
    }
}

/// A new cache in the test's directory, whose clock shows ``Timestamp/sample``.
private func newCache(program: String = Program.name) throws -> QuakeContext {
    let configuration = StoreConfiguration(program: program, now: { .sample })
    let path = try ScratchDirectory.ofTest().path("\(UUID()).db")
    return try QuakeContext(QuakeCache(path: path, configuration: configuration), access: .creating)
}

extension Timestamp {
    fileprivate static func moment(_ day: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: day + "T00:00Z"))
    }
}

extension QuakeContext {
    fileprivate func report(_ limits: ProblemLimits = ProblemLimits(), later: Duration = .zero) throws -> StatusReport {
        try StatusReport(self, now: Timestamp.sample + later, limits: limits)
    }

    fileprivate func problems(
        _ limits: ProblemLimits = ProblemLimits(), later: Duration = .zero
    ) throws -> [StatusProblem.Code] {
        try report(limits, later: later).problems.map(\.code)
    }

    /// Records that the feed called `name` responded this long before the tests' current time.
    fileprivate func succeed(_ name: String, ago: Duration, generated: Timestamp? = nil) throws {
        var record = FeedRecord(name: name)
        (record.checked, record.generated) = (Timestamp.sample - ago, generated)
        try sources.save(record)
    }

    /// Records that the feed called `name` failed a minute before the tests' current time.
    fileprivate func fail(_ name: String) throws {
        var record = FeedRecord(name: name)
        (record.error, record.errorTime) = ("no route", Timestamp.sample - .seconds(60))
        try sources.save(record)
    }

    fileprivate func insert(_ id: String) throws {
        try write { _ = try $0.insert(Quake(sample: id), reason: .new) }
    }

    fileprivate func revise(_ id: String, magnitude: Double) throws {
        let stored = try #require(try quake(id: id))
        try write { _ = try $0.update(stored, to: Quake(sample: id, magnitude: magnitude), reason: .revised) }
    }
}
