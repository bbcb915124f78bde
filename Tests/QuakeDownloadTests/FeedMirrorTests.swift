import Foundation
import Glibc
import QuakeDownload
import QuakeTestSupport
import Synchronization
import Testing

/// A program that refreshes a cache from Swift, in its own process or through the helper.
@Suite("FeedMirror in a Swift program", .endsInTime, .scratch) struct FeedMirrorTests {
    private let directory: ScratchDirectory
    private let cache: QuakeCache
    private let server: FeedServer

    init() throws {
        (directory, server) = (try .ofTest(), try .ofTest())
        cache = QuakeCache(path: directory.path("quakes.db"))
    }

    /// How a mirror downloads.
    enum Way: CaseIterable {
        case inProcess, helper

        func mirror(in cache: QuakeCache) -> FeedMirror {
            var mirror =
                switch self {
                case .inProcess: FeedMirror(cache)
                case .helper:
                    FeedMirror(cache, transport: FetchProcess(helper: BuiltProduct.path("quakes-fetch")))
                }
            mirror.service = nil
            return mirror
        }
    }

    /// The progress reports of a refresh.
    private final class ProgressLog: Sendable {
        private let steps = Mutex<[MirrorProgress]>([])

        var all: [MirrorProgress] { steps.withLock { $0 } }

        func add(_ step: MirrorProgress) { steps.withLock { $0.append(step) } }
    }

    // Proves feature A3 of seeds.md.
    @Test("FeedMirror.refresh updates a cache, reports its progress and returns a report", arguments: Way.allCases)
    func refresh(way: Way) async throws {
        let body = try Fixture.data("feeds/all_day-1.geojson")
        server.serve(.document(body, etag: "\"1\""), at: "/all_day.geojson")
        var mirror = way.mirror(in: cache)
        mirror.endpoint = FeedEndpoint(base: server.base)
        mirror.userAgent = "test"

        let log = ProgressLog()
        let report = try await mirror.refresh(.allDay) { log.add($0) }
        #expect(report.outcome == .applied && report.inserted == [.new: 24])
        #expect(log.all.first == .requesting(server.url("/all_day.geojson")))
        #expect(
            log.all.contains {
                if case .received(let progress) = $0 { progress.receivedBytes == body.count } else { false }
            })
        #expect(log.all.last == .applying(features: report.features))
        #expect(server.requests.last?.headers["user-agent"] == "test")

        #expect(try await mirror.refresh(.allDay).outcome == .notModified)
        let context = try QuakeContext(cache, access: .reading)
        #expect(try context.history.newestTransactions(2).map(\.author) == [StoreConfiguration().program])
        #expect(try context.history.currentToken() == report.token)
    }

    @Test("FeedMirror.refresh of a new cache uses all_day if all_month and all_week are unavailable")
    func dueFeed() async throws {
        server.serve(.document(try Fixture.data("feeds/all_day-1.geojson")), at: "/all_day.geojson")
        var mirror = Way.inProcess.mirror(in: cache)
        mirror.endpoint = FeedEndpoint(base: server.base)
        let report = try await mirror.refresh(dryRun: true)
        #expect(report.feed == "all_day" && report.inserted == [.new: 24] && report.isDryRun)
        #expect(report.transaction == nil)
        #expect(server.requests.map(\.path) == ["/all_month.geojson", "/all_week.geojson", "/all_day.geojson"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
    }

    @Test("Canceling the task during FeedMirror.refresh leaves the cache unchanged", arguments: Way.allCases)
    func cancellation(way: Way) async throws {
        let server = try MisbehavingServer.ofTest(.drip(every: .milliseconds(5)))
        _ = try QuakeContext(cache, access: .creating)
        let mirror = way.mirror(in: cache)
        let refresh = Task { try await mirror.refresh(.url(server.url("/all_day.geojson"))) }
        while server.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        refresh.cancel()
        await #expect(throws: CancellationError.self) { try await refresh.value }
        let context = try QuakeContext(cache, access: .reading)
        #expect(try context.history.currentToken().number == 0)
        #expect(try context.sources.feeds() == [])
        // The download has ended too, so nobody receives the server's next bytes.
        while server.endedCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("A task canceled before it calls FeedMirror.refresh creates no cache file") func canceledBefore() async throws
    {
        let mirror = Way.inProcess.mirror(in: cache)
        let refresh = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await mirror.refresh(.file("/nowhere.geojson"))
        }
        refresh.cancel()
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
    }
}

/// Downloads in the calling process, which must not continue forever there.
@Suite("Downloads with URLSession", .endsInTime, .scratch) struct URLSessionTransportTests {
    @Test("URLSessionTransport ends a download that exceeds its deadline or size limit") func limits() async throws {
        for (misbehavior, deadline, limit, error) in [
            (Misbehavior.drip(every: .milliseconds(5)), 0.2, 1 << 20, TransportError.deadlineExceeded(seconds: 0.2)),
            (.drip(every: .milliseconds(5)), 30, 1000, .bodyTooLarge(limit: 1000)),
            (.hugeBody(bytes: 1 << 40, isAnnounced: false), 30, 100_000, .bodyTooLarge(limit: 100_000)),
        ] {
            let server = try MisbehavingServer.ofTest(misbehavior)
            let request = TransportRequest(url: server.url(), deadline: .seconds(deadline), bodyLimit: limit)
            await #expect(throws: error) {
                try await onOwnThread { try URLSessionTransport().get(request) }
            }
            while server.endedCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("URLSessionTransport returns the whole body with its status, header and final URL") func response()
        async throws
    {
        let server = try FeedServer.ofTest()
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        server.serve(.document(body, etag: "\"1\""), at: "/a")
        server.serve(.redirect(to: "/a"), at: "/b")
        let response = try await onOwnThread { [url = server.url("/b")] in
            try URLSessionTransport().get(TransportRequest(url: url, deadline: .seconds(20)))
        }
        #expect(response.status == 200 && response.headers["etag"] == "\"1\"")
        #expect(response.body == body && response.url == server.url("/a"))
    }
}
