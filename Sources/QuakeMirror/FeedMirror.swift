import FoundationEssentials
import QuakeSystem

/// Keeps a cache in sync with the USGS feeds.
///
/// ```swift
/// let report = try await FeedMirror(cache, transport: transport).refresh(.allDay)
/// ```
///
/// A mirror contains only settings. Each refresh opens the cache, or creates it if there is none. Concurrent refreshes
/// write one after another, and an older snapshot changes nothing after a newer one. The `QuakeDownload` library
/// includes a transport for mirrors.
public struct FeedMirror: Sendable {
    public let cache: QuakeCache
    /// The author recorded with every transaction.
    public var author = "quakes.refresh"
    /// The address of the summary feeds.
    public var endpoint = FeedEndpoint()
    /// The rules for accepting unconfirmed changes.
    package var settings = MirrorSettings()
    /// The event service, which confirms that a quake missing from a feed was deleted; nil to rely on the feeds alone.
    public var service: EventEndpoint? = EventEndpoint()
    /// The sources whose missing quakes the event service must confirm; by default, downloads from USGS.
    public var serviceScope = ServiceScope.downloadsFromUSGS
    /// The time limit for each download.
    public var deadline = Duration.seconds(60)
    public var userAgent = "QuakeMirror"

    let transport: any HTTPTransport

    /// Creates a mirror that updates `cache` through `transport`.
    public init(_ cache: QuakeCache, transport: any HTTPTransport) {
        self.cache = cache
        self.transport = transport
    }

    /// Updates the cache from `source`. If it is nil, the source is the largest feed of all quakes that is due: the
    /// monthly feed once a week, the weekly feed once a day, the daily feed once an hour, and otherwise the hourly
    /// feed. If the server cannot serve that feed, the next smaller one is read instead, and the report names it. Such
    /// a refresh also updates the backfilled part of the catalog once a day, for at most two minutes: see
    /// ``RefreshReport/catalogUpdate``. A failure of this update does not make the refresh fail; it is reported as
    /// ``MirrorProgress/dailyRequestFailed(_:)``.
    ///
    /// Canceling the task stops the download and leaves the cache unchanged. Once the snapshot has been applied,
    /// canceling only skips the requests to the event service, as shown by ``RefreshReport/serviceError``.
    ///
    /// - Parameters:
    ///   - source: a feed, an address, a file or standard input; nil for the feed that is due.
    ///   - dryRun: whether to report the changes without storing anything: no quake, no ETag, no new file.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the source is unreadable or not valid, ``/QuakeStore/StoreError`` if the
    ///   cache fails, and `CancellationError`. In each case, the quakes are unchanged. If smaller feeds fail too, the
    ///   error concerns the feed that was due.
    public func refresh(
        _ source: FeedSource? = nil, dryRun: Bool = false,
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> RefreshReport {
        try await onOwnThread(onProgress) { observer in
            guard let source else { return try ScheduledRefresh(self, observer: observer).run(dryRun: dryRun) }
            return try session(dryRun: dryRun, observer: observer) { session in try session.refresh(source) }
        }
    }

    /// Adds quakes from the USGS catalog that `filter` accepts. Parts of the catalog already in the cache are not
    /// requested.
    ///
    /// The filter's times limit the backfill. Without `since`, it starts at the beginning of the catalog. Without
    /// `until`, it ends now, and ``updateCatalog(settings:onProgress:)`` extends it later. Each window of origin times
    /// is its own transaction. Canceling the task ends the backfill. Finished windows are kept, and the next backfill
    /// continues after them.
    ///
    /// - Parameters:
    ///   - filter: conditions on magnitude, depth, area, event type and origin time. The service supports no others.
    ///   - again: whether to also request parts that are already in the cache.
    ///   - settings: the pause between requests, and the limits.
    ///   - dryRun: whether to only count the quakes.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails, ``/QuakeStore/StoreError`` if the cache fails or
    ///   another backfill is running, and `CancellationError`.
    public func backfill(
        _ filter: QuakeFilter = QuakeFilter(), again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        dryRun: Bool = false, onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        try await onOwnThread(onProgress) { observer in
            try backfill(.part(filter, again: again), limits: settings, dryRun: dryRun, observer)
        }
    }

    /// Updates the backfilled parts of the catalog with new quakes, revisions, and deletions that the service reports.
    ///
    /// - Parameters:
    ///   - settings: the pause between requests, and the limits.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails, ``/QuakeStore/StoreError`` if the cache fails or
    ///   another backfill is running, and `CancellationError`.
    public func updateCatalog(
        settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        try await onOwnThread(onProgress) { try backfill(.update, limits: settings, dryRun: false, $0) }
    }

    /// Runs `body`, which waits for servers and disks, on its own thread. Canceling the task cancels the observer.
    func onOwnThread<Result: Sendable>(
        _ onProgress: @escaping @Sendable (MirrorProgress) -> Void,
        _ body: @escaping @Sendable (MirrorObserver) throws -> Result
    ) async throws -> Result {
        let observer = MirrorObserver(report: onProgress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let work = { @Sendable in continuation.resume(with: Swift.Result { try body(observer) }) }
                if !ThreadStarter.start(work) { work() }
            }
        } onCancel: {
            observer.monitor.cancel()
        }
    }
}

