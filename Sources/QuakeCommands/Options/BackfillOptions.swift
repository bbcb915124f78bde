import ArgumentParser
import QuakeMirror

/// Limits on the requests of a backfill or of `quakes details` to the event service.
struct BackfillOptions: ParsableArguments {
    @Option(
        "--pause <duration>", "Minimum time between requests (default: 1s; none for a server on this machine).",
        transform: Duration.parse)
    var pause: Duration?

    @Option(
        "--max-requests <count>",
        "Stop after this many requests; the next run resumes there or, with --again, starts over.")
    var maximumRequests: Int?

    @Option(
        "--max-time <duration>", "Stop after this long; the next run resumes there or, with --again, starts over.",
        transform: Duration.parse)
    var maximumTime: Duration?

    @Option(
        "--timeout <duration>", "Timeout for each request (default: 2m).", visibility: .hidden,
        transform: Duration.parse)
    var deadline: Duration?

    @Option(
        "--service-url <url>",
        "URL of the ComCat event service, ending in /query [$QUAKES_SERVICE_URL] (default: USGS's).",
        visibility: .hidden)
    var serviceURL: String?

    func validate() throws {
        if deadline == .zero { throw ValidationError("--timeout cannot be zero.") }
        if let maximumRequests, maximumRequests < 1 { throw ValidationError("--max-requests must be at least 1.") }
        if let maximumTime, maximumTime <= .zero { throw ValidationError("--max-time cannot be zero.") }
    }

    func endpoint(in environment: CommandEnvironment) throws -> EventEndpoint {
        try EventEndpoint.named(serviceURL, in: environment) ?? EventEndpoint()
    }

    /// Returns a mirror that queries the event service at `endpoint` and stores its responses in `cache`.
    func mirror(_ cache: QuakeCache, _ endpoint: EventEndpoint, _ environment: CommandEnvironment) -> FeedMirror {
        var mirror = FeedMirror(cache, transport: environment.transport)
        mirror.service = endpoint
        mirror.deadline = deadline ?? .seconds(120)
        mirror.userAgent = Program.userAgent
        return mirror
    }

    /// Returns the limits for `endpoint`. Throws a usage error if the pause is too short for a public server.
    func settings(for endpoint: EventEndpoint) throws -> BackfillSettings {
        if let pause, pause < .seconds(1), !endpoint.isOnThisMachine {
            throw ValidationError("--pause must be at least 1s.")
        }
        return BackfillSettings(pause: pause, maximumRequests: maximumRequests, maximumTime: maximumTime)
    }
}
