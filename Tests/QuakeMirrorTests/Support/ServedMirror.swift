import QuakeTestSupport

@testable import QuakeMirror

extension FeedMirror {
    /// Returns a mirror of a new cache in `directory`, and a context. `transport` answers for all servers.
    static func ofNewCache(
        in directory: ScratchDirectory, _ transport: any HTTPTransport, name: String = "quakes.db",
        now: @escaping @Sendable () -> Timestamp = { .minute(0) }
    ) throws -> (FeedMirror, QuakeContext) {
        let configuration = StoreConfiguration(program: "test", now: now)
        let cache = QuakeCache(path: directory.path(name), configuration: configuration)
        let context = try QuakeContext(cache, access: .creating)
        var mirror = FeedMirror(cache, transport: transport)
        mirror.service = EventEndpoint(base: "http://127.0.0.1/fdsnws/event/1/query")
        return (mirror, context)
    }

    /// Fetches parts of the catalog, with a limit of requests if given.
    @discardableResult
    func fetch(
        _ request: BackfillRequest, limit: Int? = nil, _ observer: MirrorObserver = MirrorObserver()
    ) throws -> BackfillReport {
        try backfill(request, limits: BackfillSettings(maximumRequests: limit), dryRun: false, observer)
    }
}
