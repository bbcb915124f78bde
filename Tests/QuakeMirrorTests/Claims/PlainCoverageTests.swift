import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("Coverage says what is complete, and what is still in question", .scratch)
struct PlainCoverageTests {
    /// A cache and the service that it queries.
    private final class World {
        struct Service: Sendable {
            var model = ModelService(EventCatalog(now: .minute(0)))
            /// How far the cache's clock is ahead.
            var skew = Duration.zero
            var asked: [String] = []
            /// Changes the response for an address.
            var edit: @Sendable (String, inout ServedAnswer) -> Void = { _, _ in }
        }

        let service = Arc(Service())
        let context: QuakeContext
        var mirror: FeedMirror

        init(_ quakes: [Quake]) throws {
            let (service, directory) = (service, try ScratchDirectory.ofTest())
            let path = directory.path("\(UUID()).db")
            let clock: @Sendable () -> Timestamp = { service.value.withLock { $0.model.catalog.now + $0.skew } }
            let cache = QuakeCache(path: path, configuration: StoreConfiguration(program: "test", now: clock))
            context = try cache.context(access: .creating)
            let transport = StoryTransport { url in
                service.value.withLock { service in
                    service.asked.append(url)
                    var answer = service.model.answer(to: url)
                    service.edit(url, &answer)
                    return answer
                }
            }
            mirror = FeedMirror(cache, transport: transport)
            mirror.service = EventEndpoint(base: "http://127.0.0.1/fdsnws/event/1/query")
            mirror.settings = MirrorSettings(confirmSnapshots: 2, confirmAfter: .zero)
            change { catalog in quakes.forEach { catalog.insert($0, updated: $0.originTime + .seconds(600)) } }
        }

        func change(_ body: (inout EventCatalog) -> Void) { service.value.withLock { body(&$0.model.catalog) } }

        func pass(minutes: Int) { change { $0.now = $0.now + .seconds(minutes * 60) } }

        func editAnswers(_ edit: @escaping @Sendable (String, inout ServedAnswer) -> Void) {
            service.value.withLock { $0.edit = edit }
        }

        @discardableResult
        func backfill(_ since: Timestamp, until: Timestamp? = nil, limit: Int? = nil) throws -> BackfillReport {
            let request = BackfillRequest.part(QuakeFilter(since: since, until: until), again: false)
            let limits = BackfillSettings(maximumRequests: limit)
            return try mirror.backfill(request, limits: limits, dryRun: false, MirrorObserver())
        }

        @discardableResult
        func update() throws -> BackfillReport {
            try mirror.backfill(.update, limits: BackfillSettings(), dryRun: false, MirrorObserver())
        }

        /// Refreshes from a monthly feed file with these quakes, generated that many minutes after minute 0.
        func refresh(at minute: Int64, _ features: [String]) throws {
            let file = context.cache.path + ".geojson"
            try Document.feed("all_month", at: minute, features: features).write(to: URL(fileURLWithPath: file))
            _ = try mirror.session { try $0.refresh(.file(file)) }
        }

        var ids: [String] { get throws { try context.fetch().map(\.quake.id).sorted() } }

        /// The claims from backfills.
        var claims: [Claim] { get throws { try context.sources.claims().filter { $0.source == .backfill } } }

        /// The times that backfills cover.
        var covered: RangeSet<Timestamp> { get throws { RangeSet(try claims.map(\.originTimes)) } }
    }

    private static let day = Duration.seconds(86_400)
    /// Midnight, this many days before the day of minute 0.
    private static func midnight(_ days: Int) -> Timestamp { Timestamp.minute(-720) - day * days }

    private static func quakes(_ count: Int, from start: Timestamp, every step: Duration) -> [Quake] {
        (0..<count).map { .sample("us", "\(100 + $0)", time: start + step * $0 + .seconds(9)) }
    }

    @Test("Undoing a purge gives coverage back with the question that limits it", arguments: [false, true])
    func undoneQuestion(updatesBetween: Bool) throws {
        let (since, until) = (Self.midnight(50), Self.midnight(40))
        let world = try World(Self.quakes(5, from: since, every: Self.day))
        world.change { $0.garble("us102") }
        try world.backfill(since, until: until)
        let (claims, questions) = (try world.claims, try world.context.sources.questions())
        #expect(questions.map(\.id) == ["us102"] && !claims.isEmpty)
        try world.context.maintenance.purge(QuakeFilter(until: until))
        #expect(try world.claims == [] && world.context.sources.questions() == [])
        let purge = try world.context.history.head().number
        if updatesBetween { try world.update() }
        _ = try world.context.history.undo(transaction: purge)
        #expect(try world.claims.map(\.originTimes) == claims.map(\.originTimes))
        #expect(try world.context.sources.questions() == questions)
        world.change { $0.garble("us102", false) }
        try world.update()
        #expect(try world.context.sources.questions() == [] && world.ids.count == 5)
    }

