import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("What coverage includes", .scratch) struct PlainCoverageTests {
    private static let day = Duration.seconds(86_400)
    /// Midnight, this many days before the day of minute 0.
    private static func midnight(_ days: Int) -> Timestamp { Timestamp.minute(-720) - day * days }

    private static func quakes(_ count: Int, from start: Timestamp, every step: Duration) -> [Quake] {
        (0..<count).map { .sample("us", "\(100 + $0)", time: start + step * $0 + .seconds(9)) }
    }

    @Test(
        "Updates rename neither of two quakes that share an id but were backfilled separately",
        arguments: [[0, 1], [1, 0], [2]], [true, false])
    func sharedIDAcrossWindows(order: [Int], isOwn: Bool) throws {
        let times = [Self.midnight(70) + .seconds(9), Self.midnight(8) + .seconds(9)]
        let shared = isOwn ? "zz00045" : "at00n3rz0w"
        let (first, second) = (
            Quake.sample("ci", "00005", ids: ["ci00005", shared], time: times[0]),
            Quake.sample("zz", "00045", ids: isOwn ? [] : ["zz00045", shared], time: times[1])
        )
        let world = try CatalogWorld([first, second])
        for part in order {
            let (since, until) = [(70, 60), (10, 5), (80, 0)][part]
            try world.backfill(Self.midnight(since), until: Self.midnight(until))
        }
        try world.update()
        #expect(try world.ids == ["ci00005", "zz00045"])
        #expect(try world.context.sources.idsInQuestion() == [])
        world.pass(minutes: 1_440)
        world.change { catalog in for quake in [first, second] { catalog.revise(quake.id) { $0.magnitude = 3 } } }
        for _ in 0..<3 { try world.update() }
        #expect(try world.ids == ["ci00005", "zz00045"])
        #expect(try world.context.sources.idsInQuestion() == [])
        let head = try world.context.history.currentToken()
        world.pass(minutes: 1_440)
        world.change { catalog in for quake in [first, second] { catalog.revise(quake.id) { _ in } } }
        try world.update()
        world.pass(minutes: 60)
        try world.update()
        // Only the moment of the last revision changed.
        let counts = try world.context.history.transactions(after: head.number).map(\.counts)
        #expect(counts.map(\.updated).reduce(0, +) == 2 && counts.map(\.total).reduce(0, +) == 2)
    }

    @Test(
        "If a response lists a deleted feature in place of a quake, the quake's time is not covered",
        arguments: [true, false])
    func deletedFeatureCountsNot(isHonest: Bool) throws {
        let since = Self.midnight(50)
        let quakes = Self.quakes(10, from: since, every: .seconds(600))
        let world = try CatalogWorld(quakes + [.sample("us", "1", time: since + .seconds(5))])
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
        #expect(try world.backfill(since, until: since + Self.day).isComplete == isHonest)
        #expect(try world.coveredRanges.contains { $0.contains(quakes[5]) } == isHonest)
    }

    enum Stop: CaseIterable { case limit, failure, cancellation }

    // Proves rule 20 of mirroring.md.
    @Test("After a backfill stops halfway, the next update fetches the rest", arguments: Stop.allCases, [true, false])
    func stoppedBackfill(by stop: Stop, isOpen: Bool) throws {
        let (since, until) = (Self.midnight(50), isOpen ? nil : Self.midnight(40))
        let quakes = Self.quakes(60, from: since, every: .seconds(3_600))
        let world = try CatalogWorld(quakes)
        world.service.value.withLock { $0.model.settings.maximumRows = 30 }
        let isCancelled = Arc(false)
        world.editAnswers { url, answer in
            guard stop != .limit, url.contains("endtime=2026-01-25") || url.contains("starttime=2026-01-24T") else {
                return
            }
            answer = stop == .failure ? ServedAnswer(status: 403) : answer
            isCancelled.value.withLock { $0 = stop == .cancellation }
        }
        let observer = MirrorObserver(isCancelled: { isCancelled.value.withLock { $0 } })
        let part = BackfillRequest.quakes(QuakeFilter(since: since, until: until), again: false)
        _ = try? world.mirror.fetch(part, limit: stop == .limit ? 4 : nil, observer)
        #expect(try !world.context.sources.coverage().missing(until: .minute(0)).isEmpty)
        #expect(try world.ids.count < quakes.count)
        world.editAnswers { _, _ in }
        world.pass(minutes: 10)
        #expect(try world.update().isComplete)
        #expect(try world.ids.count == quakes.count)
        #expect(try world.context.sources.coverage().missing(until: .minute(0)) == [])
        #expect(try world.covered == RangeSet([since..<(until ?? .minute(10))]))
    }

    // Proves rule 23 of mirroring.md.
    @Test("A purge of two minutes removes only their UTC day from the covered and requested ranges", arguments: [0, 5])
    func purgeOfTwoMinutes(daysAgo: Int) throws {
        let since = Self.midnight(20)
        let world = try CatalogWorld(Self.quakes(41, from: since, every: .seconds(43_200)))
        try world.backfill(since)
        let (start, all) = (Self.midnight(daysAgo), try world.ids)
        try world.context.maintenance.purge(QuakeFilter(since: start, until: start + .seconds(120)))
        #expect(try world.ids.count == 40)
        // USGS revises the purged quake, so the next update lists it.
        for id in Set(all).subtracting(try world.ids) {
            world.change { $0.revise(id) { $0.residualSeconds = 7.25 } }
        }
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
}
