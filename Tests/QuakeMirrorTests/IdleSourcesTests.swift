@testable import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Sources that nobody reads any more", .scratch) struct IdleSourcesTests {
    private let now = Timestamp.minute(0)

    private func feed(_ name: String, daysAgo: Int64, pauseInDays: Int64? = nil) -> FeedRecord {
        var record = FeedRecord(name: name)
        record.checked = now - .seconds(daysAgo * 86_400)
        record.pause = pauseInDays.map { .init(end: now + .seconds($0 * 86_400), status: 503) }
        return record
    }

    @Test("The cache forgets a URL or file not read for 90 days, but not a named feed such as all_day")
    func forgottenAfter90Days() {
        let feeds = [
            feed("http://a/", daysAgo: 91), feed("http://b/", daysAgo: 89), feed("archive/c", daysAgo: 400),
            feed("all_day", daysAgo: 400), feed("event service http://e/", daysAgo: 400),
            feed("http://d/", daysAgo: 400, pauseInDays: 1), feed("http://f/", daysAgo: -400),
        ]
        #expect(Set(IdleSources.names(among: feeds, now: now)) == ["http://a/", "archive/c"])
    }

    @Test("The cache remembers only the 500 most recently read source URLs") func atMost500() throws {
        let feeds = (0..<520).map { feed("http://\($0)/", daysAgo: Int64($0 % 80)) }
        let forgotten = Set(IdleSources.names(among: feeds, now: now))
        #expect(forgotten.count == 20)
        let kept = feeds.filter { !forgotten.contains($0.name) }.compactMap(\.checked).min()
        let oldest = feeds.filter { forgotten.contains($0.name) }.compactMap(\.checked).max()
        #expect(try #require(oldest) <= (try #require(kept)))
    }

    @Test(
        "Even a failed refresh forgets sources not read for 90 days, but no quakes or history", arguments: [200, 500])
    func forgottenByRefresh(status: Int) throws {
        let body = Document.day(at: 4, .sample("us", "7000zz01"))
        let address = "https://earthquake.usgs.gov/fdsnws/event/1/query?starttime=2026-03-01"
        let transport = ScriptedTransport { url in
            url == address ? .init(status: 200, body: body) : .init(status: status, body: body)
        }
        let first = try Replay(in: .ofTest(), transport: transport, now: .minute(5))
        _ = try first.mirror.refresh(.url(address))
        var idle = FeedRecord(name: "http://old/")
        idle.checked = .minute(5) - .seconds(91 * 86_400)
        try first.context.sources.save(idle)
        let before = (try first.context.history.currentToken(), try first.context.sources.coveredRanges())
        _ = try? first.mirror.refresh(.url("http://other/feed"))
        #expect(try first.context.sources.feed(named: "http://old/") == nil)
        #expect(
            try first.context.history.currentToken() == before.0 && first.context.sources.coveredRanges() == before.1)
        #expect(try first.context.maintenance.statistics().quakes == 1)
    }
}
