import Foundation
import QuakeHTTP
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeMirror

@Suite("Scheduled refreshes with FeedMirror", .scratch) struct ScheduledRefreshTests {
    private final class Steps: Sendable {
        private let steps = Mutex<[MirrorProgress]>([])

        var all: [MirrorProgress] { steps.withLock { $0 } }

        func add(_ step: MirrorProgress) { steps.withLock { $0.append(step) } }
    }

    private static let day = Duration.seconds(86_400)

    /// Returns a mirror of a new cache. Its server has the feeds and the event service of a catalog with one quake.
    ///
    /// - Parameter failures: the responses that replace those of the server, by a part of the address.
    private func served(
        failing failures: [String: ScriptedTransport.Response]
    ) throws -> (FeedMirror, QuakeContext, ScriptedTransport) {
        var catalog = EventCatalog(now: .sample)
        catalog.insertInvented(
            1, in: Timestamp.sample - .seconds(1800)...Timestamp.sample - .seconds(1000), updated: .sample)
        let model = Mutex(ModelService(catalog))
        let transport = ScriptedTransport { url in
            if let failure = failures.first(where: { url.contains($0.key) }) { return failure.value }
            let answer = model.withLock { $0.answer(to: url) }
            return .init(status: answer.status, body: answer.body)
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) { .sample }
        return (mirror, context, transport)
    }

    @Test("If the due feed returns 404, refresh reads the next shorter feed instead") func shorterFeed() async throws {
        let (mirror, context, transport) = try served(failing: ["all_month": .init(status: 404)])
        let steps = Steps()
        let report = try await mirror.refresh { steps.add($0) }
        #expect(report.feed == "all_week" && report.inserted.total == 1)
        #expect(transport.addresses.count { $0.contains(".geojson") } == 2)
        let reading = steps.all.filter { if case .reading = $0 { true } else { false } }
        #expect(reading == [.reading(FeedName(.all, .month)), .reading(FeedName(.all, .week))])
        let failure = FeedError.status(404, url: transport.addresses[0])
        #expect(steps.all.contains(.failed(FeedName(.all, .month), failure)))
        #expect(steps.all.contains { if case .read(let read) = $0 { read.feed == "all_week" } else { false } })
        #expect(try context.sources.feed(named: "all_month")?.error == failure.words)
    }

    @Test("If the due feed and all shorter feeds fail, refresh tries each once and throws an error")
    func everyFeedFails() async throws {
        let (mirror, _, transport) = try served(
            failing: ["all_month": .init(status: 404), "all_": .init(status: 410)])
        let month = mirror.endpoint.url(for: FeedName(.all, .month))
        await #expect(throws: FeedError.self) { try await mirror.refresh() }
        #expect(transport.addresses.first == month && transport.addresses.count == 4)
        await #expect(throws: FeedError.self) { try await mirror.refresh(.allDay) }
        #expect(transport.addresses.count == 5)
    }

    @Test("After a server is unreachable or asks for a pause, no shorter feed is requested")
    func unreachableServer() async throws {
        let failure = TransportError(.unreachable, "There is no network.")
        for response in [
            ScriptedTransport.Response(status: 0, failure: failure), .init(status: 503, headers: ["retry-after": "60"]),
        ] {
            let (mirror, _, transport) = try served(failing: ["all_": response])
            await #expect(throws: FeedError.self) { try await mirror.refresh() }
            #expect(transport.addresses.count == 1)
        }
    }

    /// Adds coverage that a backfill fetched nine days ago, so that its daily update is due.
    private func addBackfill(to context: QuakeContext) throws {
        let times = Timestamp.sample - Self.day * 9..<Timestamp.sample - Self.day * 2
        try context.write { writer in
            try writer.add(CoveredRange(originTimes: times, asOf: Timestamp.sample - Self.day * 2))
        }
    }

    @Test("If the daily request to the event service fails, refresh reports this and still succeeds")
    func dailyRequestFails() async throws {
        let (mirror, context, _) = try served(failing: ["fdsnws": .init(status: 400)])
        try addBackfill(to: context)
        let steps = Steps()
        let report = try await mirror.refresh { steps.add($0) }
        #expect(report.outcome == .applied && report.catalogUpdate == nil)
        guard case .dailyRequestFailed(.service(.status(400, _)))? = steps.all.last else {
            Issue.record("the steps end with \(String(describing: steps.all.last))")
            return
        }
        #expect(try context.sources.feeds().contains { $0.isService && $0.error != nil })
    }

    @Test("A refresh canceled after applying its feed succeeds and skips the daily service requests")
    func canceledAfterFeed() throws {
        let (mirror, context, transport) = try served(failing: [:])
        try addBackfill(to: context)
        let isCanceled = Mutex(false)
        let observer = MirrorObserver(
            report: { step in
                if case .read = step { isCanceled.withLock { $0 = true } }
            }, isCancelled: { isCanceled.withLock { $0 } })
        let report = try ScheduledRefresh(mirror, observer: observer).run(dryRun: false)
        #expect(report.outcome == .applied && transport.addresses.count == 1)
    }
}
