import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

// Proves rule 22 of mirroring.md.
@Suite("Unreadable features", .scratch) struct UnreadableFeatureTests {
    private static let now = Timestamp.minute(0)
    private static let since = now - .seconds(4_000)
    private static let bad = Quake.sample("us", "bad", time: since + .seconds(9))
    private static let unreadable = FeedText.feature(bad).replacing(#""mag":2.0"#, with: #""mag":50"#)
    private static let good = Quake.sample("us", "good", time: since + .seconds(99))

    /// The form in which the service sends the bad feature, and its responses to requests for single features.
    private struct Service: Sendable {
        var feature: String
        /// The number of minutes after ``now`` at which the service is queried.
        var minutesLater: Int64 = 0
        var single = ScriptedTransport.Response(status: 404)
        var others = ScriptedTransport.Response(status: 500)
    }

    /// Returns a mirror whose service counts and sends two quakes.
    private func mirror(_ feature: String) throws -> (FeedMirror, QuakeContext, Arc<Service>, ScriptedTransport) {
        let service = Arc(Service(feature: feature))
        let transport = ScriptedTransport { url in
            let now = service.value.withLock { $0 }
            if url.contains("eventid=usbad") { return now.single }
            if url.contains("eventid=") { return now.others }
            if url.contains("/count?") {
                let count = url.contains("updatedafter") ? 0 : 2
                return .init(status: 200, body: Data(#"{"count":\#(count),"maxAllowed":20000}"#.utf8))
            }
            let features = url.contains("updatedafter") ? [] : [now.feature, FeedText.feature(Self.good)]
            return .init(status: 200, body: Document.feed("catalog", at: now.minutesLater, features: features))
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport, name: "\(UUID()).db") {
            service.value.withLock { .minute($0.minutesLater) }
        }
        return (mirror, context, service, transport)
    }

    @Test(
        "A backfill covers its times despite an unreadable feature, whose id is put in question",
        arguments: [
            (#""mag":2.0"#, #""mag":50"#), (#""place":"9 km N of Nowhere""#, #""place":7"#),
            (#""time":\#(bad.originTime.milliseconds)"#, #""time":null"#), ("[-120.0,37.0,5]", "[-120.0,99,5]"),
            (#""net":"us""#, #""net":"""#), (#""properties":{"#, #""properties":null,"other":{"#),
        ])
    func withID(member: String, replacement: String) async throws {
        let feature = FeedText.feature(Self.bad).replacing(member, with: replacement)
        #expect(feature != FeedText.feature(Self.bad))
        let (mirror, context, service, transport) = try mirror(feature)
        let report = try await mirror.backfill(QuakeFilter(since: Self.since, until: Self.now))
        #expect(report.isComplete && report.skipped == 1)
        #expect(try context.sources.coveredRanges().map(\.originTimes) == [Self.since..<Self.now])
        let noted = try context.sources.idsInQuestion()
        #expect(noted.map(\.id) == ["usbad"] && noted.map(\.originTimes) == [Self.since..<Self.now])

        // The response is still unreadable, or is about another quake.
        for (index, body) in [
            Document.event(.sample("ak", "7", time: Self.since)), Data(#"{"type":"Feature"}"#.utf8),
        ].enumerated() {
            service.value.withLock { service in
                service.single = .init(status: 200, body: body)
                service.minutesLater = [1, 8][index] * 1_440
            }
            try mirror.fetch(.update)
            #expect(transport.addresses.last?.contains("eventid=usbad") == true)
            let unsettled = try context.sources.idsInQuestion().map(\.unsettledAnswers)
            #expect(try unsettled == [index + 2] && context.fetchCount() == 1, "\(index)")
        }
        // An answer that settles nothing is asked for again after a day, a week, and 30 days.
        var before = transport.addresses.count
        try mirror.fetch(.update)
        #expect(!transport.addresses[before...].contains { $0.contains("eventid") })
        service.value.withLock { $0.minutesLater += 30 * 1_440 }

        service.value.withLock { $0.single = .init(status: 200, body: Document.event(Self.bad)) }
        #expect(try mirror.fetch(.update).inserted == 1)
        #expect(try context.sources.idsInQuestion().isEmpty && context.quake(id: "usbad") != nil)
        #expect(try context.maintenance.verify(full: true).findings == [])
        before = transport.addresses.count
        try mirror.fetch(.update)
        #expect(!transport.addresses[before...].contains { $0.contains("eventid") })
    }

    @Test("If a feature's id is unreadable, the backfill covers nothing") func withoutID() async throws {
        let feature = FeedText.feature(Self.bad).replacing(#""id":"usbad""#, with: #""id":7"#)
        let (mirror, context, _, _) = try mirror(feature)
        let report = try await mirror.backfill(QuakeFilter(since: Self.since, until: Self.now))
        #expect(!report.isComplete && !report.incompleteWindows.isEmpty)
        #expect(try context.sources.coveredRanges().isEmpty && context.sources.idsInQuestion().isEmpty)
    }

    @Test("An unreadable feature is no longer in question once deleted or no longer covered")
    func noLongerRequested() async throws {
        for isForgotten in [false, true] {
            let (mirror, context, service, transport) = try mirror(Self.unreadable)
            _ = try await mirror.backfill(QuakeFilter(since: Self.since, until: Self.now))
            service.value.withLock { ($0.minutesLater, $0.single) = (1_440, .init(status: 409)) }
            if isForgotten { try context.sources.forgetCoverage() }
            let asked = transport.addresses.count
            try mirror.fetch(.update)
            #expect(try context.sources.idsInQuestion().isEmpty)
            #expect(transport.addresses[asked...].contains { $0.contains("eventid") } != isForgotten)
        }
    }

    @Test("If an unreadable feature has a quake's former id, the quake's current id is requested too") func formerID()
        async throws
    {
        let (mirror, context, service, transport) = try mirror(Self.unreadable)
        _ = try await mirror.backfill(QuakeFilter(since: Self.since, until: Self.now))
        let key = try #require(try context.key(ofID: "usgood"))
        try context.write { try $0.assign(alias: "usbad", to: key) }
        service.value.withLock {
            ($0.minutesLater, $0.single) = (40 * 1440, .init(status: 200, body: Document.event(Self.bad)))
        }
        _ = try? mirror.fetch(.update)
        #expect(try context.sources.idsInQuestion().map(\.id) == ["usbad", "usgood"] && context.fetchCount() == 1)
        service.value.withLock { ($0.single, $0.others) = (.init(status: 409), .init(status: 409)) }
        try mirror.fetch(.update)
        #expect(transport.addresses.contains { $0.contains("eventid=usgood") })
        #expect(try context.sources.idsInQuestion().isEmpty && context.quake(id: "usgood") == nil)
    }

    @Test(
        "An unreadable feature is no longer in question once a readable version of it arrives",
        arguments: [false, true])
    func settled(isUpdated: Bool) async throws {
        let (mirror, context, service, _) = try mirror(Self.unreadable)
        func refresh(_ listed: String, at minute: Int64) async throws {
            let features = [listed, FeedText.feature(.sample("us", "other"))]
            let file = context.cache.path + ".geojson"
            try Document.feed("all_day", at: minute, features: features).write(to: URL(fileURLWithPath: file))
            _ = try await mirror.refresh(.file(file))
            #expect(try context.sources.coveredRanges().map(\.source) == [.feed])
        }
        try await refresh(Self.unreadable, at: -2)
        #expect(try context.sources.idsInQuestion().map(\.id) == ["usbad"])
        if isUpdated {
            service.value.withLock { $0.single = .init(status: 200, body: Document.event(Self.bad)) }
            try mirror.fetch(.update)
            #expect(try context.quake(id: "usbad") != nil)
        } else {
            try await refresh(FeedText.feature(Self.bad), at: -1)
        }
        #expect(try context.sources.idsInQuestion().isEmpty)
    }
}
