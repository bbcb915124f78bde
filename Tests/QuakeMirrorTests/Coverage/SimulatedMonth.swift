@testable import QuakeMirror
import QuakeTestSupport
import Synchronization

@testable import QuakeStore

/// A cache that `quakes refresh` updates every five minutes for a month, by a clock of its own; in a sample, every 40
/// minutes, which gives the rules fewer documents to decide by.
final class SimulatedMonth {
    static let interval = Duration.seconds(Thoroughness.count(2_400, of: 300))

    let published: PublishedMonth
    let servers: MonthServers
    let context: QuakeContext
    /// The number of times that the cron line ran, and of its refreshes from a feed that did not fail.
    private(set) var ticks = 0
    private(set) var refreshes = 0
    private let clock = Arc(PublishedMonth.start)
    private let mirror: FeedMirror

    init(seed: Int, outage: Range<Timestamp>? = nil, in directory: ScratchDirectory) throws {
        let clock = clock
        let now: @Sendable () -> Timestamp = { clock.value.withLock { $0 } }
        published = PublishedMonth(seed: seed)
        servers = MonthServers(published, seed: seed, outage: outage, now: now)
        var (mirror, context) = try FeedMirror.ofNewCache(in: directory, servers, name: "month-\(seed).db", now: now)
        mirror.endpoint = FeedEndpoint(base: "http://127.0.0.1/earthquakes/feed/v1.0/summary")
        mirror.serviceScope = .downloads
        (self.mirror, self.context) = (mirror, context)
    }

    func run() throws {
        while clock.value.withLock({ $0 < PublishedMonth.end }) {
            ticks += 1
            try tick()
            clock.value.withLock { $0 = $0 + Self.interval }
        }
    }

    /// Does what `quakes refresh` without arguments does.
    private func tick() throws {
        do {
            _ = try ScheduledRefresh(mirror, observer: MirrorObserver()).run(dryRun: false)
            refreshes += 1
        } catch is FeedError {}
    }
}
