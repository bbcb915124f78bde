import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// Problems in a cache's second year: the network is gone, the clock is wrong, or the feed has changed.
@Suite("Outages, wrong clocks and new forms of the feed", .scratch) struct SecondDayTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory.ofTest() }

    private static let day: Int64 = 1440
    private static let year = 365 * day

    private func serving(_ body: Data) -> ScriptedTransport {
        ScriptedTransport { _ in .init(status: 200, body: body) }
    }

    /// Fills the cache from the month at minute 0, with one quake, and returns its token.
    private func start() throws -> HistoryToken {
        let month = Document.feed("all_month", at: 0, [.sample("us", "7000zz01")])
        let replay = try Replay(in: directory, transport: serving(month), now: .minute(1))
        #expect(try replay.mirror.dueFeed() == FeedName(.all, .month))
        #expect(try replay.mirror.refresh(.summary(FeedName(.all, .month))).inserted == [.new: 1])
        try replay.context.history.acknowledge(replay.context.history.currentToken(), for: "alarm")
        return try replay.context.history.currentToken()
    }

    /// Returns the ids of the quakes that the consumer has not seen.
    private func unread(_ context: QuakeContext, after token: HistoryToken) throws -> [String] {
        var ids: [String] = []
        try context.history.fetch(HistoryDescriptor(after: token)) { event in
            if case .change(let relevant) = event { ids.append(relevant.change.after?.id ?? "") }
            if case .dropEverything = event { ids.append("resync") }
        }
        return ids
    }

    @Test("After two days of failed refreshes, one successful refresh adds every missed quake")
    func unreachable() throws {
        let token = try start()
        for hour in [Int64(2), 12, 23, 25, 47] {
            let replay = try Replay(in: directory, now: .minute(hour * 60))
            let due = try replay.mirror.dueFeed()
            #expect(due == FeedName(.all, hour < 24 ? .day : .week))
            #expect(throws: FeedError.self) { try replay.mirror.refresh(.summary(due)) }
            #expect(try replay.context.history.currentToken() == token)
        }
        let missed = [700, 2000].map { Quake.sample("ci", "4900\($0)", updated: .minute($0), time: .minute($0)) }
        let week = Document.feed("all_week", at: 2 * Self.day, [.sample("us", "7000zz01")] + missed)
        let replay = try Replay(in: directory, transport: serving(week), now: .minute(2 * Self.day + 1))
        #expect(try replay.mirror.dueFeed() == FeedName(.all, .week))
        #expect(try replay.mirror.refresh(.summary(FeedName(.all, .week))).inserted == [.new: 2])
        #expect(try replay.context.sources.feed(named: "all_week")?.error == nil)
        #expect(try replay.context.sources.coverage().gaps(at: .minute(2 * Self.day)) == [])
        #expect(try unread(replay.context, after: token) == ["ci4900700", "ci49002000"])
    }

    @Test("With this machine's clock a year behind, feeds are rejected until the clock is corrected")
    func clockBehind() throws {
        let hour = Document.feed("all_hour", at: 5, [.sample("us", "7000zz02", updated: .minute(2), time: .minute(1))])
        let token = try start()
        let wrong = try Replay(in: directory, transport: serving(hour), now: .minute(5 - Self.year))
        let fault = #expect(throws: FeedError.self) {
            try wrong.mirror.refresh(.summary(FeedName(.all, .hour)))
        }
        guard case .document(let error, _) = fault, error.words.contains("it was published at") else {
            Issue.record("refused for another reason: \(String(describing: fault))")
            return
        }
        #expect(try wrong.context.history.currentToken() == token)
        let right = try Replay(in: directory, transport: serving(hour), now: .minute(6))
        #expect(try right.mirror.refresh(.summary(FeedName(.all, .hour))).inserted == [.new: 1])
        #expect(try unread(right.context, after: token) == ["us7000zz02"])
    }

    @Test("No quake is missed while this machine's clock is a year ahead or after it is corrected")
    func clockAhead() throws {
        let token = try start()
        let late = Quake.sample("ci", "49000301", updated: .minute(7), time: .minute(6))
        let day = Document.feed("all_day", at: 10, [.sample("us", "7000zz01"), late])
        let ahead = try Replay(in: directory, transport: serving(day), now: .minute(11 + Self.year))
        #expect(try ahead.mirror.refresh(.summary(FeedName(.all, .day))).inserted == [.new: 1])
        try ahead.context.history.acknowledge(ahead.context.history.currentToken(), for: "alarm")
        let busy = ScriptedTransport { _ in .init(status: 503, headers: ["retry-after": "600"]) }
        let paused = try Replay(in: directory, transport: busy, now: .minute(12 + Self.year))
        #expect(throws: FeedError.self) { try paused.mirror.refresh(.summary(FeedName(.all, .day))) }

        let next = Quake.sample("ci", "49000302", updated: .minute(17), time: .minute(16))
        let month = Document.feed("all_month", at: 20, [.sample("us", "7000zz01"), late, next])
        let right = try Replay(in: directory, transport: serving(month), now: .minute(21))
        #expect(try right.mirror.dueFeed() == FeedName(.all, .day))
        #expect(try right.mirror.refresh(.summary(FeedName(.all, .month))).inserted == [.new: 1])
        #expect(try unread(right.context, after: token) == ["ci49000301", "ci49000302"])
        #expect(try right.context.sources.coverage().gaps(at: .minute(21)) == [])
        #expect(try right.context.maintenance.verify(full: true).findings == [])
    }

    @Test("A server that asks for a pause of many days gets no request for one day") func longPause() throws {
        let busy = ScriptedTransport { _ in .init(status: 503, headers: ["retry-after": "9999999"]) }
        let feed = FeedSource.summary(FeedName(.all, .day))
        let replay = try Replay(in: directory, transport: busy, now: .minute(0))
        for _ in 0..<2 { #expect(throws: FeedError.self) { try replay.mirror.refresh(feed) } }
        let later = try Replay(in: directory, transport: busy, now: .minute(Self.day - 1))
        #expect(throws: FeedError.self) { try later.mirror.refresh(feed) }
        #expect(busy.addresses.count == 1)
    }

    @Test("Two quakes that share only a non-preferred id stay separate even if a feed lists only one")
    func sharedThirdID() throws {
        func sharing(_ id: String, _ code: String, at minute: Int64) -> Quake {
            var quake = Quake.sample(id, code, time: .minute(minute))
            quake.ids = PublishedSet(members: [quake.id, "at00n3rz0w"])
            return quake
        }
        func ids(_ first: Quake, then second: Quake, count: Int? = nil, at minute: Int64) throws -> [String] {
            let replay = try Replay(in: directory, name: "\(UUID()).db", now: .minute(minute))
            for body in [
                Document.feed("all_day", at: 0, [first]),
                Document.feed("all_day", at: minute, features: [FeedText.feature(second)], count: count),
            ] {
                try replay.apply(body)
            }
            return try replay.context.fetch().map(\.quake.id).sorted()
        }
        let (first, second) = (sharing("us", "1", at: -30), sharing("nc", "2", at: -29))
        #expect(try ids(first, then: second, at: 5) == ["nc2", "us1"])
        #expect(try ids(first, then: second, count: 2, at: 5) == ["nc2", "us1"])
        #expect(try ids(first, then: second, at: 1440 - 30) == ["nc2", "us1"])
    }

    @Test("Unknown properties, event types, review statuses and alert levels are stored as published")
    func newForms() throws {
        let token = try start()
        func feature(_ shindo: String) -> String {
            FeedText.feature(.sample("us", "7000zz01"))
                .replacing(#""type":"earthquake""#, with: #""type":"moonquake","shindo":\#(shindo),"alert":"purple""#)
                .replacing(#""status":"automatic""#, with: #""status":"final""#)
        }
        for (minute, shindo) in [(Int64(5), #""5-""#), (6, #"{"max":[6,null]}"#)] {
            let hour = Document.feed("all_hour", at: minute, features: [feature(shindo)])
            let replay = try Replay(in: directory, transport: serving(hour), now: .minute(minute))
            let report = try replay.mirror.refresh(.summary(FeedName(.all, .hour)))
            #expect(report.updated == [.revised: 1] && report.skipped.isEmpty)
            let quake = try #require(try replay.context.quake(id: "us7000zz01")).quake
            #expect(quake.extra == #"{"shindo":\#(shindo)}"#)
            #expect(quake.eventType == "moonquake" && quake.status == "final" && quake.alert == "purple")
            let filter = QuakeFilter(eventTypes: ["moonquake"], statuses: ["final"], alerts: ["purple"])
            #expect(try replay.context.fetchCount(QuakeDescriptor(filter: filter)) == 1)
        }
        let replay = try Replay(in: directory, now: .minute(6))
        #expect(try unread(replay.context, after: token) == ["us7000zz01", "us7000zz01"])
        #expect(try replay.context.maintenance.verify(full: true).findings == [])
    }
}
