import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Which stretches of origin time a cache has missed", .scratch)
struct CoverageTests {
    private static let day: Int64 = 1440

    /// Applies documents, each a response to its own request, and returns the gaps at `now`, in minutes.
    private func gaps(
        _ documents: [(url: String, body: Data)], at now: Int64, in directory: ScratchDirectory
    ) throws -> [Range<Int64>] {
        let transport = ScriptedTransport { url in
            .init(status: 200, body: documents.first { $0.url == url }?.body ?? Data())
        }
        let replay = try Replay(in: directory, transport: transport, now: .minute(now))
        for document in documents { _ = try replay.apply(.address(document.url)) }
        return try replay.context.sources.gaps(at: .minute(now)).map {
            $0.lowerBound.minutes..<$0.upperBound.minutes
        }
    }

    private func feed(_ name: String, at minute: Int64, _ quakes: Quake...) -> (url: String, body: Data) {
        // There is no month without a quake.
        let listed = quakes.isEmpty ? [Quake.sample("us", "\(minute)", time: .minute(minute - 1))] : quakes
        return ("https://example.org/\(minute)/\(name).geojson", Document.feed(name, at: minute, listed))
    }

    private func query(_ since: Int64, _ until: Int64, at minute: Int64, more: String = "") -> (url: String, body: Data)
    {
        let url =
            "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson"
            + "&starttime=\(Timestamp.minute(since).iso8601)&endtime=\(Timestamp.minute(until).iso8601)\(more)"
        let metadata = #"{"generated":\#(Timestamp.minute(minute).milliseconds),"url":"\#(url)","count":0}"#
        return (url, Data(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":[]}"#.utf8))
    }

    @Test("The first gap in what a filter accepts: before, between and after what is held")
    func firstGap() throws {
        func claim(_ from: Int64, _ until: Int64, asOf: Int64? = nil, above magnitude: Double? = nil) -> Claim {
            Claim(
                conditions: QuakeFilter(minimumMagnitude: magnitude),
                originTimes: .minute(from)..<Timestamp.minute(until), asOf: .minute(asOf ?? until))
        }
        func gap(_ since: Int64?, _ until: Int64?, above magnitude: Double? = nil, _ claims: Claim...) -> Range<Int64>?
        {
            let filter = QuakeFilter(
                minimumMagnitude: magnitude, since: since.map { .minute($0) }, until: until.map { .minute($0) })
            return Coverage(claims).firstGap(in: filter).map { $0.lowerBound.minutes..<$0.upperBound.minutes }
        }
        #expect(gap(0, 20, claim(5, 20)) == 0..<5)
        #expect(gap(5, 40, claim(5, 10), claim(15, 40)) == 10..<15)
        #expect(gap(5, nil, claim(5, 20), claim(20, 40)) == nil)
        #expect(gap(5, 60, claim(5, 40)) == nil)
        #expect(gap(5, 50, claim(5, 15), claim(5, 60, above: 3)) == nil)
        #expect(gap(5, 500, claim(5, 15), claim(5, 600, above: 3)) == 15..<500)
        #expect(gap(5, 500, above: 4, claim(5, 15), claim(5, 600, above: 3)) == nil)
        #expect(gap(nil, 50, claim(5, 15)) == nil && gap(0, 50) == 0..<50)
    }

    @Test("A computer that slept for two months has missed what the month's feed no longer reaches")
    func sleep() throws {
        let directory = try ScratchDirectory.ofTest()
        let documents = [feed("all_day", at: 0), feed("all_month", at: 60 * Self.day)]
        let found = try gaps(documents, at: 60 * Self.day, in: directory)
        #expect(found == [0..<30 * Self.day])
    }

    @Test("It is told before the first refresh, as far as no feed will reach back")
    func beforeTheRefresh() throws {
        let directory = try ScratchDirectory.ofTest()
        let inTime = try gaps([feed("all_day", at: 0)], at: 29 * Self.day, in: directory)
        let tooLate = try gaps([], at: 60 * Self.day, in: directory)
        #expect(inTime == [] && tooLate == [0..<30 * Self.day])
    }

    @Test("Snapshots that overlap leave no gap, also those that change nothing")
    func noGap() throws {
        let directory = try ScratchDirectory.ofTest()
        let documents = [feed("all_hour", at: 0), feed("all_hour", at: 59), feed("all_hour", at: 119)]
        let found = try gaps(documents, at: 120, in: directory)
        #expect(found == [])
    }

    @Test("A feed of large quakes closes no gap of all, and neither does a dry run or a document with features missing")
    func partial() throws {
        let directory = try ScratchDirectory.ofTest()
        let cut = Document.feed("all_day", at: 10 * Self.day, features: [], count: 3)
        let documents = [
            feed("all_hour", at: 0), feed("4.5_month", at: 10 * Self.day), ("https://example.org/cut", cut),
            feed("all_hour", at: 11 * Self.day),
        ]
        #expect(try gaps(documents, at: 11 * Self.day, in: directory) == [0..<11 * Self.day - 60])
        let replay = try Replay(in: directory, now: .minute(11 * Self.day))
        let path = try directory.write(feed("all_month", at: 11 * Self.day).body, to: "month.geojson")
        _ = try replay.rehearse(.file(path))
        #expect(try replay.context.sources.gaps(at: .minute(11 * Self.day)).count == 1)
        _ = try replay.mirror.refresh(.file(path))
        #expect(try replay.context.sources.gaps(at: .minute(11 * Self.day)) == [])
    }

    @Test(
        "A feed of a magnitude band covers it, one of significant quakes nothing, and neither does one that lacks any")
    func bands() throws {
        let quake = FeedText.feature(.sample("us", "1", magnitude: 5))
        for (name, minimum) in [("1.0_day", 0.95), ("2.5_week", 2.45), ("4.5_hour", 4.45), ("significant_month", nil)] {
            for (feature, count, isWhole) in [
                (quake, 1, true), (quake, 2, false), (quake.replacing(#","id":""#, with: #","was":""#), 1, false),
                (quake.replacing(#""mag":5.0"#, with: #""mag":50"#), 1, false),
            ] {
                try withScratchDirectory { directory in
                    let replay = try Replay(in: directory, now: .minute(0))
                    let body = Document.feed(
                        name, at: 0, features: [feature, FeedText.feature(.sample("us", "2", magnitude: 5))],
                        count: count + 1)
                    _ = try replay.apply(try directory.write(body, to: "feed.geojson"))
                    let claims = try replay.context.sources.claims()
                    #expect(claims.map(\.conditions.minimumMagnitude) == (isWhole && minimum != nil ? [minimum] : []))
                    #expect(claims.allSatisfy { $0.source == .feed && $0.originTimes.upperBound == .minute(0) })
                    guard isWhole, minimum != nil else { return }
                    try replay.context.maintenance.purge(QuakeFilter(since: .minute(-40), until: .minute(-20)))
                    #expect(try replay.context.sources.claims().count == 2)
                    let purge = try #require(try replay.context.history.lastPurge())
                    try replay.context.history.undo(transaction: purge.number)
                    #expect(try replay.context.sources.claims() == claims)
                }
            }
        }
    }

    @Test("A query closes a gap when it asks for every quake of it, and only then")
    func filled() throws {
        let slept = [feed("all_day", at: 0), feed("all_month", at: 60 * Self.day)]
        let now = 60 * Self.day + 5
        for (queries, left) in [
            ([query(-Self.day, 31 * Self.day, at: now)], [Range<Int64>]()),
            ([query(0, 10 * Self.day, at: now)], [10 * Self.day..<30 * Self.day]),
            ([query(0, 31 * Self.day, at: now, more: "&minmagnitude=2")], [0..<30 * Self.day]),
            ([query(0, 12 * Self.day, at: now), query(12 * Self.day, 31 * Self.day, at: now)], []),
        ] {
            try withScratchDirectory { directory in
                let found = try gaps(slept + queries, at: now, in: directory)
                #expect(found == left)
            }
        }
    }

    @Test("A feed that lists what newer feeds have deleted or renamed covers all but that", arguments: [false, true])
    func outdated(isRenamed: Bool) throws {
        let directory = try ScratchDirectory.ofTest()
        let settings = MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)
        let replay = try Replay(in: directory, settings: settings, now: .minute(20))
        let (quake, other) = (Quake.sample("us", "1"), Quake.sample("nc", "5"))
        let later = isRenamed ? [Quake.sample("pr", "1", ids: ["pr1", "us1"]), other] : [other]
        for (name, minute, quakes) in [
            ("all_day", 0, [quake, other]), ("all_hour", 10, later), ("all_week", 5, [quake, other]),
        ] as [(String, Int64, [Quake])] {
            _ = try replay.apply(try directory.write(Document.feed(name, at: minute, quakes), to: "feed.geojson"))
        }
        #expect(try replay.context.quake(forID: "us1")?.quake.id == (isRenamed ? "pr1" : nil))
        let claims = try replay.context.sources.claims()
        #expect(claims.map(\.originTimes.lowerBound).min() == .minute(5 - 7 * Self.day))
        let unclear = isRenamed ? later[0].originTime : quake.originTime
        #expect(!claims.contains { $0.originTimes.contains(unclear) && $0.asOf == .minute(5) })
    }

    @Test("A document that is dated hours ahead is about no time to come")
    func future() throws {
        let directory = try ScratchDirectory.ofTest()
        for (body, since) in [(feed("all_day", at: 20 * 60), -4 * 60), (query(-60, 20 * 60, at: 20 * 60), -60)] {
            _ = try gaps([body], at: 0, in: directory)
            let claims = try QuakeCache(path: directory.path("quakes.db")).context(access: .reading).sources
                .claims()
            #expect(claims.contains { $0.originTimes == .minute(Int64(since))..<(.minute(0)) })
            #expect(claims.allSatisfy { $0.originTimes.upperBound <= .minute(0) })
        }
    }

    @Test("A query for a catalog of the past begins no time that could have been missed")
    func catalog() throws {
        let directory = try ScratchDirectory.ofTest()
        let past = -5000 * Self.day
        let documents = [
            query(past, past + 900 * Self.day, at: -1), feed("all_day", at: 0),
            query(2 * past, past, at: 1), query(past, -10, at: 2),
        ]
        let found = try gaps(documents, at: 3, in: directory)
        #expect(found == [])
    }
}

extension Timestamp {
    /// Minutes since minute 0.
    fileprivate var minutes: Int64 { (milliseconds - Timestamp.minute(0).milliseconds) / 60_000 }
}
