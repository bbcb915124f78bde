import ArgumentParser
import QuakeFeed
import QuakeMirror
import QuakeModel

/// How politely and how long a backfill, or `quakes details`, asks the event service.
struct BackfillOptions: ParsableArguments {
    @Option(
        name: .customLong("pause"),
        help: ArgumentHelp(
            "The minimum time between two requests (1s; none for a server on this machine).", valueName: "duration"),
        transform: Duration.parse)
    var pause: Duration?

    @Option(
        name: .customLong("max-requests"),
        help: ArgumentHelp(
            "Stop after this many requests; the next run goes on from there, with --again it begins again.",
            valueName: "count"))
    var maximumRequests: Int?

    @Option(
        name: .customLong("max-time"),
        help: ArgumentHelp(
            "Stop after this time; the next run goes on from there, with --again it begins again.",
            valueName: "duration"),
        transform: Duration.parse)
    var maximumTime: Duration?

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "Give up an answer that takes longer than this (2m): it is asked for again, a window in halves.",
            valueName: "duration"),
        transform: Duration.parse)
    var deadline = Duration.seconds(120)

    @Option(
        name: .customLong("service-url"),
        help: ArgumentHelp(
            "The address of the event service, which ends with /query; else $QUAKES_SERVICE_URL.", valueName: "url"))
    var serviceURL: String?

    func validate() throws {
        if deadline <= .zero { throw ValidationError("--timeout cannot be zero.") }
        if let maximumRequests, maximumRequests < 2 {
            throw ValidationError("--max-requests must be at least 2: one request counts, one fetches.")
        }
        if let maximumTime, maximumTime <= .zero { throw ValidationError("--max-time cannot be zero.") }
    }

    /// The address of the event service.
    func endpoint(in environment: CommandEnvironment) throws -> EventEndpoint {
        try EventEndpoint.named(serviceURL, in: environment) ?? EventEndpoint()
    }

    /// The limits for the service at `endpoint`. Throws a usage error for a pause that a public server does not allow.
    func settings(for endpoint: EventEndpoint) throws -> BackfillSettings {
        if let pause, pause < .seconds(1), !endpoint.isOnThisMachine {
            throw ValidationError("--pause must be at least 1s.")
        }
        return BackfillSettings(
            pause: pause, maximumRequests: maximumRequests, maximumTime: maximumTime)
    }
}
