import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

// Proves rule 9 of mirroring.md.
@Suite("Random series with a faulty event service", .computing) struct ServiceSeriesTests {
    @Test(
        "No wrong answer from the event service deletes a quake that still exists",
        arguments: Thoroughness.seeds(20, of: 200))
    func livingQuakesStay(seeds: Range<Int>) throws {
        var counts = (asked: 0, retracted: 0, faults: 0)
        for seed in seeds {
            try withScratchDirectory { directory in
                var series = RandomSeries(seed: UInt64(seed), sharesIDs: false)
                let service = Mutex((world: series.world, random: SplitMix64(state: UInt64(seed))))
                let transport = ScriptedTransport { url in service.withLock { $0.world.answer(to: url, &$0.random) } }
                let replay = try Replay(
                    in: directory, settings: MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero),
                    service: EventService(
                        client: FeedClient(transport: transport, userAgent: "quakes/test", now: { .minute(600) }),
                        endpoint: EventEndpoint(base: "https://service/query"),
                        pace: RequestPace(interval: .zero, limit: .max)), now: .minute(600))
                for step in 0..<25 {
                    let path = try directory.write(series.next(), to: "feed.geojson")
                    service.withLock { $0.world = series.world }
                    guard let done = try? replay.apply(path) else { continue }
                    counts.asked += done.report.asked
                    counts.retracted += done.report.deleted[.retracted] ?? 0
                    counts.faults += done.report.serviceError == nil ? 0 : 1
                    let own = try replay.context.history.newestTransactions(2)
                        .filter { $0.provenance?.url == "https://service/query" }
                    for change in done.changes where own.contains(where: { $0.number == change.transaction }) {
                        guard let id = change.before?.id, series.world.quakes.contains(where: { $0.id == id }) else {
                            continue
                        }
                        #expect(
                            try replay.context.quake(id: id)?.quake.id == id, "seed \(seed), step \(step), \(id)")
                    }
                }
            }
        }
        #expect(counts.asked > 0 && counts.retracted > 0 && counts.faults > 0)
    }
}

extension RandomWorld {
    /// Returns an event service's response about the world for `url`, which is occasionally wrong.
    fileprivate func answer(to url: String, _ random: inout SplitMix64) -> ScriptedTransport.Response {
        guard let id = url.split(separator: "=").dropFirst().first?.prefix(while: { $0 != "&" }),
            url.contains("eventid")
        else {
            let ids = quakes.map(\.id).joined(separator: ",")
            return .init(status: 200, body: Document.feed("deleted", at: 0, features: [Document.deletedEvent(ids)]))
        }
        switch random.next(8) {
        case 0: return .init(status: 404)
        case 1: return .init(status: 500)
        case 2:
            let others = quakes.filter { !$0.hasID(String(id)) }
            guard !others.isEmpty else { return .init(status: 204) }
            return .init(status: 200, body: Document.event(others[random.next(others.count)]))
        default:
            let known = quakes.first { $0.id == id } ?? quakes.first { $0.hasID(String(id)) }
            return known.map { .init(status: 200, body: Document.event($0)) } ?? .init(status: 409)
        }
    }
}
