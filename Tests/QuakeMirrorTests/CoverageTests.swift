import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeStore

// Proves rule 21 of mirroring.md.
@Suite("Coverage by feeds, and its gaps", .scratch) struct CoverageTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory.ofTest() }

    private static let day: Int64 = 1440

    typealias Answer = (url: String, body: Data)

    /// Applies documents, each a response to its own request, and returns the gaps at `now`, in minutes.
    private func gaps(_ documents: [Answer], at now: Int64) throws -> [Range<Int64>] {
        let transport = ScriptedTransport { url in
            .init(status: 200, body: documents.first { $0.url == url }?.body ?? Data())
        }
        let replay = try Replay(in: directory, transport: transport, now: .minute(now))
        for document in documents { _ = try replay.apply(.url(document.url)) }
        return try replay.context.sources.coverage().gaps(at: .minute(now)).map {
            $0.lowerBound.minutes..<$0.upperBound.minutes
        }
    }

    private static func feed(_ name: String, at minute: Int64) -> Answer {
        // There is no month without a quake.
        let listed = [Quake.sample("us", "\(minute)", time: .minute(minute - 1))]
        return ("https://example.org/\(minute)/\(name).geojson", Document.feed(name, at: minute, listed))
    }

    private static func query(_ since: Int64, _ until: Int64, at minute: Int64, more: String = "") -> Answer {
        let url =
            "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson"
            + "&starttime=\(Timestamp.minute(since).iso8601)&endtime=\(Timestamp.minute(until).iso8601)\(more)"
        let metadata = #"{"generated":\#(Timestamp.minute(minute).milliseconds),"url":"\#(url)","count":0}"#
        return (url, Data(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":[]}"#.utf8))
    }

    @Test("Gaps in a filter's period lie before, between and after the covered ranges") func gaps() throws {
        func recordCoverage(_ from: Int64, _ until: Int64, asOf: Int64? = nil, above magnitude: Double? = nil)
            -> CoveredRange
        {
            CoveredRange(
                conditions: QuakeFilter(minimumMagnitude: magnitude),
                originTimes: .minute(from)..<Timestamp.minute(until), asOf: .minute(asOf ?? until))
        }
        func gap(
            _ since: Int64?, _ until: Int64?, above magnitude: Double? = nil, _ coveredRanges: CoveredRange...
        ) -> [Range<Int64>] {
            let filter = QuakeFilter(
                minimumMagnitude: magnitude, since: since.map { .minute($0) }, until: until.map { .minute($0) })
            return Coverage(coveredRanges).gaps(in: filter).map { $0.lowerBound.minutes..<$0.upperBound.minutes }
        }
        #expect(gap(0, 20, recordCoverage(5, 20)) == [0..<5])
        #expect(gap(5, 40, recordCoverage(5, 10), recordCoverage(15, 40)) == [10..<15])
        #expect(gap(5, nil, recordCoverage(5, 20), recordCoverage(20, 40)).isEmpty)
        #expect(gap(5, 60, recordCoverage(5, 40)).isEmpty)
        #expect(gap(5, 50, recordCoverage(5, 15), recordCoverage(5, 60, above: 3)).isEmpty)
        #expect(gap(5, 500, recordCoverage(5, 15), recordCoverage(5, 600, above: 3)) == [15..<500])
        #expect(gap(5, 500, above: 4, recordCoverage(5, 15), recordCoverage(5, 600, above: 3)).isEmpty)
        #expect(gap(nil, 50, recordCoverage(5, 15)).isEmpty && gap(0, 50) == [0..<50])
        #expect(gap(0, 500, recordCoverage(5, 10), recordCoverage(15, 40)) == [0..<5, 10..<15, 40..<500])
    }

    private static let slept = [feed("all_day", at: 0), feed("all_month", at: 60 * day)]
    private static let past = -5000 * day

    @Test(
        "Two months without a refresh leave a gap until a query without conditions covers it",
        arguments: [
            ("slept for two months", slept, 60 * day, [0..<30 * day]),
            // It is told before the first refresh, as far as no feed will reach back.
            ("in time", [feed("all_day", at: 0)], 29 * day, []),
            ("too late", [feed("all_day", at: 0)], 60 * day, [0..<30 * day]),
            ("overlap", [feed("all_hour", at: 0), feed("all_hour", at: 59), feed("all_hour", at: 119)], 120, []),
            ("filled", slept + [query(-day, 31 * day, at: 60 * day)], 60 * day, []),
            ("partly", slept + [query(0, 10 * day, at: 60 * day)], 60 * day, [10 * day..<30 * day]),
            ("large", slept + [query(0, 31 * day, at: 60 * day, more: "&minmagnitude=2")], 60 * day, [0..<30 * day]),
            (
                "in two", slept + [query(0, 12 * day, at: 60 * day), query(12 * day, 31 * day, at: 60 * day)], 60 * day,
                []
            ),
            // A query for a catalog of the past begins no time that could have been missed.
            (
                "catalog",
                [
                    query(past, past + 900 * day, at: -1), feed("all_day", at: 0), query(2 * past, past, at: 1),
                    query(past, -10, at: 2),
                ], 3, []
            ),
        ] as [(String, [Answer], Int64, [Range<Int64>])])
    func gapsOfFeeds(name: String, documents: [Answer], now: Int64, missed: [Range<Int64>]) throws {
        #expect(try gaps(documents, at: now) == missed)
    }

    @Test("A feed such as 4.5_month, a dry run or an incomplete document closes no gap in coverage")
    func partialDocuments() throws {
        let cut = Document.feed("all_day", at: 10 * Self.day, features: [], count: 3)
        let documents = [
            Self.feed("all_hour", at: 0), Self.feed("4.5_month", at: 10 * Self.day), ("https://example.org/cut", cut),
            Self.feed("all_hour", at: 11 * Self.day),
        ]
        #expect(try gaps(documents, at: 11 * Self.day) == [0..<11 * Self.day - 60])
        let replay = try Replay(in: directory, now: .minute(11 * Self.day))
        let month = Self.feed("all_month", at: 11 * Self.day).body
        _ = try replay.rehearse(month)
        #expect(try replay.context.sources.coverage().gaps(at: .minute(11 * Self.day)).count == 1)
        try replay.apply(month)
        #expect(try replay.context.sources.coverage().gaps(at: .minute(11 * Self.day)) == [])
    }

    @Test("A feed such as 2.5_week covers only its magnitudes, and a significant feed covers nothing")
    func magnitudeBands() throws {
        let quake = FeedText.feature(.sample("us", "1", magnitude: 5))
        for (name, minimum) in [("1.0_day", 0.95), ("2.5_week", 2.45), ("4.5_hour", 4.45), ("significant_month", nil)] {
            for (feature, count, isWhole) in [
                (quake, 1, true), (quake, 2, false), (quake.replacing(#","id":""#, with: #","was":""#), 1, false),
                (quake.replacing(#""mag":5.0"#, with: #""mag":50"#), 1, false),
            ] {
                let replay = try Replay(in: directory, name: "\(UUID()).db", now: .minute(0))
                let body = Document.feed(
                    name, at: 0, features: [feature, FeedText.feature(.sample("us", "2", magnitude: 5))],
                    count: count + 1)
                try replay.apply(body)
                let coveredRanges = try replay.context.sources.coveredRanges()
                #expect(
                    coveredRanges.map(\.conditions.minimumMagnitude) == (isWhole && minimum != nil ? [minimum] : []))
                #expect(coveredRanges.allSatisfy { $0.source == .feed && $0.originTimes.upperBound == .minute(0) })
                guard isWhole, minimum != nil else { continue }
                try replay.context.maintenance.purge(QuakeFilter(since: .minute(-40), until: .minute(-20)))
                #expect(try replay.context.sources.coveredRanges().count == 2)
                let purge = try #require(try replay.context.history.lastPurge())
                try replay.context.undo(transaction: purge.number)
                #expect(try replay.context.sources.coveredRanges() == coveredRanges)
            }
        }
    }

    @Test(
        "A feed older than a quake's deletion or rename does not cover the quake's time",
        arguments: [false, true])
    func outdatedFeed(isRenamed: Bool) throws {
        let settings = MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)
        let replay = try Replay(in: directory, settings: settings, now: .minute(20))
        let (quake, other) = (Quake.sample("us", "1"), Quake.sample("nc", "5"))
        let later = isRenamed ? [Quake.sample("pr", "1", ids: ["pr1", "us1"]), other] : [other]
        for (name, minute, quakes) in [
            ("all_day", 0, [quake, other]), ("all_hour", 10, later), ("all_week", 5, [quake, other]),
        ] as [(String, Int64, [Quake])] {
            try replay.apply(Document.feed(name, at: minute, quakes))
        }
        #expect(try replay.context.quake(id: "us1")?.quake.id == (isRenamed ? "pr1" : nil))
        let coveredRanges = try replay.context.sources.coveredRanges()
        #expect(coveredRanges.map(\.originTimes.lowerBound).min() == .minute(5 - 7 * Self.day))
        let unclear = isRenamed ? later[0].originTime : quake.originTime
        #expect(!coveredRanges.contains { $0.originTimes.contains(unclear) && $0.asOf == .minute(5) })
    }

    @Test("A feed that lists a quake at an outdated origin time does not cover that time") func outdatedTime() throws {
        let replay = try Replay(in: directory, now: .minute(20))
        let (then, now) = (Timestamp.minute(-3_000), Timestamp.minute(-1))
        let listed = Quake.sample("us", "1", time: then)
        try replay.apply(Document.feed("all_week", at: -2_900, [listed]))
        try replay.apply(Document.feed("all_hour", at: 10, [.sample("pr", "1", ids: ["pr1", "us1"], time: now)]))
        #expect(try replay.context.quake(id: "us1")?.quake.originTime == now)
        try replay.apply(Document.feed("all_week", at: 5, [listed, .sample("us", "2", time: now)]))
        func asOf(_ time: Timestamp) throws -> [Timestamp] {
            try replay.context.sources.coveredRanges().filter { $0.originTimes.contains(time) }.map(\.asOf)
        }
        let (disputed, others) = (try asOf(then), try asOf(then + .seconds(60)))
        #expect(disputed == [] && others == [.minute(5)])
    }

    @Test("A feed or query response dated 20 hours in the future covers no time after now") func documentDatedAhead()
        throws
    {
        for (body, since) in [
            (Self.feed("all_day", at: 20 * 60), -4 * 60), (Self.query(-60, 20 * 60, at: 20 * 60), -60),
        ] {
            _ = try gaps([body], at: 0)
            let coveredRanges = try QuakeContext(QuakeCache(path: directory.path("quakes.db")), access: .reading)
                .sources
                .coveredRanges()
            #expect(coveredRanges.contains { $0.originTimes == .minute(Int64(since))..<(.minute(0)) })
            #expect(coveredRanges.allSatisfy { $0.originTimes.upperBound <= .minute(0) })
        }
    }
}

extension Timestamp {
    /// Minutes since minute 0.
    fileprivate var minutes: Int64 { (milliseconds - Timestamp.minute(0).milliseconds) / 60_000 }
}
