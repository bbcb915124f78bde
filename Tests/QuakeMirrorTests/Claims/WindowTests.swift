import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@Suite("What the windows of a backfill prove, and how their quakes are counted", .scratch)
struct WindowTests {
    private let now = Timestamp.minute(0)
    private var since: Timestamp { now - .seconds(4_000) }

    private func quake(_ code: String, at seconds: Int) -> Quake {
        .sample("us", code, time: since + .seconds(seconds))
    }

    /// A service that counts all `quakes` but sends only those that `isSent` accepts, dated `generated`.
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
                : Document.feed("catalog", at: minute, asked.filter(isSent))
            return .init(status: 200, body: body)
        }
    }

    private func backfill(
        _ transport: ScriptedTransport, until: Timestamp? = nil, limit: Int? = nil, holding held: [Claim] = [],
        _ body: (BackfillReport, [Claim], QuakeContext) throws -> Void
    ) async throws {
        try await withScratchDirectory { directory async throws in
            let (mirror, context) = try FeedMirror.ofNewCache(in: directory, transport)
            try context.write { writer in for claim in held { try writer.add(claim) } }
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

    @Test("A run that may send one more request counts nothing that it may not ask for")
    func lastRequest() async throws {
        let transport = service([quake("1", at: 9), quake("2", at: 3_900)])
        let middle = Claim(originTimes: since + .seconds(1_000)..<since + .seconds(3_000), asOf: now)
        try await backfill(transport, limit: 3, holding: [middle]) { report, claims, _ in
            #expect(transport.addresses.map { $0.contains("/count?") } == [true, false])
            #expect(!report.isComplete && claims.map(\.originTimes.lowerBound) == [since])
            #expect(claims.map(\.originTimes.upperBound) == [since + .seconds(3_000)])
        }
    }

    @Test("A service that withholds one quake in a thousand is not believed: all but that quake is claimed")
    func oneInAThousand() async throws {
        let quakes = (1...2_000).map { quake("\($0)", at: $0 * 2 - 1) }
        try await backfill(service(quakes) { $0.code != "700" }, until: now) { report, claims, _ in
            #expect(!report.isComplete && report.features == 1_999)
            #expect(claims.allSatisfy { !$0.contains(quakes[699]) })
            #expect(quakes.count { quake in !claims.contains { $0.contains(quake) } } < 3)
            #expect(report.unclaimed.map(\.reason).allSatisfy { if case .short = $0 { true } else { false } })
        }
    }

    @Test("A quake that vanishes between the count and the answer leaves no window short")
    func vanished() async throws {
        let quakes = [quake("1", at: 9), quake("2", at: 3_900)]
        let (all, fewer) = (service(quakes), service([quakes[0]]))
        let requests = Mutex(0)
        let transport = ScriptedTransport { url in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            return (number == 1 ? all : fewer).answer(url)
        }
        try await backfill(transport, until: now) { report, claims, _ in
            #expect(transport.addresses.map { $0.contains("/count?") } == [true, false, true, false, true, false])
            #expect(report.isComplete && claims.map(\.originTimes) == [since..<now])
        }
    }

    @Test("Interrupted backfills that overlap hide nothing that the service leaves out", arguments: [4, 5, 6, 7])
    func overlap(limit: Int) throws {
        let quakes = (1...40).map { quake("\($0)", at: $0 * 99) }
        let directory = try ScratchDirectory.ofTest()
        let runs = [
            (since, service(quakes, mostRows: 9), limit), (since + .seconds(300), service(quakes, mostRows: 8), limit),
            (since, service(quakes, mostRows: 9) { !["38", "39"].contains($0.code) }, nil),
        ]
        for (start, transport, limit) in runs {
            let (mirror, _) = try FeedMirror.ofNewCache(in: directory, transport)
            try mirror.fetch(.part(QuakeFilter(since: start, until: now), again: false), limit: limit)
        }
        let (_, context) = try FeedMirror.ofNewCache(in: directory, NoTransport())
        let claims = try context.sources.claims()
        #expect(!claims.isEmpty)
        for quake in quakes where claims.contains(where: { $0.contains(quake) }) {
            #expect(try context.quake(forID: quake.id) != nil)
        }
    }

    @Test("A quake of the second in which two windows meet counts once, and hides none that is missing")
    func meetingWindows() async throws {
        // With four quakes and at most three per response, the first window takes six tenths: 2,400 of 4,000 seconds.
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
