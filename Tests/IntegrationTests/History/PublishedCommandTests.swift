import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// The second clock on the command line: `published:TIME` in every position where a time selects a state.
@Suite("States at a publication time", .scratch) struct PublishedCommandTests {
    /// Documents in the order in which they are read: those of 12:00 and 13:00, then another feed's late one of 12:01.
    private static let feeds = ["all_day-1", "all_day-2", "significant_month"]

    private let cache: Cache

    init() async throws {
        cache = try .ofTest()
        for feed in Self.feeds {
            let refresh = try await cache.run("refresh", "-q", Fixture.url("feeds/\(feed).geojson").path)
            #expect(refresh.exitStatus == 0, "\(refresh.errorOutput)")
        }
    }

    @Test("quakes list --at published:TIME shows the quakes as published by TIME") func listAtPublicationTime()
        async throws
    {
        let first = Cache(in: try .ofTest(), name: "first.db")
        try await first.run("refresh", "-q", Fixture.url("feeds/all_day-1.geojson").path)
        let afterFirst = try await first.run("list", "--format", "ndjson").standardOutput
        try await first.run("refresh", "-q", Fixture.url("feeds/significant_month.geojson").path)
        let afterBoth = try await first.run("list", "--format", "ndjson").standardOutput
        #expect(afterFirst != afterBoth)

        for (time, expected) in [
            ("2026-03-14T12:00:00Z", afterFirst), ("2026-03-14T12:00:59.999Z", afterFirst),
            ("2026-03-14T12:01:00Z", afterBoth), ("2026-03-14T12:59", afterBoth),
        ] {
            let list = try await cache.run("list", "--format", "ndjson", "--at", "published:\(time)")
            #expect(list.standardOutput == expected, "\(time): \(list.errorOutput)")
        }
        let present = try await cache.run("list", "--format", "ndjson").standardOutput
        for time in ["now", "0s", "2026-03-15"] {
            let list = try await cache.run("list", "--format", "ndjson", "--at", "published:\(time)")
            #expect(list.standardOutput == present, "\(time)")
        }
    }

    @Test("quakes show --at published:TIME omits revisions published after TIME")
    func showAtPublicationTime() async throws {
        let now = try await cache.lines("show", "us7000zzbq")
        let then = try await cache.lines("show", "us7000zzbq", "--at", "published:2026-03-14T12:30")
        #expect(now.count { $0.contains("  2026-03-14 1") && $0.contains("M 5.3") } == 2)
        #expect(then.count { $0.contains("  2026-03-14 12:00  new") } == 1)
        #expect(!then.contains { $0.contains("  revised") })
        let history = try await cache.lines("history")
        #expect(history.count { $0.contains("  2026-03-14 1") } == 3, "\(history)")
        let one = try await cache.lines("history", "3")
        #expect(one.contains { $0.hasPrefix("recorded     20") })
        #expect(one.contains("published    2026-03-14 12:01:00 UTC"))
        let status = try await cache.lines("status", "--at", "published:2026-03-14T12:30")
        #expect(status.contains { $0.hasPrefix("history     2 transactions, ") })
    }

    @Test("quakes diff between two published:TIME states counts the changes published in between")
    func diffOfPublicationTimes() async throws {
        let count = try await cache.lines("diff", "published:2026-03-14T12:00", "published:2026-03-14T12:30")
            .last
        let added = try await cache.lines("history", "3").count { $0.contains(#/^\d+ +new /#) }
        #expect(count?.hasPrefix("\(added) changes, ") == true)
        let rest = try await cache.changes("--since", "published:2026-03-14T12:30")
        #expect(rest.filter { $0.kind == "change" }.count == 9)
        #expect(rest.last?.token == rest.last?.head)
        #expect(try await cache.changes("--since", "published:2020-01-01").last?.count == 24 + 9 + added)
        for start in ["published:2026-03-14T12:30", "now"] {
            let turned = try await cache.run("diff", start, "published:2026-03-14T12:00")
            #expect(turned.exitStatus == 64 && turned.standardOutput.isEmpty)
        }
    }

    @Test("With --at before the oldest history, commands exit with 3 and say when the history begins")
    func timeBeforeHistory() async throws {
        for command in [["list"], ["show", "us7000zzbq"], ["status"]] {
            let learned = try await cache.quakes.run(command + ["--at", "2020-01-01"])
            #expect(learned.exitStatus == 3 && learned.standardOutput.isEmpty)
            #expect(learned.errorOutput.contains("the history begins at 20"))
            let published = try await cache.quakes.run(command + ["--at", "published:2026-03-14T11:59"])
            #expect(published.exitStatus == 3 && published.standardOutput.isEmpty)
            #expect(published.errorOutput.contains("published before 2026-03-14 12:00:00 UTC"))
        }
        try await cache.run("purge", "--history", "--all")
        let purged = try await cache.run("list", "--at", "published:2026-03-14T12:30")
        #expect(purged.exitStatus == 3 && purged.standardOutput.isEmpty)
        // The state at which the history now begins is available, by its number and by its token.
        let head = try #require(Int(try await cache.run("token").output.split(separator: ".")[2]))
        let count = try await cache.run("list", "--count").output
        #expect(try await cache.run("list", "--count", "--at", "\(head)").output == count)
        #expect(try await cache.run("list", "--count", "--at", "\(head - 1)").exitStatus == 3)
    }

    @Test("quakes status prints each coverage gap and the backfill command that closes the gap") func gapInStatus()
        async throws
    {
        let cache = Cache(in: try .ofTest(), name: "gap.db")
        func document(_ url: String, _ generated: Int) throws -> String {
            let empty = FeedText.document(url, generated: Timestamp(milliseconds: Int64(generated)), features: [])
            return try cache.directory.write(empty, to: "document.geojson")
        }
        let hour = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_hour.geojson"
        for generated in [1_700_000_000_000, 1_700_400_000_000] {
            try await cache.run("refresh", "-q", try document(hour, generated))
        }
        let gap = "gap         2023-11-14 22:13 to 2023-11-19 12:20 UTC: quakes may be missing"
        let before = try await cache.lines("status")
        #expect(before.contains { $0.hasPrefix(gap) })
        let command = try #require(before.drop { !$0.hasPrefix(gap) }.dropFirst().first)
        #expect(command.hasSuffix("run: quakes backfill --since 2023-11-13 --until 2023-11-21"))
        let query = "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson"
        let url = "\(query)&starttime=2023-11-13&endtime=2023-11-21"
        try await cache.run("refresh", "-q", try document(url, 1_700_500_000_000))
        #expect(try await cache.lines("status").contains { $0.hasPrefix(gap) } == false)
        try await cache.run("refresh", "-q", try document(hour, 1_710_000_000_000))
        #expect(try await cache.lines("status").allSatisfy { $0.count < 200 })
    }
}
