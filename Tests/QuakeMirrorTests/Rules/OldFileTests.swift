import Foundation
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeMirror

@Suite("Old, empty and damaged files", .scratch) struct OldFileTests {
    private let directory: ScratchDirectory
    private let replay: Replay

    init() throws {
        directory = try ScratchDirectory.ofTest()
        replay = try Replay(in: directory, settings: MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero))
    }

    private func refresh(_ body: Data) throws -> RefreshReport {
        try replay.mirror.refresh(.file(directory.write(body, to: "feed.geojson")))
    }

    private func refused(_ body: Data) throws -> Bool {
        do {
            _ = try refresh(body)
            return false
        } catch FeedError.document(let error, _) { return error.kind == .unsuitable }
    }

    // Proves rule 7 of mirroring.md.
    @Test("A quake counts as absent only from a snapshot newer than the newest snapshot of any feed")
    func absenceBehindAnotherFeed() throws {
        let (gone, kept) = (Quake.sample("us", "100", time: .minute(-120)), Quake.sample("us", "200"))
        _ = try refresh(Document.feed("all_week", at: 0, [gone, kept]))
        _ = try refresh(Document.feed("all_hour", at: 10, [kept]))
        let lagging = try refresh(Document.feed("all_week", at: 5, [kept]))
        #expect(!lagging.countsAbsences && lagging.deleted.isEmpty)
        let newest = try refresh(Document.feed("all_week", at: 20, [kept]))
        #expect(newest.countsAbsences && newest.deleted == [.retracted: 1])
    }

    // Proves rule 10 of mirroring.md.
    @Test("A file older than the feed's last snapshot adds new quakes but changes and deletes none") func olderFile()
        throws
    {
        let (gone, kept) = (Quake.sample("us", "100"), Quake.sample("us", "200", magnitude: 3, updated: .minute(5)))
        let before = Quake.sample("us", "050", time: .minute(-1_430))
        _ = try refresh(Document.day(at: 0, gone))
        // A retraction, which no older file reverses.
        _ = try refresh(Document.day(at: 20, kept))
        let feeds = try replay.context.sources.feeds()
        let old = try refresh(Document.day(at: 10, gone, .sample("us", "200"), before))
        #expect(try replay.context.sources.feeds() == feeds)
        #expect(old.outcome == .applied && old.lag == .seconds(600) && !old.countsAbsences)
        #expect(old.inserted == [.new: 1] && old.outdated == 2 && old.deleted.isEmpty)
        #expect(try replay.context.fetch().map(\.quake.id).sorted() == ["us050", "us200"])
        #expect(try replay.context.quake(id: "us200")?.quake.magnitude == 3)
        let coveredRanges = try replay.context.sources.coveredRanges()
        #expect(coveredRanges.map(\.originTimes.lowerBound).min() == .minute(-1_440))
        #expect(!coveredRanges.contains { $0.originTimes.contains(.minute(-1_439)) && $0.asOf > .minute(10) })
        let feed = try #require(try replay.context.sources.feed(named: "all_day"))
        #expect(feed.generated == .minute(20) && feed.featureCount == 1)
        // The next snapshot lacks the quakes that only the old one listed.
        let next = try refresh(Document.day(at: 9, before))
        #expect(next.lag == .seconds(660) && next.deleted.isEmpty && next.unchanged == 1)
    }

    // Proves rule 10 of mirroring.md.
    @Test("A download older than the feed's last snapshot is ignored, and its lag is reported") func olderDownload()
        throws
    {
        let isSecond = Mutex(false)
        let transport = ScriptedTransport { _ in
            let second = isSecond.withLock { $0 }
            let body = second ? Document.day(at: 5, .sample("us", "200")) : Document.day(at: 10, .sample("us", "100"))
            return ScriptedTransport.Response(status: 200, body: body)
        }
        let replay = try Replay(in: directory, name: "other.db", transport: transport)
        _ = try replay.mirror.refresh(.summary(FeedName(.all, .day)))
        isSecond.withLock { $0 = true }
        let report = try replay.mirror.refresh(.summary(FeedName(.all, .day)))
        #expect(report.outcome == .older && report.lag == .seconds(300))
        #expect(try replay.context.fetchCount() == 1)
    }

    // Proves rule 14 of mirroring.md.
    @Test("A document whose features are all unreadable is rejected") func nothingReadable() throws {
        for count in [1, 2, 20] {
            #expect(try refused(Document.feed("all_day", at: 0, features: Array(repeating: "{}", count: count))))
        }
        #expect(try replay.context.sources.feeds().allSatisfy { $0.applied == nil })
        #expect(try refresh(Document.day(at: 0)).outcome == .applied)
    }

    // Proves rule 15 of mirroring.md.
    @Test("An empty all_week or all_month feed marks no quake as absent and covers no time") func emptyWeek() throws {
        for minute in [Int64(0), 20] {
            for name in ["all_week", "all_month"] {
                let report = try refresh(Document.feed(name, at: minute, []))
                #expect(report.ignoredAbsenceReasons == [.emptyFeed] && !report.countsAbsences && report.missing == 0)
                #expect(try replay.context.sources.coveredRanges().isEmpty == (minute == 0))
            }
            guard minute == 0 else { break }
            _ = try refresh(Document.feed("all_week", at: 10, [.sample("us", "100")]))
        }
        #expect(try replay.context.fetchCount() == 1)
        #expect(try refresh(Document.feed("all_hour", at: 20, [])).ignoredAbsenceReasons.isEmpty)
    }

    // Proves rule 16 of mirroring.md.
    @Test("An invalid UTF-8 byte in a feed is stored as U+FFFD") func invalidUTF8() throws {
        let document = Document.day(at: 0, .sample("us", "100", place: "Mandr#ki"), .sample("us", "200"))
        _ = try refresh(Data(document.map { $0 == UInt8(ascii: "#") ? 0xE1 : $0 }))
        #expect(try replay.context.quake(id: "us100")?.quake.place == "Mandr\u{FFFD}ki")
        #expect(try replay.context.fetchCount() == 2)
    }

    // Proves rule 12 of mirroring.md.
    @Test("A quake's ids and sources are stored as published, and a new order is not a change") func parallelLists()
        throws
    {
        func document(_ minute: Int64, _ ids: String, _ sources: String) -> Data {
            let feature = FeedText.feature(.sample("us", "100")).replacing(
                #""ids":",us100,""#, with: #""ids":"\#(ids)""#
            )
            .replacing(#""sources":",us,""#, with: #""sources":"\#(sources)""#)
            return Document.feed("all_day", at: minute, features: [feature])
        }
        _ = try refresh(document(0, ",us100,gcmt1,gcmt2,at3,", ",us,gcmt,gcmt,at,"))
        let quake = try #require(try replay.context.quake(id: "gcmt2")?.quake)
        #expect(quake.ids.text == ",us100,gcmt1,gcmt2,at3," && quake.sources.text == ",us,gcmt,gcmt,at,")
        #expect(
            quake.ids.members == ["at3", "gcmt1", "gcmt2", "us100"] && quake.sources.members == ["at", "gcmt", "us"])
        let other = try refresh(document(5, ",at3,us100,gcmt2,gcmt1,", ",at,us,gcmt,gcmt,"))
        #expect(other.updated.isEmpty && other.unchanged == 1)
        #expect(try replay.context.quake(id: "us100")?.quake.ids.text == quake.ids.text)
    }

    @Test("A purge clears the feed's validators, and older files can restore the quakes")
    func purge() throws {
        _ = try refresh(Document.day(at: 0, .sample("us", "100"), .sample("us", "200")))
        try replay.context.sources.updateFeed("all_day") {
            ($0.etag, $0.lastModified) = ("\"1\"", "Sat, 14 Mar 2026 12:00:00 GMT")
        }
        _ = try replay.context.maintenance.purge(QuakeFilter(minimumMagnitude: 9))
        #expect(try replay.context.sources.feed(named: "all_day")?.etag != nil)
        _ = try replay.context.maintenance.purge(QuakeFilter())
        let record = try #require(try replay.context.sources.feed(named: "all_day"))
        #expect(record.etag == nil && record.lastModified == nil)
        for (minute, magnitude) in [(Int64(-10), 1.0), (-5, 2)] {
            let quake = Quake.sample("us", "100", magnitude: magnitude, updated: .minute(minute))
            #expect(try refresh(Document.day(at: minute, quake)).outdated == 0)
        }
        #expect(try replay.context.quake(id: "us100")?.quake.magnitude == 2)
    }

    @Test(
        "A feature with status \"deleted\" does not delete a quake that the same feed lists", arguments: [false, true])
    func deletedAndListed(isFirst: Bool) throws {
        let deleted = #"{"type":"Feature","id":"us100","properties":{"status":"deleted"},"geometry":null}"#
        let features = [deleted, FeedText.feature(.sample("us", "100"))]
        for minute in [Int64(0), 5] {
            let report = try refresh(
                Document.feed("all_day", at: minute, features: isFirst ? features : features.reversed()))
            #expect(report.deleted.isEmpty && report.outdated == 1)
        }
        #expect(try replay.context.fetchCount() == 1)
    }

    @Test(
        "The counts in a refresh report add up to the number of features in the feed",
        arguments: Thoroughness.seeds(5, of: 100))
    func counts(seeds: Range<Int>) throws {
        for seed in seeds {
            let replay = try Replay(in: directory, name: "\(seed).db", now: .minute(10_000))
            var series = RandomSeries(seed: UInt64(seed), sharesIDs: seed % 2 == 0)
            for _ in 0..<60 {
                let file = try directory.write(series.next(), to: "next.geojson")
                guard let report = try? replay.mirror.refresh(.file(file)) else { continue }
                let sum = report.inserted.total + report.updated.total + report.unchanged + report.outdated
                #expect(sum + report.skipped.count == report.features, "seed \(seed): \(report)")
            }
        }
    }
}
