import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

// Proves rule 21 of mirroring.md.
@Suite("Request windows of a backfill", .scratch) struct WindowTests {
    private let now = Timestamp.minute(0)
    private var since: Timestamp { now - .seconds(4_000) }

    private func quake(_ code: String, at seconds: Int) -> Quake {
        .sample("us", code, time: since + .seconds(seconds))
    }

    /// A service that counts all `quakes` but sends only those that `isSent` accepts, dated `generated`.
    private func service(
        _ quakes: [Quake], maximumRows: Int = 20_000, generated minute: Int64 = 0,
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
                ? Data(#"{"count":\#(asked.count),"maxAllowed":\#(maximumRows)}"#.utf8)
                : Document.feed("catalog", at: minute, asked.filter(isSent))
            return .init(status: 200, body: body)
        }
    }

    private func backfill(
        _ transport: ScriptedTransport, until: Timestamp? = nil, limit: Int? = nil, holding held: [CoveredRange] = []
    ) async throws -> (BackfillReport, [CoveredRange]) {
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport, name: "\(UUID()).db")
        try context.write { writer in for range in held { try writer.add(range) } }
        let report = try await mirror.backfill(
            QuakeFilter(since: since, until: until), settings: BackfillSettings(maximumRequests: limit))
        return (report, try context.sources.coveredRanges())
    }

    @Test("If a response is dated an hour in the future, coverage is as of the request's time")
    func responseDatedAhead() async throws {
        let (report, coveredRanges) = try await backfill(service([quake("1", at: 9)], generated: 60))
        #expect(report.isComplete && coveredRanges.map(\.asOf) == [now] && coveredRanges[0].originTimes == since..<now)
    }

    @Test("A backfill until tomorrow covers its range only up to now") func endInFuture() async throws {
        let (report, coveredRanges) = try await backfill(service([quake("1", at: 9)]), until: now + .seconds(86_400))
        #expect(report.isComplete && report.incompleteWindows.isEmpty)
        #expect(coveredRanges.map(\.originTimes) == [since..<now] && coveredRanges.allSatisfy { !$0.isOpenEnded })
    }

    @Test("A backfill with one request left does not spend it on counting another window's quakes") func lastRequest()
        async throws
    {
        let transport = service([quake("1", at: 9), quake("2", at: 3_900)])
        let middle = CoveredRange(originTimes: since + .seconds(1_000)..<since + .seconds(3_000), asOf: now)
        let (report, coveredRanges) = try await backfill(transport, limit: 3, holding: [middle])
        #expect(transport.addresses.map { $0.contains("/count?") } == [true, false])
        #expect(!report.isComplete && coveredRanges.map(\.originTimes.lowerBound) == [since])
        #expect(coveredRanges.map(\.originTimes.upperBound) == [since + .seconds(3_000)])
    }

    @Test("If the service counts 2,000 quakes but omits one, only the times around it stay uncovered")
    func withheldQuake() async throws {
        let quakes = (1...2_000).map { quake("\($0)", at: $0 * 2 - 1) }
        let (report, coveredRanges) = try await backfill(service(quakes) { $0.code != "700" }, until: now)
        #expect(!report.isComplete && report.features == 1_999)
        #expect(coveredRanges.allSatisfy { !$0.contains(quakes[699]) })
        #expect(quakes.count { quake in !coveredRanges.contains { $0.contains(quake) } } < 3)
        #expect(
            report.incompleteWindows.map(\.reason).allSatisfy { if case .countMismatch = $0 { true } else { false } })
    }

    @Test("If a quake vanishes between the count and the response, the backfill still completes")
    func vanishedQuake() async throws {
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
        let (report, coveredRanges) = try await backfill(transport, until: now)
        #expect(transport.addresses.map { $0.contains("/count?") } == [true, false, true, false, true, false])
        #expect(report.isComplete && coveredRanges.map(\.originTimes) == [since..<now])
    }

    @Test("A quake at the boundary of two request windows is counted only once")
    func meetingWindows() async throws {
        // With four quakes and at most three per response, the first window takes six tenths: 2,400 of 4,000 seconds.
        let quakes = [quake("1", at: 9), quake("2", at: 2_400), quake("3", at: 3_000), quake("4", at: 3_900)]
        let honest = service(quakes, maximumRows: 3)
        let (whole, _) = try await backfill(honest, until: now)
        let meeting = "endtime=\((since + .seconds(2_400)).iso8601.dropLast())"
        #expect(honest.addresses.contains { $0.contains(meeting) })
        #expect(whole.isComplete && whole.features == 4 && whole.inserted == 4)
        let (report, coveredRanges) = try await backfill(service(quakes, maximumRows: 3) { $0.code != "4" }, until: now)
        #expect(!report.isComplete && report.features == 3 && report.inserted == 3)
        #expect(coveredRanges.allSatisfy { !$0.contains(quakes[3]) })
        #expect(report.incompleteWindows.map(\.reason) == [.countMismatch(counted: 1, sent: 0)])
    }
}
