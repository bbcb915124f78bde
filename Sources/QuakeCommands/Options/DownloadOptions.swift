import ArgumentParser
import QuakeFeed

/// How feeds are downloaded.
struct DownloadOptions: ParsableArguments {
    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "Give up a download that takes longer, from first byte to last (60s).", valueName: "duration"),
        transform: DurationArgument.parse)
    var deadline = DurationArgument(.seconds(60))

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Where the summary feeds lie; also $QUAKES_BASE_URL.", valueName: "url"))
    var baseURL: String?

    func validate() throws {
        if deadline.duration <= .zero { throw ValidationError("--timeout cannot be zero.") }
    }

    /// Where the summary feeds lie.
    func endpoint(in environment: CommandEnvironment) -> FeedEndpoint {
        (baseURL ?? environment.variable("QUAKES_BASE_URL")).map { FeedEndpoint(base: $0) } ?? FeedEndpoint()
    }

    /// The client that downloads.
    func client(in environment: CommandEnvironment) -> FeedClient {
        FeedClient(
            transport: environment.transport, userAgent: Program.userAgent, deadline: deadline.duration,
            now: environment.now)
    }
}
