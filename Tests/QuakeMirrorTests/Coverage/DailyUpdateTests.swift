import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@Suite("What backfills have brought is updated once a day", .scratch) struct DailyUpdateTests {
    private let day = Duration.seconds(86_400)

    @Test("It is not due while the event service has asked for a pause, nor an hour after a failure") func due() {
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

    @Test("What a stopped backfill left is due, the last day is not") func missing() {
        func isDue(since days: Int) -> Bool {
            var coverage = Coverage()
            coverage.request(QuakeFilter(), in: Timestamp.sample - day * days..<Coverage.forever)
            return RefreshSchedule.isCatalogDue(coverage, service: nil, now: .sample)
        }
        #expect(isDue(since: 2) && !isDue(since: 1))
    }

    @Test("What feeds alone have brought is not updated") func feeds() {
        let held = CoveredRange(
            source: .feed, originTimes: Timestamp.sample - day * 9..<Timestamp.sample - day * 2,
            asOf: Timestamp.sample - day * 2)
        #expect(!RefreshSchedule.isCatalogDue(Coverage([held]), service: nil, now: .sample))
    }

    @Test("A Swift program that refreshes the due feed gets the update, once") func library() async throws {
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

    @Test("One that cannot start fails no refresh, and is a failure of the event service") func lock() async throws {
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
