@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

// Proves rule 9 of mirroring.md.
@Suite("Daily request for deletions", .scratch) struct DeletionListRequestTests {
    private static let day: Int64 = 1_440

    private let world: CatalogWorld

    init() throws {
        let quakes = [1, 5, 20].map { Quake.sample("us", "\($0)", time: .minute(-$0 * Self.day)) }
        world = try CatalogWorld(quakes + [.sample("nc", "7", time: .minute(-6 * Self.day))])
        world.mirror.serviceScope = .everything
        try world.refresh(FeedName(.all, .month))
        try world.refresh()
    }

    /// Returns the requests for deletions during a refresh without a name.
    private func deletionRequests() throws -> [String] {
        try world.requests { try world.refresh() }.filter { $0.contains("includedeleted=only") }
    }

    @Test("The next daily request about deletions retracts a quake deleted 20 days after it happened")
    func retractedDaily()
        throws
    {
        let head = try world.context.history.currentToken().number
        world.change { $0.delete("us20") }
        world.pass(minutes: 5)
        #expect(try deletionRequests() == [])
        world.pass(minutes: 1_440)
        let asked = try deletionRequests()
        #expect(asked.count == 1 && asked[0].contains("&updatedafter="))
        #expect(try world.ids == ["nc7", "us1", "us5"])
        #expect(try world.reasons(since: head) == [.retracted])
        world.pass(minutes: 5)
        #expect(try deletionRequests() == [])
    }

    @Test("A quake without status \"deleted\" stays, even if the response about deletions lists it")
    func livingQuakes() throws {
        world.change { $0.revise("us5") { $0.ids = PublishedSet(members: ["nc7", "us5"]) } }
        world.change { $0.delete("us5") }
        world.pass(minutes: 1_440)
        let address = "http://127.0.0.1/fdsnws/event/1/query?format=geojson&includedeleted=true"
        let everything = world.service.value.withLock { $0.model.answer(to: address) }
        world.editAnswers { url, answer in
            if url.contains("includedeleted=only") { answer = everything }
        }
        try world.refresh()
        #expect(try world.ids == ["nc7", "us1", "us20"] && world.context.sources.idsInQuestion() == [])
    }

    @Test("If a lagging response about deletions lists a restored quake, the quake stays") func restoredQuake()
        throws
    {
        world.change { $0.delete("us1") }
        world.pass(minutes: 10)
        world.change { $0.restore("us1") }
        world.change { $0.delete("us5") }
        try world.refresh(FeedName(.all, .hour))
        world.editAnswers { url, answer in
            guard url.contains("includedeleted=only") else { return }
            // A server that lags still has the first deletion.
            answer = answer.editingFeatures { features, count in
                features.append([
                    "type": "Feature", "id": "us1",
                    "properties": ["status": "deleted", "ids": ",us1,", "updated": Timestamp.minute(-3).milliseconds],
                ])
                count = features.count
            }
        }
        world.pass(minutes: 1_440)
        let asked = try world.requests { try world.refresh() }
        #expect(asked.contains { $0.contains("eventid=us1&") })
        #expect(try world.ids == ["nc7", "us1", "us20"])
    }

    @Test("A response about deletions retracts no quake that a feed newer than the deletion lists")
    func listedUnchanged() throws {
        world.pass(minutes: 60)
        try world.refresh(FeedName(.all, .month))
        let deletion = Timestamp.minute(30).milliseconds
        world.editAnswers { url, answer in
            guard url.contains("includedeleted=only") else { return }
            answer = answer.editingFeatures { features, count in
                let properties: [String: Any] = ["status": "deleted", "ids": ",us5,", "updated": deletion]
                features.append(["type": "Feature", "id": "us5", "properties": properties])
                count = features.count
            }
        }
        world.pass(minutes: 1_440)
        let asked = try world.requests { try world.refresh() }
        #expect(asked.contains { $0.contains("eventid=us5&") })
        #expect(try world.ids.contains("us5"))
    }

    @Test("After a rejected daily request about deletions, ids in question are still requested")
    func rejectedRequest() throws {
        let idInQuestion = IDInQuestion(
            id: "us5", originTimes: .minute(-9_999)..<Timestamp.minute(0), reason: "test", raised: .minute(9_000))
        try world.context.write { try $0.putInQuestion([idInQuestion]) }
        world.editAnswers { url, answer in
            if url.contains("includedeleted=only") { answer = ServedAnswer(status: 400) }
        }
        world.pass(minutes: 2_000)
        try world.refresh()
        #expect(try world.context.sources.idsInQuestion() == [])
    }

    @Test("If the event service fails for a week, a deletion in that week is recorded afterward") func failingService()
        throws
    {
        world.change { $0.delete("us20") }
        world.editAnswers { url, answer in
            if url.contains("/fdsnws/") { answer = ServedAnswer(status: 500) }
        }
        for _ in 0..<14 {
            world.pass(minutes: 720)
            #expect(try world.refresh().outcome == .applied)
        }
        #expect(try world.ids.contains("us20"))
        world.editAnswers { _, _ in }
        world.pass(minutes: 120)
        try world.refresh()
        #expect(try !world.ids.contains("us20"))
    }

    @Test("A dry run, or a refresh of a named feed, does not ask the service about deletions")
    func noRequest() throws {
        world.pass(minutes: 2_000)
        let named = try world.requests { try world.refresh(FeedName(.all, .day)) }
        let dry = try world.requests {
            _ = try ScheduledRefresh(world.mirror, observer: MirrorObserver()).run(dryRun: true)
        }
        var mirror = world.mirror
        mirror.service = nil
        let without = try world.requests {
            _ = try ScheduledRefresh(mirror, observer: MirrorObserver()).run(dryRun: false)
        }
        mirror = world.mirror
        mirror.serviceScope = .downloadsFromUSGS
        mirror.endpoint = FeedEndpoint(base: "http://127.0.0.1/summary")
        let elsewhere = try world.requests {
            _ = try ScheduledRefresh(mirror, observer: MirrorObserver()).run(dryRun: false)
        }
        #expect((named + dry + without + elsewhere).allSatisfy { !$0.contains("/fdsnws/") })
    }
}
