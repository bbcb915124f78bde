@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("Ids shared by several quakes", .scratch) struct SharedIDTests {
    private func share(_ id: String, with holder: String, in world: CatalogWorld) {
        world.change { $0.revise(holder) { $0.ids = PublishedSet(members: $0.aliases + [id]) } }
    }

    // Proves rule 19 of mirroring.md.
    @Test("An update keeps both quakes if one lists the other's preferred id") func addedToAnother() throws {
        let us = Quake.sample("us", "1", magnitude: 5.5, time: .daysAgo(200))
        let nc = Quake.sample("nc", "2", magnitude: 4, time: us.originTime + .seconds(40))
        let world = try CatalogWorld([us, nc])
        try world.backfill(.daysAgo(300))
        world.pass(minutes: 2_000)
        share("us1", with: "nc2", in: world)
        let head = try world.context.history.currentToken().number
        try world.update()
        #expect(try world.ids == ["nc2", "us1"] && world.context.sources.idsInQuestion() == [])
        #expect(try world.reasons(since: head) == [.revised])
        #expect(try world.context.sources.coverage().missing(until: .minute(0)) == [])
        // Also after the id has been taken away again.
        world.pass(minutes: 2_000)
        world.change { $0.revise("nc2") { $0.ids = PublishedSet(members: ["nc2"]) } }
        try world.update()
        #expect(try world.ids == ["nc2", "us1"])
    }

    @Test("If a network gives a quake a new code, an update renames the quake") func recoded() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4, time: .daysAgo(200))])
        try world.backfill(.daysAgo(300))
        let key = try world.context.key(ofID: "us1")
        world.pass(minutes: 2_000)
        world.change { $0.rename("us1", to: "us", "2") }
        let head = try world.context.history.currentToken().number
        try world.update()
        #expect(try world.ids == ["us2"] && world.context.key(ofID: "us2") == key)
        #expect(try world.reasons(since: head) == [.renamed])
        #expect(try world.context.sources.idsInQuestion() == [])
    }

    @Test("A vanished quake is renamed to a new quake that lists its id, not merged into a cached one")
    func recodedAndShared() throws {
        let world = try CatalogWorld([
            .sample("nc", "2", magnitude: 4, time: .daysAgo(51)), .sample("us", "1", magnitude: 4, time: .daysAgo(50)),
            .sample("nc", "3", magnitude: 4, time: .daysAgo(49)),
        ])
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        share("us1", with: "nc2", in: world)
        share("us1", with: "nc3", in: world)
        world.change { $0.rename("us1", to: "pr", "4") }
        let (key, head) = (try world.context.key(ofID: "us1"), try world.context.history.currentToken().number)
        _ = try world.mirror.fetch(.quakes(QuakeFilter(since: .daysAgo(60)), again: true))
        #expect(try world.ids == ["nc2", "nc3", "pr4"] && world.context.key(ofID: "pr4") == key)
        #expect(try Set(world.reasons(since: head)) == [.revised, .renamed])
    }

    @Test("A backfill response with a quake from outside the requested times merges no quakes") func misplacedQuake()
        throws
    {
        let us = Quake.sample("us", "1", magnitude: 4, time: .daysAgo(50))
        let nc = Quake.sample("nc", "2", magnitude: 4, time: us.originTime + .seconds(40))
        let world = try CatalogWorld([us, nc])
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        share("us1", with: "nc2", in: world)
        world.editAnswers { url, answer in
            guard url.contains("/query") && !url.contains("eventid=") else { return }
            answer = answer.editingFeatures { features, _ in
                guard let place = features.firstIndex(where: { $0["id"] as? String == "us1" }) else { return }
                var properties = features[place]["properties"] as? [String: Any] ?? [:]
                let time = properties["time"] as? Int64 ?? 0
                properties.merge(["code": "9", "ids": ",us9,", "time": time - 20 * 86_400_000]) { $1 }
                features[place].merge(["id": "us9", "properties": properties]) { $1 }
            }
        }
        _ = try world.mirror.fetch(.quakes(QuakeFilter(since: .daysAgo(60)), again: true))
        #expect(try world.ids == ["nc2", "us1"])
        world.editAnswers { _, _ in }
        _ = try world.mirror.fetch(.quakes(QuakeFilter(since: .daysAgo(60)), again: true))
        #expect(try world.ids == ["nc2", "us1"] && world.context.sources.idsInQuestion() == [])
    }

    // Proves rule 9 of mirroring.md.
    @Test("A quake first skipped as unreadable, then readable, stays apart from one that lists its id")
    func thirdQuake() throws {
        let ci = Quake.sample("ci", "2", magnitude: 4, time: .daysAgo(50))
        let nc = Quake.sample("nc", "3", magnitude: 5, time: .daysAgo(40))
        let world = try CatalogWorld([ci, nc])
        share("nc3", with: "ci2", in: world)
        world.change { $0.garble("nc3") }
        try world.backfill(.daysAgo(45), until: .daysAgo(35))
        try world.backfill(.daysAgo(55), until: .daysAgo(45))
        world.pass(minutes: 2_000)
        world.change { $0.garble("nc3", false) }
        for _ in 0..<3 {
            try world.update()
            world.pass(minutes: 2_000)
        }
        #expect(try world.ids == ["ci2", "nc3"] && world.context.sources.idsInQuestion() == [])
        #expect(try world.context.quake(id: "nc3")?.quake.originTime == nc.originTime)
    }

    // Proves rule 9 of mirroring.md.
    @Test("If a response that an id is deleted predates the cached data, the id is requested again")
    func laggingResponse()
        throws
    {
        let world = try CatalogWorld([
            .sample("us", "1", magnitude: 4, time: .daysAgo(50)), .sample("nc", "2", magnitude: 4, time: .daysAgo(50)),
        ])
        try world.backfill(.daysAgo(60))
        world.pass(minutes: 2_000)
        world.change { $0.delete("us1") }
        let idInQuestion = IDInQuestion(
            id: "us1", originTimes: .daysAgo(60)..<Timestamp.minute(0), reason: "test", raised: .minute(0))
        try world.context.write { try $0.putInQuestion([idInQuestion]) }
        world.editAnswers { url, answer in
            guard url.contains("eventid=us1") else { return }
            answer = ServedAnswer(status: 409, headers: ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"])
        }
        let asked = try world.requests { _ = try world.mirror.session { try $0.askAboutIDs() } }
        #expect(asked.count == 1)
        #expect(try world.ids == ["nc2", "us1"] && world.context.sources.idsInQuestion().map(\.id) == ["us1"])
        world.editAnswers { _, _ in }
        _ = try world.mirror.session { try $0.askAboutIDs() }
        #expect(try world.ids == ["nc2"] && world.context.sources.idsInQuestion() == [])
    }

    // Proves rule 9 of mirroring.md.
    @Test("An id unknown to the service is requested again after 1, 7 and 30 days, then every 30")
    func unsettledResponse() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4, time: .daysAgo(1))])
        try world.refresh(FeedName(.all, .week))
        let idInQuestion = IDInQuestion(
            id: "us9", originTimes: .minute(-1)..<Timestamp.minute(0), reason: "test", raised: .minute(0))
        var days: [Int] = []
        for day in 0...80 {
            // Each day, another document puts the id in question again.
            try world.context.write { try $0.putInQuestion([idInQuestion]) }
            let asked = try world.requests { _ = try world.mirror.session { try $0.askAboutIDs() } }
            if !asked.isEmpty { days.append(day) }
            world.pass(minutes: 1_440)
        }
        #expect(days == [0, 1, 8, 38, 68])
        #expect(try world.context.sources.idsInQuestion().map(\.unsettledAnswers) == [5])
    }

    // Proves rule 22 of mirroring.md.
    @Test("An id stays in question until a newer feed lists its quake")
    func newerDocument() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4, time: .daysAgo(1))])
        try world.refresh(FeedName(.all, .week))
        world.mirror.service = nil
        let body = world.service.value.withLock { $0.model.answer(to: "/all_week.geojson").body }
        let file = try ScratchDirectory.ofTest().write(body, to: "week.geojson")
        world.pass(minutes: 10)
        let idInQuestion = IDInQuestion(
            id: "us1", originTimes: .minute(-9_999)..<Timestamp.minute(0), reason: "test", raised: .minute(5))
        try world.context.write { try $0.putInQuestion([idInQuestion]) }
        _ = try world.mirror.session { try $0.refresh(.file(file)) }
        #expect(try world.context.sources.idsInQuestion().map(\.id) == ["us1"])
        try world.refresh(FeedName(.all, .week))
        #expect(try world.context.sources.idsInQuestion() == [])
    }

    // Proves rule 3 of mirroring.md.
    @Test(
        "A quake in all_hour is not merged with a quake too old for all_hour whose id it lists",
        arguments: [true, false])
    func hourFeed(hasService: Bool) throws {
        let us = Quake.sample("us", "1", magnitude: 5, time: .minute(-70))
        let nc = Quake.sample("nc", "2", magnitude: 3, time: .minute(-40))
        let world = try CatalogWorld([us, nc])
        if !hasService { world.mirror.service = nil }
        world.mirror.serviceScope = .everything
        share("us1", with: "nc2", in: world)
        var keys: Set<QuakeKey> = []
        try world.refresh(FeedName(.all, .day))
        let head = try world.context.history.currentToken().number
        for _ in 0..<4 {
            for feed in [FeedName(.all, .hour), FeedName(.all, .day), FeedName(.magnitude25, .day)] {
                try world.refresh(feed)
                keys.formUnion(try world.context.fetch().map(\.key))
                #expect(try world.ids == ["nc2", "us1"])
            }
            world.pass(minutes: 5)
        }
        #expect(keys.count == 2)
        #expect(try world.reasons(since: head) == [])
    }

    // Proves rule 3 of mirroring.md.
    @Test("If a new quake in all_hour lists a cached id, the event service decides if it is a rename") func newIDWaits()
        throws
    {
        for isRenamed in [true, false] {
            let world = try CatalogWorld([.sample("us", "1", magnitude: 5, time: .minute(-30))])
            world.mirror.serviceScope = .everything
            try world.refresh(FeedName(.all, .day))
            world.pass(minutes: 40)
            if isRenamed {
                world.change { $0.rename("us1", to: "pr", "9") }
                world.change { $0.revise("pr9") { $0.originTime = .minute(20) } }
            } else {
                world.change { $0.insert(.sample("pr", "9", time: .minute(20))) }
                share("us1", with: "pr9", in: world)
            }
            let head = try world.context.history.currentToken().number
            let report = try world.refresh(FeedName(.all, .hour))
            #expect(try world.ids == (isRenamed ? ["pr9"] : ["pr9", "us1"]), "\(report)")
            #expect(try world.reasons(since: head) == [isRenamed ? .renamed : .new])
            #expect(try world.context.sources.idsInQuestion() == [])
        }
    }

    @Test("Repeated updates limited to 4 requests each fetch all changes") func limitedUpdate() throws {
        let quakes = (0..<200).map { Quake.sample("us", "\($0)", time: .minute(-Int64($0) * 600 - 2_000)) }
        let world = try CatalogWorld(quakes)
        world.service.value.withLock { $0.model.settings.maximumRows = 50 }
        try world.backfill(.daysAgo(200))
        world.pass(minutes: 720)
        world.change { catalog in for quake in quakes { catalog.revise(quake.id) { $0.magnitude = 3 } } }
        for _ in 0..<20 {
            world.pass(minutes: 5)
            _ = try? world.mirror.fetch(.update, limit: 4)
        }
        #expect(try world.context.fetch().allSatisfy { $0.quake.magnitude == 3 })
    }

    // Proves rule 4 of mirroring.md.
    @Test("Applying a snapshot again changes nothing, even if a quake lists two other quakes' ids")
    func appliedTwice() throws {
        let others = ["2", "3"].map { Quake.sample("nc", $0, magnitude: 4, time: .daysAgo(0)) }
        let us = Quake.sample("us", "1", ids: ["nc2", "nc3", "us1"], time: .minute(-9))
        let replay = try Replay(in: .ofTest())
        try replay.apply(Document.feed("all_day", at: 0, others + [.sample("us", "1", time: .minute(-9))]))
        let document = Document.feed("all_day", at: 5, [us])
        try replay.apply(document)
        let first = try replay.context.fetch()
        #expect(try replay.apply(document).changes.isEmpty)
        #expect(try replay.context.fetch() == first)
    }

    @Test("A backfill with 21 of 30 features unreadable covers its times and puts 21 ids in question")
    func unreadableWindow() throws {
        let quakes = (10..<40).map { Quake.sample("us", "\($0)", time: .daysAgo(50) + .seconds(60 * $0)) }
        let world = try CatalogWorld(quakes)
        world.change { catalog in for quake in quakes.prefix(21) { catalog.garble(quake.id) } }
        world.editAnswers { url, answer in
            if url.contains("eventid=") { answer = ServedAnswer(status: 404) }
        }
        let report = try world.backfill(.daysAgo(60), until: .daysAgo(40))
        #expect(report.isComplete && report.incompleteWindows.isEmpty)
        #expect(try world.ids.count == 9 && world.coveredRanges.count == 1)
        #expect(try world.context.sources.idsInQuestion().count == 21)
    }

    // Proves rule 22 of mirroring.md.
    @Test("Without a backfill, a refresh asks the service about at most 50 of 70 ids in question")
    func requestedByRefresh() throws {
        let world = try CatalogWorld([.sample("us", "1", magnitude: 4, time: .daysAgo(1))])
        world.mirror.serviceScope = .everything
        try world.refresh()
        let open = (100..<170).map { number in
            IDInQuestion(
                id: "us\(number)", originTimes: .minute(-1)..<Timestamp.minute(0), reason: "test", raised: .minute(0))
        }
        try world.context.write { try $0.putInQuestion(open) }
        var counts: [Int] = []
        for _ in 0..<5 {
            let asked = try world.requests { try world.refresh() }
            counts.append(asked.count { $0.contains("eventid=") })
            world.pass(minutes: 720)
        }
        #expect(counts[0] == 0 && counts[2] > 0)
        #expect(counts.allSatisfy { $0 <= 50 } && counts.reduce(0, +) >= 70)
    }
}

extension MirrorSession {
    /// Asks the event service about all ids in question that are due.
    fileprivate func askAboutIDs() throws -> RefreshReport? {
        guard let service else { return nil }
        return try askAboutIDs(of: service, for: "test")?.report
    }
}
