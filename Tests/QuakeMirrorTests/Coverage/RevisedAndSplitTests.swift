@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("Which document decides about a quake", .scratch) struct RevisedAndSplitTests {
    private func strong(again: Bool) -> BackfillRequest {
        .quakes(QuakeFilter(minimumMagnitude: 4.5, since: .daysAgo(60)), again: again)
    }

    // Proves rule 3 of mirroring.md.
    @Test("A backfill of M 4.5+ does not merge a quake revised to M 4.4 into one that lists its id")
    func revisedOutOfConditions() throws {
        for isKnown in [false, true] {
            let us = Quake.sample("us", "1", magnitude: 4.6, time: .daysAgo(50))
            let nc = Quake.sample("nc", "2", magnitude: 4.7, time: .daysAgo(49))
            let world = try CatalogWorld(isKnown ? [us, nc] : [us])
            _ = try world.mirror.fetch(strong(again: false))
            world.pass(minutes: 2_000)
            world.change { catalog in
                catalog.revise("us1") { $0.magnitude = 4.4 }
                if !isKnown { catalog.insert(nc) }
                catalog.share("us1", with: nc)
            }
            let head = try world.context.history.currentToken().number
            _ = try world.mirror.fetch(strong(again: true))
            #expect(try world.ids == ["nc2", "us1"] && world.context.sources.idsInQuestion() == [])
            #expect(try Set(world.reasons(since: head)) == (isKnown ? [.revised] : [.revised, .new]))
        }
    }

    // Proves rule 3 of mirroring.md.
    @Test("A refresh of 4.5_week does not rename a quake revised to M 4.4 to one that lists its id")
    func magnitudeFeed() throws {
        let us = Quake.sample("us", "1", magnitude: 4.6, time: .daysAgo(3))
        let world = try CatalogWorld([us])
        world.mirror.serviceScope = .everything
        try world.refresh(FeedName(.all, .week))
        world.pass(minutes: 10)
        world.change { catalog in
            catalog.revise("us1") { $0.magnitude = 4.4 }
            catalog.insert(.sample("nc", "2", magnitude: 4.7, time: .daysAgo(2)))
            catalog.share("us1", with: .sample("nc", "2", magnitude: 4.7, time: .daysAgo(2)))
        }
        let asked = try world.requests { try world.refresh(FeedName(.magnitude45, .week)) }
        #expect(asked.contains { $0.contains("eventid=us1") })
        #expect(try world.ids == ["nc2", "us1"])
    }

    // Proves rule 3 of mirroring.md.
    @Test("An update finds a newly split-off quake even if its \"updated\" time precedes the backfill")
    func splitOffQuake() throws {
        for feed in [FeedName(.significant, .month), FeedName(.magnitude45, .month), nil] {
            let nc = Quake.sample("nc", "2", ids: ["nc2", "us1"], magnitude: 5.5, time: .daysAgo(20))
            let world = try CatalogWorld([nc])
            try world.backfill(.daysAgo(30))
            world.pass(minutes: 2_000)
            world.change { catalog in
                catalog.revise("nc2") { $0.ids = PublishedSet(members: ["nc2"]) }
                catalog.revise("nc2") { $0.significance = 900 }
                let us = Quake.sample("us", "1", magnitude: 5, time: nc.originTime + .seconds(40))
                catalog.insert(us, updated: us.originTime)
            }
            if let feed {
                world.mirror.serviceScope = .downloadsFromUSGS
                try world.refresh(feed)
                world.mirror.serviceScope = .everything
            }
            try world.update()
            #expect(try world.ids == ["nc2", "us1"], "\(feed.map { "\($0)" } ?? "update")")
            #expect(try world.context.sources.coverage().missing(until: .minute(0)) == [])
        }
    }

    // Proves rule 3 of mirroring.md.
    @Test("A renamed quake keeps its local key even if another of its ids becomes a separate quake")
    func recodedAndSplit() throws {
        let us = Quake.sample("us", "1", ids: ["tw3", "us1"], magnitude: 5, time: .daysAgo(50))
        let world = try CatalogWorld([us])
        try world.backfill(.daysAgo(60))
        let key = try world.context.key(ofID: "us1")
        world.pass(minutes: 2_000)
        world.change { catalog in
            catalog.revise("us1") { $0.ids = PublishedSet(members: ["us1"]) }
            catalog.insert(.sample("tw", "3", magnitude: 4, time: .daysAgo(51)))
            catalog.rename("us1", to: "us", "9")
        }
        let head = try world.context.history.currentToken().number
        _ = try world.mirror.fetch(.quakes(QuakeFilter(since: .daysAgo(60)), again: true))
        #expect(try world.ids == ["tw3", "us9"] && world.context.key(ofID: "us9") == key)
        #expect(try Set(world.reasons(since: head)) == [.renamed, .split])
    }

    // Proves rule 23 of mirroring.md.
    @Test("A rename by a feed alone, without the service, ends the quake's coverage by backfills")
    func renamedByFile() throws {
        let us = Quake.sample("us", "1", magnitude: 4, time: .daysAgo(5))
        let world = try CatalogWorld([us])
        try world.backfill(.daysAgo(30))
        world.pass(minutes: 10)
        world.change { catalog in
            catalog.insert(.sample("nc", "2", magnitude: 4, time: .daysAgo(5)))
            catalog.share("us1", with: .sample("nc", "2", magnitude: 4, time: .daysAgo(5)))
        }
        // A server that has lost us1.
        world.editAnswers { url, answer in
            guard url.contains("all_month") else { return }
            answer = answer.editingFeatures { features, count in
                features.removeAll { $0["id"] as? String == "us1" }
                count = features.count
            }
        }
        world.mirror.service = nil
        try world.refresh(FeedName(.all, .month))
        #expect(try world.ids == ["nc2"])
        #expect(try !world.coveredRanges.contains { $0.contains(us) })
    }

    @Test("A backfill from a lagging server does not overwrite a newer version of a quake") func laggingWindow() throws
    {
        let us = Quake.sample("us", "1", magnitude: 4.4, time: .daysAgo(2))
        let world = try CatalogWorld([us])
        world.mirror.serviceScope = .everything
        let (old, address) = (world.service.value.withLock { $0.model }, "eventid=us1")
        world.pass(minutes: 30)
        world.change { $0.revise("us1") { $0.magnitude = 6.8 } }
        try world.refresh(FeedName(.all, .week))
        world.pass(minutes: 30)
        world.editAnswers { url, answer in
            var old = old
            old.catalog.now = .minute(60)
            if url.contains("/query") { answer = old.answer(to: url) }
        }
        let asked = try world.requests { try world.backfill(.daysAgo(10)) }
        #expect(!asked.contains { $0.contains(address) })
        #expect(try world.context.quake(id: "us1")?.quake.magnitude == 6.8)
    }

    @Test("If a response repeats a quake in place of one whose id it lists, the two are not merged")
    func repeatedFeature()
        throws
    {
        let us = Quake.sample("us", "1", magnitude: 5, time: .daysAgo(50))
        let nc = Quake.sample("nc", "2", magnitude: 4, time: us.originTime + .seconds(40))
        let world = try CatalogWorld([us, nc])
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        world.change { $0.share("us1", with: nc) }
        world.editAnswers { url, answer in
            guard url.contains("/query") && !url.contains("eventid=") else { return }
            answer = answer.editingFeatures { features, _ in
                guard let place = features.firstIndex(where: { $0["id"] as? String == "us1" }),
                    let other = features.first(where: { $0["id"] as? String == "nc2" })
                else { return }
                features[place] = other
            }
        }
        _ = try world.mirror.fetch(
            .quakes(QuakeFilter(since: .daysAgo(60)), again: true), limit: 3)
        #expect(try world.ids == ["nc2", "us1"])
    }

    @Test("A response about an id is ignored if it is dated more than a day in the future") func responseDatedAhead()
        throws
    {
        let us = Quake.sample("us", "1", magnitude: 4.4, time: .daysAgo(1))
        let world = try CatalogWorld([us])
        try world.refresh(FeedName(.all, .week))
        let idInQuestion = IDInQuestion(
            id: "us1", originTimes: .minute(-9_999)..<Timestamp.minute(0), reason: "test", raised: .minute(5))
        try world.context.write { try $0.putInQuestion([idInQuestion]) }
        world.editAnswers { url, answer in
            if url.contains("eventid=us1") { answer.headers["Date"] = Timestamp.daysAgo(-300).httpDate }
        }
        _ = try world.mirror.session { session in
            try session.service.flatMap { try session.askAboutIDs(of: $0, for: "test") }
        }
        #expect(try world.context.sources.idsInQuestion().map(\.unsettledAnswers) == [1])
        world.pass(minutes: 10)
        world.change { $0.revise("us1") { $0.magnitude = 6.8 } }
        try world.refresh(FeedName(.all, .week))
        #expect(try world.context.quake(id: "us1")?.quake.magnitude == 6.8)
    }
}
