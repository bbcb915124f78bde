import FoundationEssentials
// For a program that mirrors and reads a cache, `import QuakeMirror` is enough.
@_exported public import QuakeHTTP
@_exported public import QuakeModel
@_exported public import QuakeStore
import QuakeSystem

/// Keeps a cache in sync with the USGS feeds.
///
/// ```swift
/// let report = try await FeedMirror(cache, transport: transport).refresh(.allDay)
/// ```
///
/// A mirror contains only settings. Each refresh opens the cache, or creates it if there is none. Concurrent refreshes
/// write one after another, and an older snapshot never changes what a newer one has confirmed. The `QuakeDownload`
/// library includes a transport for mirrors.
public struct FeedMirror: Sendable {
    public let cache: QuakeCache
    /// The author recorded with every transaction; by default, the cache's ``/QuakeStore/StoreConfiguration/program``.
    public var author: String
    /// The URL of the summary feeds.
    public var endpoint = FeedEndpoint()
    /// The rules for accepting unconfirmed changes.
    package var settings = MirrorSettings()
    /// The event service, which confirms that a quake missing from a feed was deleted; nil to rely on the feeds alone.
    public var service: EventEndpoint? = EventEndpoint()
    /// The sources for which the event service must confirm that missing quakes were deleted; by default, downloads
    /// from USGS.
    public var serviceScope = ServiceScope.downloadsFromUSGS
    /// The time limit for each download.
    public var deadline = Duration.seconds(60)
    public var userAgent = "QuakeMirror"

    let transport: any HTTPTransport

    /// Creates a mirror that updates `cache` through `transport`.
    public init(_ cache: QuakeCache, transport: any HTTPTransport) {
        self.cache = cache
        self.transport = transport
        author = cache.configuration.program
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
        try limits?.requireInRange()
        let isNew = !FileManager.default.fileExists(atPath: cache.path)
        if dryRun, isNew {
            let memory = try QuakeCache.inMemory(configuration: cache.configuration)
            return try body(session(in: QuakeContext(memory), dryRun: true, limits, observer))
        }
        if dryRun, limits != nil {
            return try body(session(in: QuakeContext(cache, access: .reading), dryRun: true, limits, observer))
        }
        let context = try QuakeContext(cache, author: author, access: .creating)
        // A failed first refresh leaves no cache behind. If the new cache cannot be discarded, it is harmless, because
        // it is empty.
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
        // A backfill needs the service even if refreshes do not ask it about missing quakes.
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
}
