import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@Suite("How often the event service is asked", .computing, .needsRealData, .scratch)
struct ServiceDemandTests {
    /// A server that serves a series of snapshots one by one, and an event service that knows how the series continues:
    /// a quake that no later snapshot lists was deleted.
    private final class Servers: Sendable {
        private let paths: [String]
        /// The position of the last snapshot that lists an id.
        private let last: [String: Int]
        private let position = Mutex(0)

        init(series: String) throws {
            paths = try RealData.snapshots(ofSeries: series)
            var last: [String: Int] = [:]
            for (index, path) in paths.enumerated() {
                for (id, quake) in try RawSnapshot(path: path).quakes {
                    last[id] = index
                    if case .set(let aliases)? = quake.values["ids"] { for alias in aliases { last[alias] = index } }
                }
            }
            self.last = last
        }

        var count: Int { paths.count }

        func move(to index: Int) { position.withLock { $0 = index } }

        func answer(to url: String) -> ScriptedTransport.Response {
            let index = position.withLock { $0 }
            if url.hasSuffix("all_day.geojson") {
                return .init(status: 200, body: FileManager.default.contents(atPath: paths[index]) ?? Data())
            }
            let id = String(url.split(separator: "=")[1].prefix { $0 != "&" })
            guard last[id] ?? index >= index else { return .init(status: 409) }
            return .init(status: 200, body: Document.event(.sample(String(id.prefix(2)), String(id.dropFirst(2)))))
        }
    }

    @Test(
        "Two series of the Caribbean as if they had been downloaded: 21 days, and 36 hours with a stale server",
        arguments: [
            (series: "series/caribbean-2025-jul-sep", confirmSnapshots: 6, requests: 0),
            (series: "series/caribbean-2025-jul-flapping", confirmSnapshots: 6, requests: 0),
            (series: "series/caribbean-2025-jul-flapping", confirmSnapshots: 2, requests: 12),
            (series: "series/caribbean-2025-jul-flapping", confirmSnapshots: 1, requests: 38),
        ])
    func requests(series: String, confirmSnapshots: Int, requests: Int) throws {
        let directory = try ScratchDirectory.ofTest()
        let servers = try Servers(series: series)
        let transport = ScriptedTransport { servers.answer(to: $0) }
        let now = Timestamp(milliseconds: 1_773_489_600_000)
        let client = FeedClient(transport: transport, userAgent: "quakes/test", now: { now })
        let replay = try Replay(
            in: directory,
            settings: MirrorSettings(
                confirmSnapshots: confirmSnapshots, confirmAfter: confirmSnapshots == 6 ? .seconds(3600) : .zero),
            transport: transport, service: EventService(client: client, pace: RequestPace(interval: .zero)),
            serviceScope: .downloadsFromUSGS, now: now)
        for index in 0..<servers.count {
            servers.move(to: index)
            _ = try replay.apply(.summary(FeedName(.all, .day)))
        }
        let questions = transport.addresses.count { !$0.hasSuffix("all_day.geojson") }
        let changes = try replay.changes(after: 0)
        #expect(questions == requests)
        // Quakes that the service reported as deleted stay away.
        #expect(!changes.contains { $0.reason == .restored })
    }
}