    @Test(
        "Of an id that quakes of different windows share, no update makes another name",
        arguments: [[0, 1], [1, 0], [2]], [true, false])
    func sharedID(order: [Int], isOwn: Bool) throws {
        let times = [Self.midnight(70) + .seconds(9), Self.midnight(8) + .seconds(9)]
        let shared = isOwn ? "zz00045" : "at00n3rz0w"
        let (first, second) = (
            Quake.sample("ci", "00005", ids: ["ci00005", shared], time: times[0]),
            Quake.sample("zz", "00045", ids: isOwn ? [] : ["zz00045", shared], time: times[1])
        )
        let world = try World([first, second])
        for part in order {
            let (since, until) = [(70, 60), (10, 5), (80, 0)][part]
            try world.backfill(Self.midnight(since), until: Self.midnight(until))
        }
        try world.update()
        #expect(try world.ids == ["ci00005", "zz00045"])
        #expect(try world.context.sources.questions() == [])
        world.pass(minutes: 1_440)
        world.change { catalog in for quake in [first, second] { catalog.revise(quake.id) { $0.magnitude = 3 } } }
        for _ in 0..<3 { try world.update() }
        #expect(try world.ids == ["ci00005", "zz00045"])
        #expect(try world.context.sources.questions() == [])
        let head = try world.context.history.head()
        world.pass(minutes: 1_440)
        world.change { catalog in for quake in [first, second] { catalog.revise(quake.id) { _ in } } }
        try world.update()
        world.pass(minutes: 60)
        try world.update()
        var changed: [String] = []
        try world.context.history.fetch(HistoryDescriptor(start: .transaction(head.number)), resyncs: false) { event in
            guard case .change(let relevant) = event else { return }
            changed.append(relevant.change.kind.rawValue)
        }
        // Only the moment of the last revision changed.
        #expect(changed == ["update", "update"])
    }

