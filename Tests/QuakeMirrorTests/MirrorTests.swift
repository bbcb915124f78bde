import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("Records of feeds", .scratch) struct MirrorTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory.ofTest() }

    private let day = FeedSource.summary(FeedName(.all, .day))

    /// A mirror at minute 5 whose server returns `answer`.
    private func mirror(_ answer: ScriptedTransport.Response, at minute: Int64 = 5) throws -> Replay {
        try Replay(in: directory, transport: ScriptedTransport { _ in answer }, now: .minute(minute))
    }

    @Test("If a server asks for a pause, none of its feeds is requested, but other servers' feeds are")
    func pauseOfOneHost() throws {
        let body = Document.day(at: 4, .sample("us", "7000zz01"))
        let transport = ScriptedTransport { url in
            url.hasPrefix("https://busy.example:8443/")
                ? .init(status: 503, headers: ["retry-after": "600"]) : .init(status: 200, body: body)
        }
        func mirror(_ host: String) throws -> MirrorSession {
            let endpoint = FeedEndpoint(base: "https://\(host)/feeds")
            return try Replay(in: directory, transport: transport, endpoint: endpoint, now: .minute(5)).mirror
        }
        let pause = FeedError.tryLater(.minute(15), status: 503, host: "busy.example")
        #expect(throws: pause) { try mirror("busy.example:8443").refresh(day) }
        for feed in [day, .summary(FeedName(.all, .hour)), .url("https://BUSY.example:8443/other?a=b")] {
            #expect(throws: pause) { try mirror("busy.example:8443").refresh(feed) }
        }
        #expect(transport.addresses.count == 1)
        // The source that asked for it has not answered well.
        let record = try #require(try mirror("busy.example").context.sources.feed(named: "all_day"))
        #expect(record.pause?.end == .minute(15) && record.checked == nil && record.applied == nil)
        #expect(try mirror("idle.example").refresh(day).inserted == [.new: 1])
    }

    @Test("A 304 response does not mark a feed as read if the cache is restored during the request")
    func restoredMeanwhile() throws {
        let cache = QuakeCache(path: directory.path("quakes.db"))
        let body = Document.day(at: 4, .sample("us", "7000zz01"))
        let answers = Mutex<[Int]>([200, 304, 200])
        let transport = ScriptedTransport { _ in
            let status = answers.withLock { $0.removeFirst() }
            if status == 304 { _ = try? cache.restore(from: cache.path + ".copy") }
            return .init(status: status, headers: ["etag": "\"1\""], body: status == 200 ? body : Data())
        }
        let replay = try Replay(in: directory, transport: transport, now: .minute(5))
        try replay.context.maintenance.backup(to: cache.path + ".copy")
        #expect(try replay.mirror.refresh(day).inserted == [.new: 1])
        #expect(try replay.mirror.refresh(day).outcome == .notModified)
        let record = try replay.context.sources.feed(named: "all_day")
        #expect(record?.etag == nil && record?.checked == nil)
        #expect(try replay.mirror.refresh(day).inserted == [.new: 1])
    }

    // Proves rule 14 of mirroring.md.
    @Test("A document is rejected if more than half and more than 20 of its features are unreadable")
    func mostlyUnreadable() throws {
        let replay = try Replay(in: directory)
        func refresh(unreadable: Int, readable: Int) throws -> RefreshReport {
            let bad = (0..<unreadable).map { _ in
                FeedText.feature(.sample("ci", "1")).replacing(#","id":"ci1""#, with: "")
            }
            let good = (0..<readable).map { FeedText.feature(.sample("us", "7000zz\($0)")) }
            let document = Document.feed("all_day", at: 0, features: bad + good)
            return try replay.apply(document).report
        }
        for readable in [0, 20] {
            let fault = #expect(throws: FeedError.self) { try refresh(unreadable: 21, readable: readable) }
            let words = "21 of its \(21 + readable) quakes are unreadable, starting with entry 1: id is missing."
            #expect(fault?.words.hasSuffix(words) == true)
        }
        #expect(try replay.context.history.currentToken().number == 0 && replay.context.sources.feeds().isEmpty)
        #expect(try refresh(unreadable: 20, readable: 3).skipped.count == 20)
        #expect(try refresh(unreadable: 21, readable: 21).skipped.count == 21)
    }

    @Test("A feed's last error is recorded until the feed is next read successfully") func failureAndSuccess() throws {
        let failing = try mirror(.init(status: 500))
        let failure = #expect(throws: FeedError.self) { try failing.mirror.refresh(day) }
        let failed = try #require(try failing.context.sources.feed(named: "all_day"))
        #expect(failed.error == failure?.words && failed.errorTime == .minute(5))
        let body = Document.day(at: 8, .sample("us", "7000zz01"))
        let working = try mirror(.init(status: 200, body: body), at: 9)
        #expect(try working.mirror.refresh(day).inserted == [.new: 1])
        let record = try #require(try working.context.sources.feed(named: "all_day"))
        #expect(record.error == nil && record.checked == .minute(9) && record.generated == .minute(8))
        #expect(record.featureCount == 1)
    }

    @Test("A rejected document leaves the history, feed statuses and unconfirmed changes unchanged")
    func rejectedDocument() throws {
        let replay = try Replay(in: directory)
        try replay.apply(Document.day(at: 0, .sample("us", "7000zz01"), .sample("ci", "49000301")))
        try replay.apply(Document.day(at: 5, .sample("us", "7000zz01")))
        let (head, sources) = (try replay.context.history.currentToken(), replay.context.sources)
        let (feeds, unconfirmedChanges) = (try sources.feeds(), try sources.unconfirmedChanges())
        let epoch = Quake.sample("us", "7000zz01", time: Timestamp(milliseconds: 0))
        #expect(throws: FeedError.self) { try replay.apply(Document.day(at: 10, epoch)) }
        #expect(try replay.context.history.currentToken() == head && unconfirmedChanges.count == 1)
        #expect(try sources.feeds() == feeds && sources.unconfirmedChanges() == unconfirmedChanges)
    }

    @Test("Even after a feed is forgotten, no snapshot older than its last one changes its quakes")
    func forgottenFeed() throws {
        let replay = try Replay(in: directory)
        let quake = Quake.sample("us", "7000zz01", magnitude: 3)
        try replay.apply(Document.day(at: 0, quake))
        try replay.apply(Document.day(at: 10, quake))
        #expect(try replay.context.forgetFeed(named: "all_day"))
        #expect(try !replay.context.forgetFeed(named: "all_day"))
        #expect(try replay.context.sources.feeds().isEmpty)
        let older = Quake.sample("us", "7000zz01", magnitude: 4, updated: .minute(4))
        let step = try replay.apply(Document.feed("all_hour", at: 5, [older]))
        #expect(step.changes.isEmpty && step.report.outdated == 1)
    }

    // Proves rule 4 of mirroring.md.
    @Test("After all quakes are purged, the same feed restores each one under its former key and ids")
    func purgedAndListedAgain() throws {
        let replay = try Replay(in: directory)
        let quakes = [
            Quake.sample("ci", "00002", ids: ["at0099", "ci00002"]),
            .sample("us", "00001", ids: ["at0099", "ci00002", "us00001"], magnitude: 3),
            .sample("nn", "00003", ids: ["nn00003", "us00001"], magnitude: 4),
        ]
        func state() throws -> [QuakeKey?] {
            try ["at0099", "ci00002", "us00001", "nn00003"].map(replay.context.key)
        }
        func refresh(_ quakes: [Quake], at minute: Int64) throws {
            try replay.apply(Document.feed("all_day", at: minute, quakes))
        }
        try refresh(quakes, at: 0)
        let (before, listed) = (try state(), try replay.context.fetch())
        for (minute, again) in [(1, quakes), (2, quakes.reversed())] as [(Int64, [Quake])] {
            try replay.context.maintenance.purge(QuakeFilter())
            #expect(try state() == before)
            try refresh(again, at: minute)
            #expect(try state() == before && replay.context.fetch() == listed)
        }
    }

    // Proves rule 4 of mirroring.md.
    @Test("A new quake that shares only a non-preferred id with a deleted quake gets a new key")
    func deletedQuakeWithSharedID() throws {
        let replay = try Replay(in: directory, settings: MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero))
        let (gone, other) = (Quake.sample("us", "00001", ids: ["at0099", "us00001"]), Quake.sample("nc", "5"))
        let new = Quake.sample("ci", "00002", ids: ["at0099", "ci00002"])
        for (minute, quakes) in [[gone, other], [other], [other, new], [other, new, gone]].enumerated() {
            let body = Document.feed("all_day", at: Int64(minute), quakes)
            try replay.apply(body)
            #expect(try replay.context.key(ofID: "at0099") == 1)
            #expect(
                try replay.context.history.changes(ofKey: 1).last?.after?.id == [gone.id, nil, nil, gone.id][minute])
        }
        #expect(try replay.context.fetch().map(\.key) == [3, 2, 1])
        #expect(try replay.context.history.changes(ofKey: 3).map(\.reason) == [.new])
    }
}
