import Foundation
import QuakeFeed
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("What the windows of a backfill prove, and how their quakes are counted")
struct WindowTests {
    private let now = Timestamp.minute(0)
    private var since: Timestamp { now - .seconds(4_000) }

    private func quake(_ code: String, at seconds: Int) -> Quake {
        .sample("us", code, time: since + .seconds(seconds))
    }

    /// A service that counts all `quakes` and sends those that `isSent` accepts, made at `generated`.
    private func service(
        _ quakes: [Quake], mostRows: Int = 20_000, generated minute: Int64 = 0,
        isSent: @escaping @Sendable (Quake) -> Bool = { _ in true }
    ) -> ScriptedTransport {
        ScriptedTransport { url in
            func moment(_ name: String) -> Timestamp {
                let value = url.split(separator: name + "=").last?.prefix { $0 != "&" }
                return value.flatMap { Timestamp(iso8601: String($0)) } ?? .minute(0)
            }
            let asked = quakes.filter { (moment("starttime")...moment("endtime")).contains($0.originTime) }
            let body =
                url.contains("/count?")
                ? Data(#"{"count":\#(asked.count),"maxAllowed":\#(mostRows)}"#.utf8)
                : Document.feed("catalogue", at: minute, asked.filter(isSent))
            return .init(status: 200, body: body)
        }
    }

    private func backfill(
        _ transport: ScriptedTransport, until: Timestamp? = nil, limit: Int? = nil, holding held: [Claim] = [],
        _ body: (BackfillReport, [Claim], QuakeContext) throws -> Void
    ) async throws {
        try await withScratchDirectory { directory async throws in
            let cache = QuakeCache(
                path: directory.path("quakes.db"),
                configuration: StoreConfiguration(program: "test", now: { .minute(0) }))
            let context = try cache.context(access: .creating)
            try context.write { writer in for claim in held { try writer.add(claim) } }
            var mirror = FeedMirror(cache, transport: transport)
            mirror.service = EventEndpoint(base: "http://127.0.0.1/fdsnws/event/1/query")
            let report = try await mirror.backfill(
                QuakeFilter(since: since, until: until), settings: BackfillSettings(maximumRequests: limit))
            try body(report, context.sources.claims(), context)
        }
    }

    @Test("An answer whose clock is ahead is as of the moment of the question")
    func clockAhead() async throws {
        try await backfill(service([quake("1", at: 9)], generated: 60)) { report, claims, _ in
            #expect(report.isComplete && claims.map(\.asOf) == [now] && claims[0].originTimes == since..<now)
        }
    }

    @Test("With an end in the future the part ends now; the service is not at fault")
    func endInTheFuture() async throws {
        try await backfill(service([quake("1", at: 9)]), until: now + .seconds(86_400)) { report, claims, _ in
            #expect(report.isComplete && report.unclaimed.isEmpty)
            #expect(claims.map(\.originTimes) == [since..<now] && claims.allSatisfy { !$0.isOpenEnded })
        }
    }

    @Test("The last request that a run may send brings quakes, and is no count")
    func lastRequest() async throws {
        let transport = service([quake("1", at: 9), quake("2", at: 3_900)])
        let middle = Claim(originTimes: since + .seconds(1_000)..<since + .seconds(3_000), asOf: now)
        try await backfill(transport, limit: 3, holding: [middle]) { report, claims, context in
            #expect(transport.addresses.map { $0.contains("/count?") } == [true, false, false])
            let quakes = try context.maintenance.statistics().quakes
            #expect(quakes == 2)
            #expect(!report.isComplete && claims.map(\.originTimes.lowerBound) == [since])
        }
    }

    @Test("A quake of the second in which two windows meet counts once, and hides none that is missing")
    func meetingWindows() async throws {
        // Of four quakes, at most three in an answer, the first window takes six tenths: 2,400 of 4,000 seconds.
        let quakes = [quake("1", at: 9), quake("2", at: 2_400), quake("3", at: 3_000), quake("4", at: 3_900)]
        let honest = service(quakes, mostRows: 3)
        try await backfill(honest, until: now) { report, _, _ in
            let meeting = "endtime=\((since + .seconds(2_400)).iso8601.dropLast())"
            #expect(honest.addresses.contains { $0.contains(meeting) })
            #expect(report.isComplete && report.features == 4 && report.inserted == 4)
        }
        try await backfill(service(quakes, mostRows: 3) { $0.code != "4" }, until: now) { report, claims, _ in
            #expect(!report.isComplete && report.features == 3 && report.inserted == 3)
            #expect(claims.allSatisfy { !$0.contains(quakes[3]) })
            #expect(report.unclaimed.map(\.reason) == [.short(counted: 1, sent: 0)])
        }
    }
}
