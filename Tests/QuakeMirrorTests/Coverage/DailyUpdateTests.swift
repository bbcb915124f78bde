import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@Suite("Daily updates of backfills", .scratch) struct DailyUpdateTests {
    private let day = Duration.seconds(86_400)

    @Test("A refresh updates no backfills during a Retry-After pause or within an hour of a failure")
    func pauseOrFailure() {
        let held = Coverage([
            CoveredRange(
                originTimes: Timestamp.sample - day * 9..<Timestamp.sample - day * 2, asOf: Timestamp.sample - day * 2)
        ])
        var service = FeedRecord(name: "event service")
        #expect(RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
        service.pause = FeedRecord.Pause(end: .sample + .seconds(1), status: 503)
        #expect(!RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
        service.pause = FeedRecord.Pause(end: .sample, status: 503)
        #expect(RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
        service.errorTime = .sample - .seconds(3_599)
        #expect(!RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
        // An update that did not change the covered range.
        (service.errorTime, service.checked) = (nil, .sample - .seconds(3_599))
        #expect(!RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
        service.checked = .sample - .seconds(3_600)
        #expect(RefreshSchedule.isCatalogDue(held, service: service, now: .sample))
    }

    @Test("A refresh completes a stopped backfill unless only the last day is missing") func stoppedBackfill() {
        func isDue(since days: Int) -> Bool {
            var coverage = Coverage()
            coverage.request(QuakeFilter(), in: Timestamp.sample - day * days..<Coverage.forever)
            return RefreshSchedule.isCatalogDue(coverage, service: nil, now: .sample)
        }
        #expect(isDue(since: 2) && !isDue(since: 1))
    }

    @Test("A refresh sends the event service no update request for ranges covered only by feeds") func feedsOnly() {
        let held = CoveredRange(
            source: .feed, originTimes: Timestamp.sample - day * 9..<Timestamp.sample - day * 2,
            asOf: Timestamp.sample - day * 2)
        #expect(!RefreshSchedule.isCatalogDue(Coverage([held]), service: nil, now: .sample))
    }

    @Test("FeedMirror.refresh updates backfilled ranges once a day") func refreshUpdatesBackfills() async throws {
        let since = Timestamp.sample - day * 9
        var catalog = EventCatalog(now: .sample)
        catalog.insertInvented(20, in: since...Timestamp.sample - day * 3, updated: Timestamp.sample - day)
        let model = Mutex(ModelService(catalog))
        let transport = ScriptedTransport { url in
            let answer = model.withLock { $0.answer(to: url) }
            return .init(status: answer.status, body: answer.body)
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) { .sample }
        try context.write { writer in
            try writer.add(
                CoveredRange(originTimes: since..<Timestamp.sample - day * 2, asOf: Timestamp.sample - day * 2))
        }
        #expect(try await mirror.refresh().catalogUpdate?.isComplete == true)
        #expect(transport.addresses.contains { $0.contains("updatedafter=") })
        #expect(try context.sources.coveredRanges().contains { $0.source == .backfill && $0.asOf == .sample })
        #expect(try await mirror.refresh().catalogUpdate == nil)
    }

    @Test("A refresh succeeds but updates no backfill if quakes.db.backfill-lock is a symbolic link")
    func unusableLock() async throws {
        let transport = ScriptedTransport { url in
            var model = ModelService(EventCatalog(now: .sample))
            let answer = model.answer(to: url)
            return .init(status: answer.status, body: answer.body)
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) { .sample }
        try context.write { writer in
            try writer.add(
                CoveredRange(originTimes: Timestamp.sample - day * 9..<Timestamp.sample, asOf: .sample - day))
        }
        let lock = context.cache.path + ".backfill-lock"
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "/nowhere")
        #expect(try await mirror.refresh().catalogUpdate == nil)
        let failing = try context.sources.feeds().filter { $0.error != nil }
        #expect(failing.map(\.isService) == [true])
        #expect(failing.first?.error?.contains("\(lock): it is a symbolic link") == true)
    }
}
