import FoundationEssentials
public import QuakeFeed
public import QuakeHTTP
import QuakeModel
public import QuakeStore
import QuakeSystem

/// Keeps a cache faithful to the feeds of USGS.
///
/// ```swift
/// let report = try await FeedMirror(cache, transport: transport).refresh(.allDay)
/// ```
///
/// The value holds settings; each refresh opens the cache, creates it where there is none, and holds its lock, so that
/// two refreshes never run at the same time. `QuakeDownload` makes a mirror with a transport of its own.
public struct FeedMirror: Sendable {
    /// The cache it keeps.
    public let cache: QuakeCache
    /// Recorded with every transaction.
    public var author = "quakes.refresh"
    /// The address of the summary feeds.
    public var endpoint = FeedEndpoint()
    /// When doubtful news is believed.
    public var settings = MirrorSettings()
    /// The event service, which is asked before a quake that is missing from a feed counts as deleted; nil to believe
    /// the feeds alone.
    public var service: EventEndpoint? = EventEndpoint()
    /// About which sources the event service is asked.
    public var serviceScope = ServiceScope.downloadsFromUSGS
    /// The longest time that a download may take in all.
    public var deadline = Duration.seconds(60)
    /// How long to wait for another refresh of the cache to end.
    public var patience = Duration.zero
    /// The name that servers are given.
    public var userAgent = "QuakeMirror"
    /// The words in which the cache remembers why a source failed.
    public var failureText: @Sendable (FeedError) -> String = { $0.words }

    let transport: any HTTPTransport

    /// A mirror in `cache` of what `transport` downloads.
    public init(_ cache: QuakeCache, transport: any HTTPTransport) {
        self.cache = cache
        self.transport = transport
    }

    /// Brings the cache up to date with `source`, or with the feed that is due; then also what backfills have brought,
    /// once a day and for two minutes at most (``RefreshReport/update``).
    ///
    /// Cancelling the task stops the download and releases the lock. The cache is as it was then, unless the snapshot
    /// was applied already: from there on only the questions to the event service are left out, and the report says so
    /// (``RefreshReport/serviceFault``).
    ///
    /// - Parameters:
    ///   - source: a feed, an address, a file or standard input; nil for the feed that is due.
    ///   - dryRun: find out what would change, and keep nothing.
    ///   - onProgress: told how far the refresh is, from other threads.
    /// - Throws: ``/QuakeFeed/FeedError`` when the source cannot be read or is not valid,
    ///   ``/QuakeStore/StoreError`` when the cache fails or another refresh is running, `CancellationError`. In each
    ///   case the quakes are unchanged.
    public func refresh(
        _ source: FeedSource? = nil, dryRun: Bool = false,
        onProgress: @escaping @Sendable (RefreshProgress) -> Void = { _ in }
    ) async throws -> RefreshReport {
        try await onOwnThread(onProgress, received: RefreshProgress.received) { observer, monitor in
            var report = try session(dryRun: dryRun, observer, monitor) { session in
                try session.refresh(source ?? .summary(session.dueFeed()), dryRun: dryRun)
            }
            if source == nil, !dryRun { report.update = try updateIfDue(monitor) }
            return report
        }
    }

    /// Runs `body`, which waits for servers and disks, on none of the threads that all tasks share. Cancelling the task
    /// cancels what its observer and its monitor follow.
    ///
    /// - Parameter received: tells how far a download is, as progress of the whole.
    func onOwnThread<Progress: Sendable, Result: Sendable>(
        _ onProgress: @escaping @Sendable (Progress) -> Void,
        received: @escaping @Sendable (DownloadProgress) -> Progress,
        _ body: @escaping @Sendable (MirrorObserver<Progress>, TransferMonitor) throws -> Result
    ) async throws -> Result {
        let monitor = TransferMonitor {
            onProgress(received($0))
            return true
        }
        let observer = MirrorObserver(
            report: onProgress, isCancelled: { monitor.isCancelled }, describe: failureText)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let work = { @Sendable in continuation.resume(with: Swift.Result { try body(observer, monitor) }) }
                if !SpareThread.start(work) { work() }
            }
        } onCancel: {
            monitor.cancel()
        }
    }

    /// Runs `body` with a session that may refresh several sources on the present thread, under one lock.
    ///
    /// - Parameters:
    ///   - dryRun: nothing will be kept, so that no cache is created and none need be locked where there is none: the
    ///     session starts from an empty cache in memory.
    ///   - body: refreshes through the session that it is given.
    /// - Throws: ``/QuakeStore/StoreError/refreshing(path:)`` when another refresh runs longer than ``patience``, and
    ///   what `body` throws.
    public func session<Result>(
        dryRun: Bool = false, _ body: (RefreshSession) throws -> Result
    ) throws -> Result {
        try session(dryRun: dryRun, MirrorObserver(describe: failureText), TransferMonitor { _ in true }, body)
    }

    private func session<Result>(
        dryRun: Bool, _ observer: MirrorObserver<RefreshProgress>, _ monitor: TransferMonitor,
        _ body: (RefreshSession) throws -> Result
    ) throws -> Result {
        try observer.checkCancellation()
        guard !dryRun || FileManager.default.fileExists(atPath: cache.path) else {
            let memory = try QuakeCache.inMemory(configuration: cache.configuration)
            return try body(makeSession(in: memory, observer, monitor))
        }
        let isNew = !FileManager.default.fileExists(atPath: cache.path)
        let session = try makeSession(in: cache, observer, monitor, discardsUnused: isNew)
        return try CacheLock.hold(
            cacheAt: cache.path, patience: patience,
            whileWaiting: {
                try observer.checkCancellation()
                observer.report(.waiting)
            }
        ) {
            defer { session.discardIfUnused() }
            return try body(session)
        }
    }

    private func makeSession(
        in cache: QuakeCache, _ observer: MirrorObserver<RefreshProgress>, _ monitor: TransferMonitor,
        discardsUnused: Bool = false
    ) throws -> RefreshSession {
        let now = cache.configuration.now
        let client = FeedClient(transport: transport, userAgent: userAgent, deadline: deadline, now: now)
            .watched(by: monitor)
        return RefreshSession(
            context: try cache.context(author: author, access: .creating), client: client, endpoint: endpoint,
            settings: settings, service: service.map { EventService(client: client, endpoint: $0) },
            serviceScope: serviceScope, discardsUnused: discardsUnused, observer: observer, now: now)
    }
}

/// The feeds that most programs ask for. Every other one is ``/QuakeFeed/FeedSource/summary(_:)``.
///
/// Only those of all quakes show that a quake is gone: see ``RefreshReport/countsAbsences``. For the large quakes alone
/// mirror `FeedSource.allWeek`, and ask the cache with a filter.
extension FeedSource {
    /// All quakes of the last hour.
    public static var allHour: FeedSource { .summary(FeedName(.all, .hour)) }
    /// All quakes of the last day.
    public static var allDay: FeedSource { .summary(FeedName(.all, .day)) }
    /// All quakes of the last 7 days.
    public static var allWeek: FeedSource { .summary(FeedName(.all, .week)) }
    /// All quakes of the last 30 days.
    public static var allMonth: FeedSource { .summary(FeedName(.all, .month)) }
    /// Significant quakes of the last day. Never takes a quake away.
    public static var significantDay: FeedSource { .summary(FeedName(.significant, .day)) }
    /// Significant quakes of the last 30 days. Never takes a quake away.
    public static var significantMonth: FeedSource { .summary(FeedName(.significant, .month)) }
}