    @Test("A deleted feature fills the place of no missing one", arguments: [true, false])
    func deletedFeature(isHonest: Bool) throws {
        let since = Self.midnight(50)
        let quakes = Self.quakes(10, from: since, every: .seconds(600))
        let world = try World(quakes + [.sample("us", "1", time: since + .seconds(5))])
        world.change { $0.delete("us1") }
        world.editAnswers { url, answer in
            if url.contains("/count?") {
                answer = .document(#"{"count":10,"maxAllowed":20000}"#)
            } else if !isHonest {
                answer = answer.editingFeatures { features, count in
                    features.removeAll { $0["id"] as? String == "us105" }
                    count = features.count
                }
            }
        }
        let report = try world.backfill(since, until: since + Self.day)
        #expect(report.isComplete == isHonest)
        #expect(try world.claims.contains { $0.contains(quakes[5]) } == isHonest)
    }

    @Test("What an answer lists outside its window does not count as sent in it: one page for every window")
    func onePage() throws {
        let quakes = Self.quakes(100, from: Self.midnight(50), every: .seconds(3_600))
        let world = try World(quakes)
        world.service.value.withLock { $0.model.settings.mostRows = 30 }
        let page = Arc(ServedAnswer?.none)
        world.editAnswers { url, answer in
            guard !url.contains("/count?") else { return }
            answer = page.value.withLock { page in
                page = page ?? answer
                return page ?? answer
            }
        }
        let report = try world.backfill(Self.midnight(50), until: Self.midnight(40))
        let (claims, held) = (try world.claims, Set(try world.ids))
        #expect(!report.isComplete && held.count < quakes.count)
        #expect(quakes.filter { quake in !held.contains(quake.id) && claims.contains { $0.contains(quake) } } == [])
    }

    enum Stop: CaseIterable { case limit, failure, cancellation }

    @Test("An update fetches what a stopped backfill left", arguments: Stop.allCases, [true, false])
    func stopped(by stop: Stop, isOpen: Bool) throws {
        let (since, until) = (Self.midnight(50), isOpen ? nil : Self.midnight(40))
        let quakes = Self.quakes(60, from: since, every: .seconds(3_600))
        let world = try World(quakes)
        world.service.value.withLock { $0.model.settings.mostRows = 30 }
        let isCancelled = Arc(false)
        world.editAnswers { url, answer in
            guard stop != .limit, url.contains("endtime=2026-01-25") || url.contains("starttime=2026-01-24T") else {
                return
            }
            answer = stop == .failure ? ServedAnswer(status: 403) : answer
            isCancelled.value.withLock { $0 = stop == .cancellation }
        }
        let request = BackfillRequest.part(QuakeFilter(since: since, until: until), again: false)
        let observer = MirrorObserver(isCancelled: { isCancelled.value.withLock { $0 } })
        let limits = BackfillSettings(maximumRequests: stop == .limit ? 4 : nil)
        _ = try? world.mirror.backfill(request, limits: limits, dryRun: false, observer)
        #expect(try !world.context.sources.coverage().missing(until: .minute(0)).isEmpty)
        #expect(try world.ids.count < quakes.count)
        world.editAnswers { _, _ in }
        world.pass(minutes: 10)
        #expect(try world.update().isComplete)
        #expect(try world.ids.count == quakes.count)
        #expect(try world.context.sources.coverage().missing(until: .minute(0)) == [])
        #expect(try world.covered == RangeSet([since..<(until ?? .minute(10))]))
    }

    @Test("A purge of two minutes costs its UTC day, which no update brings back, and nothing else", arguments: [0, 5])
    func twoMinutes(daysAgo: Int) throws {
        let since = Self.midnight(20)
        let world = try World(Self.quakes(41, from: since, every: .seconds(43_200)))
        try world.backfill(since)
        let start = Self.midnight(daysAgo)
        try world.context.maintenance.purge(QuakeFilter(since: start, until: start + .seconds(120)))
        #expect(try world.ids.count == 40)
        for days in 0..<3 {
            if days > 0 { try world.update() }
            let expected = RangeSet([since..<Timestamp.minute(Int64(days) * 1_440)])
                .subtracting(RangeSet([start..<start + Self.day]))
            #expect(try world.covered == expected, "after \(days) days")
            #expect(try world.context.sources.coverage().missing(until: .minute(Int64(days) * 1_440)) == [])
            #expect(try world.ids.count == 40)
            world.pass(minutes: 1_440)
        }
    }

    @Test("An older answer that lists what a newer snapshot deleted proves nothing, and is not asked for in halves")
    func withheld() throws {
        let since = Self.midnight(10)
        let quakes = Self.quakes(9, from: since, every: Self.day)
        let world = try World(quakes)
        try world.backfill(since)
        // The files come from a server with the same clock, but the service's replica lags.
        world.service.value.withLock { $0.skew = .seconds(3_600) }
        let listed = (quakes[..<4] + quakes[5...]).map { FeedText.feature($0) }
        for minute in [Int64(1), 2] { try world.refresh(at: minute, listed) }
        #expect(try !world.ids.contains("us104"))
        let lost = Self.midnight(6)..<Self.midnight(5)
        #expect(try world.covered == RangeSet([since..<lost.lowerBound, lost.upperBound..<Timestamp.minute(0)]))
        let asked = world.service.value.withLock { $0.asked.count }
        let report = try world.update()
        #expect(try !report.isComplete && !world.ids.contains("us104"))
        #expect(try !world.claims.contains { $0.contains(quakes[4]) })
        let windows = world.service.value.withLock { $0.asked[asked...].filter { $0.contains("/query?") } }
        let ofTheDay = "starttime=\(lost.lowerBound.iso8601.prefix(10))"
        #expect(windows.count { !$0.contains("updatedafter") && $0.contains(ofTheDay) } == 1)
        world.pass(minutes: 70)
        world.service.value.withLock { $0.skew = .zero }
        try world.update()
        #expect(try world.ids.contains("us104") && world.claims.contains { $0.contains(quakes[4]) })
    }

    @Test("What a window lists, older snapshots neither change nor miss", arguments: [true, false])
    func confirmed(wasHeld: Bool) throws {
        let since = Self.midnight(10)
        let quakes = Self.quakes(9, from: since, every: Self.day)
        let world = try World(quakes)
        if wasHeld {
            world.pass(minutes: -700)
            _ = try world.mirror.session { try $0.refresh(.summary(FeedName(.all, .month))) }
            world.pass(minutes: 700)
        }
        try world.backfill(since)
        let before = try world.context.fetch().map(\.quake)
        var other = quakes[5]
        (other.magnitude, other.updated) = (4, other.updated + .seconds(900))
        let listed = (quakes[..<4] + [other] + quakes[6...]).map { FeedText.feature($0) }
        for minute in 0..<8 { try world.refresh(at: Int64(minute - 600), listed) }
        #expect(try world.context.fetch().map(\.quake) == before)
        #expect(try world.covered == RangeSet([since..<Timestamp.minute(0)]))
    }

    @Test("What is covered is as of no moment before its end", arguments: [0, 1, 768])
    func moment(milliseconds: Int) throws {
        let world = try World(Self.quakes(9, from: Self.midnight(10), every: Self.day))
        world.change { $0.now = $0.now + .milliseconds(milliseconds) }
        try world.backfill(Self.midnight(10))
        for _ in 0..<2 {
            #expect(try world.claims.allSatisfy { $0.originTimes.upperBound <= $0.asOf })
            world.pass(minutes: 1_440)
            world.change { $0.now = $0.now + .milliseconds(300) }
            try world.update()
        }
        #expect(try world.claims.allSatisfy { $0.originTimes.upperBound <= $0.asOf })
    }

    @Test("An update asks what a feed left in question, even where no backfill asked for anything")
    func feedQuestion() throws {
        let quake = Quake.sample("us", "100", time: Self.midnight(3))
        let other = Quake.sample("us", "200", time: Self.midnight(3))
        let world = try World([quake, other])
        let unreadable = FeedText.feature(quake).replacing(#""mag":2.0"#, with: #""mag":50"#)
        try world.refresh(at: 0, [unreadable, FeedText.feature(other)])
        #expect(try world.context.sources.questions().map(\.id) == ["us100"])
        try world.update()
        #expect(try world.context.sources.questions() == [] && world.ids == ["us100", "us200"])
    }
}
