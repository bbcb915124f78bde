import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("What an update reaches", .scratch) struct UpdateReachTests {
    private func revised(_ quake: Quake, _ change: (inout Quake) -> Void) -> Quake {
        var quake = quake
        change(&quake)
        return quake
    }

    @Test("An update of an M 4.5+ backfill renames a cached quake even after its revision to M 4.4")
    func hiddenByConditions() throws {
        let us = Quake.sample("us", "1", magnitude: 4.6, time: .daysAgo(50))
        let world = try CatalogWorld([us])
        _ = try world.mirror.fetch(
            .quakes(QuakeFilter(minimumMagnitude: 4.5, since: .daysAgo(60)), again: false))
        let key = try world.context.key(ofID: "us1")
        world.pass(minutes: 2_000)
        world.change { $0.revise("us1") { $0.magnitude = 4.4 } }
        try world.update()
        world.pass(minutes: 2_000)
        world.change { catalog in
            catalog.rename("us1", to: "nc", "2")
            catalog.revise("nc2") { $0.magnitude = 4.1 }
        }
        try world.update()
        #expect(try world.ids == ["nc2"] && world.context.key(ofID: "nc2") == key)
        #expect(try world.context.quake(id: "nc2")?.quake.magnitude == 4.1)
        #expect(try world.context.sources.idsInQuestion() == [])
    }

    // Proves rule 19 of mirroring.md.
    @Test("Updates revise and delete a quake whose time moved to 3 s before the requested range")
    func revisedOutOfRange() throws {
        let start = Timestamp.daysAgo(50)
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4.6, time: start + .seconds(5))])
        try world.backfill(start)
        world.pass(minutes: 2_000)
        world.change { catalog in
            catalog.revise("us1") { $0.originTime = start - .seconds(3) }
            catalog.revise("us1") { $0.magnitude = 5.9 }
            catalog.insert(.sample("us", "2", time: start - .seconds(9)))
        }
        try world.update()
        #expect(try world.context.quake(id: "us1")?.quake.magnitude == 5.9)
        #expect(try world.ids == ["us1"])
        world.pass(minutes: 2_000)
        world.change { $0.delete("us1") }
        try world.update()
        #expect(try world.ids == [])
    }

    @Test("An older version of a 50-day-old quake replaces the cached one if the service confirms it")
    func olderVersion() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4.6, time: .daysAgo(50))])
        let old = world.service.value.withLock { $0.model.catalog.quakes[0].updated }
        world.change { $0.revise("us1") { $0.magnitude = 4.8 } }
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        let body = Document.event(revised(.sample("us", "1", magnitude: 5.9, time: .daysAgo(50))) { $0.updated = old })
        world.editAnswers { url, answer in
            if url.contains("eventid=us1") { answer.body = body }
            if url.contains("/query"), !url.contains("eventid") {
                answer = answer.editingFeatures { features, _ in
                    guard var properties = features.first?["properties"] as? [String: Any] else { return }
                    properties.merge(["mag": 5.9, "updated": old.milliseconds]) { $1 }
                    features[0]["properties"] = properties
                }
            }
        }
        _ = try world.mirror.fetch(.quakes(QuakeFilter(since: .daysAgo(60)), again: true))
        #expect(try world.context.quake(id: "us1")?.quake.magnitude == 5.9)
        #expect(try world.context.sources.idsInQuestion() == [])
    }

    // Proves rule 23 of mirroring.md.
    @Test("After the undo of a rename, the next update renames the quake again")
    func undoneRename() throws {
        let world = try CatalogWorld([
            .sample("nc", "2", magnitude: 4, time: .daysAgo(40)), .sample("ci", "4", magnitude: 4, time: .daysAgo(20)),
        ])
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        world.change { $0.rename("nc2", to: "us", "7") }
        try world.update()
        let renaming = try world.context.history.currentToken().number
        #expect(try world.ids == ["ci4", "us7"])
        world.pass(minutes: 3_000)
        try world.update()
        _ = try world.context.undo(transaction: renaming)
        #expect(try world.ids == ["ci4", "nc2"])
        world.pass(minutes: 3_000)
        try world.update()
        #expect(try world.ids == ["ci4", "us7"])
    }

    @Test("With a request limit, an update fetches missing times first, then changes in covered times")
    func limitedRuns()
        throws
    {
        let world = try CatalogWorld((1...9).map { .sample("us", "\($0)", magnitude: 4, time: .daysAgo($0 * 10)) })
        try world.backfill(.daysAgo(95), until: .daysAgo(85))
        try world.backfill(.daysAgo(55), until: .daysAgo(45))
        let filter = QuakeFilter(since: .daysAgo(25), until: .daysAgo(15))
        let end = try #require(filter.until)
        try world.context.write { writer in
            try writer.changeCoverage { $0.request(QuakeFilter(), in: filter.start..<end) }
        }
        world.pass(minutes: 60)
        _ = try? world.mirror.fetch(.update, limit: 4)
        world.pass(minutes: 1)
        _ = try? world.mirror.fetch(.update, limit: 4)
        #expect(try world.context.sources.coverage().missing(until: .minute(0)) == [])
    }

    @Test("If the service rejects one range, an update still fetches the other ranges") func rejectedRange() throws {
        let world = try CatalogWorld([
            .sample("us", "1", magnitude: 4, time: .daysAgo(90)), .sample("us", "2", magnitude: 4, time: .daysAgo(20)),
        ])
        try world.backfill(.daysAgo(95), until: .daysAgo(85))
        world.pass(minutes: 10)
        try world.backfill(.daysAgo(25), until: .daysAgo(15))
        world.pass(minutes: 3_000)
        world.change { $0.revise("us2") { $0.magnitude = 6 } }
        let bad = String(Timestamp.daysAgo(96).iso8601.prefix(10))
        world.editAnswers { url, answer in
            if url.contains("/query"), url.contains("starttime=\(bad)") { answer = ServedAnswer(status: 400) }
        }
        #expect(throws: FeedError.self) { try world.update() }
        #expect(try world.context.quake(id: "us2")?.quake.magnitude == 6)
    }

    @Test("A feed revises a quake even if an unreadable feature has another of the quake's ids")
    func unreadableFormerID() throws {
        let us = Quake.sample("us", "1", ids: ["nc1", "us1"], magnitude: 4.4, time: .minute(-60))
        let replay = try Replay(in: .ofTest())
        try replay.apply(Document.feed("all_day", at: 0, [us]))
        let former = FeedText.feature(.sample("nc", "1", time: .minute(-60))).replacing(
            #""mag":2.0"#, with: #""mag":99"#)
        let current = FeedText.feature(revised(us) { ($0.magnitude, $0.updated) = (6.8, .minute(3)) })
        try replay.apply(Document.feed("all_day", at: 5, features: [former, current]))
        #expect(try replay.context.quake(id: "us1")?.quake.magnitude == 6.8)
    }

    @Test(
        "After a purge of quakes up to M 2, updates still fetch the range requested for M 4.5+",
        arguments: [true, false])
    func narrowerRange(isFirst: Bool) throws {
        let world = try CatalogWorld([
            .sample("us", "1", magnitude: 1.5, time: .daysAgo(30)),
            .sample("us", "2", magnitude: 5, time: .daysAgo(29)),
        ])
        let strong = QuakeFilter(minimumMagnitude: 4.5, since: .daysAgo(60))
        if isFirst { _ = try world.mirror.fetch(.quakes(strong, again: false)) }
        try world.backfill(.daysAgo(40))
        if !isFirst { _ = try world.mirror.fetch(.quakes(strong, again: false)) }
        world.pass(minutes: 10)
        _ = try world.context.maintenance.purge(QuakeFilter(maximumMagnitude: 2, until: .daysAgo(20)))
        world.pass(minutes: 2_000)
        world.change { catalog in
            catalog.revise("us2") { $0.magnitude = 6.1 }
            catalog.insert(.sample("us", "3", magnitude: 7.1, time: .daysAgo(29)))
        }
        try world.update()
        #expect(try world.ids == ["us2", "us3"])
        #expect(try world.context.quake(id: "us2")?.quake.magnitude == 6.1)
    }

    @Test("If a feature in a feed has no id, the feed renames no quake") func featureWithoutID() throws {
        let us = Quake.sample("us", "1", magnitude: 4, time: .daysAgo(0))
        let world = try CatalogWorld([us])
        world.mirror.serviceScope = .everything
        try world.refresh(FeedName(.all, .week))
        world.pass(minutes: 10)
        world.change { catalog in
            catalog.insert(.sample("nc", "2", magnitude: 5, time: .daysAgo(0)))
            catalog.share("us1", with: .sample("nc", "2", magnitude: 5, time: .daysAgo(0)))
        }
        world.editAnswers { url, answer in
            guard url.contains("all_week") else { return }
            answer = answer.editingFeatures { features, _ in
                for index in features.indices where features[index]["id"] as? String == "us1" {
                    features[index]["id"] = nil
                }
            }
        }
        try world.refresh(FeedName(.all, .week))
        #expect(try world.ids == ["nc2", "us1"])
    }

    @Test("If the service gives status \"deleted\" for an id in question, the quake is retracted")
    func deletedResponse() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4, time: .daysAgo(1))])
        try world.refresh(FeedName(.all, .week))
        let idInQuestion = IDInQuestion(
            id: "us1", originTimes: .minute(-9_999)..<Timestamp.minute(0), reason: "test", raised: .minute(5))
        try world.context.write { try $0.putInQuestion([idInQuestion]) }
        let living = String(
            decoding: Document.event(.sample("us", "1", magnitude: 4, time: .daysAgo(1))), as: UTF8.self)
        let body = Data(living.replacing("automatic", with: "deleted").utf8)
        world.editAnswers { url, answer in
            if url.contains("eventid=us1") { answer.body = body }
        }
        _ = try world.mirror.session { session in
            try session.service.flatMap { try session.askAboutIDs(of: $0, for: "test") }
        }
        #expect(try world.ids == [] && world.context.sources.idsInQuestion() == [])
    }
}