// MARK: On the current thread

extension FeedMirror {
    /// Runs `body` with a session that can refresh several sources on the current thread.
    ///
    /// - Parameters:
    ///   - dryRun: whether to discard all changes. If there is no cache, the session uses an empty cache in memory
    ///     instead of creating one.
    ///   - limits: the pause and limits of a backfill; nil for a refresh. A backfill holds the cache's lock, except in
    ///     a dry run.
    ///   - observer: the observer to which the session reports.
    ///   - body: the code that uses the session.
    /// - Throws: ``/QuakeStore/StoreError`` when the cache cannot be opened, and any error thrown by `body`.
    package func session<Result>(
        dryRun: Bool = false, limits: BackfillSettings? = nil, observer: MirrorObserver = MirrorObserver(),
        _ body: (MirrorSession) throws -> Result
    ) throws -> Result {
        try observer.checkCancellation()
        let isNew = !FileManager.default.fileExists(atPath: cache.path)
        if dryRun, isNew {
            let memory = try QuakeCache.inMemory(configuration: cache.configuration)
            return try body(session(in: memory.context(), dryRun: true, limits, observer))
        }
        if dryRun, limits != nil {
            return try body(session(in: cache.context(access: .reading), dryRun: true, limits, observer))
        }
        let context = try cache.context(author: author, access: .creating)
        // A failed first refresh leaves no cache behind. If the cache cannot be discarded, an empty one is harmless.
        defer { if isNew { try? context.maintenance.discardIfUnused() } }
        let session = session(in: context, dryRun: dryRun, limits, observer)
        return limits == nil ? try body(session) : try CacheLock.hold(cacheAt: cache.path) { try body(session) }
    }

    func session(
        in context: QuakeContext, dryRun: Bool, _ limits: BackfillSettings?, _ observer: MirrorObserver
    ) -> MirrorSession {
        let now = cache.configuration.now
        let client = FeedClient(
            transport: transport, userAgent: userAgent, deadline: deadline, monitor: observer.monitor, now: now)
        // A backfill needs the service even if feeds do not consult it about missing quakes.
        let endpoint = limits == nil ? service : service ?? EventEndpoint()
        let eventService = endpoint.map { endpoint in
            let pause = max(limits?.pause ?? .zero, endpoint.isOnThisMachine ? .zero : .seconds(1))
            let pace = limits.map { limits in
                RequestPace(interval: pause, limit: limits.maximumRequests ?? .max, pause: { observer.sleep($0) })
            }
            return EventService(client: client, endpoint: endpoint, pace: pace ?? RequestPace(interval: pause))
        }
        return MirrorSession(
            context: context, client: client, endpoint: self.endpoint, settings: settings, service: eventService,
            serviceScope: serviceScope, limits: limits ?? BackfillSettings(), dryRun: dryRun, observer: observer,
            now: now)
    }

    /// Runs `request` on the current thread.
    package func backfill(
        _ request: BackfillRequest, limits: BackfillSettings, dryRun: Bool, _ observer: MirrorObserver
    ) throws -> BackfillReport {
        if case .part(let filter, _) = request, let condition = filter.unknownToService {
            throw FeedError.unusableQuery("The event service cannot filter by \(condition).")
        }
        return try session(dryRun: dryRun, limits: limits, observer: observer) { session in
            try session.backfill(request)
        }
    }
}

/// The most common feeds. For the others, see ``/QuakeMirror/FeedSource/summary(_:)``.
///
/// Only the feeds of all quakes can show that a quake is gone: see ``RefreshReport/countsAbsences``. If you only need
/// large quakes, mirror `FeedSource.allWeek` and query the cache with a filter.
extension FeedSource {
    /// All quakes of the last hour.
    public static var allHour: FeedSource { .summary(FeedName(.all, .hour)) }
    /// All quakes of the last day.
    public static var allDay: FeedSource { .summary(FeedName(.all, .day)) }
    /// All quakes of the last 7 days.
    public static var allWeek: FeedSource { .summary(FeedName(.all, .week)) }
    /// All quakes of the last 30 days.
    public static var allMonth: FeedSource { .summary(FeedName(.all, .month)) }
    /// Significant quakes of the last day. Refreshing from this feed never removes a quake.
    public static var significantDay: FeedSource { .summary(FeedName(.significant, .day)) }
    /// Significant quakes of the last 30 days. Refreshing from this feed never removes a quake.
    public static var significantMonth: FeedSource { .summary(FeedName(.significant, .month)) }
}
