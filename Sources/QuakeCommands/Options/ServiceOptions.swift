import ArgumentParser
import QuakeFeed

/// Whether, and where, the event service is asked about quakes the feeds no longer list.
struct ServiceOptions: ParsableArguments {
    @Flag(
        name: .customLong("confirm-with-service"),
        help: ArgumentHelp(
            """
            Ask the event service before a missing quake is taken for deleted: at most once a second and 50 times a \
            run; also $QUAKES_CONFIRM_WITH_SERVICE=1.
            """))
    var isAsked = false

    @Option(
        name: .customLong("service-url"),
        help: ArgumentHelp("Where the event service answers; also $QUAKES_SERVICE_URL.", valueName: "url"))
    var serviceURL: String?

    /// The service to ask through `client`; nil when nobody wants it asked.
    func service(in environment: CommandEnvironment, client: FeedClient) throws -> EventService? {
        guard try isAsked || isAskedByEnvironment(environment) else { return nil }
        let address = serviceURL ?? environment.variable("QUAKES_SERVICE_URL")
        return EventService(client: client, endpoint: address.map { EventEndpoint(base: $0) } ?? EventEndpoint())
    }

    private func isAskedByEnvironment(_ environment: CommandEnvironment) throws -> Bool {
        switch environment.variable("QUAKES_CONFIRM_WITH_SERVICE") {
        case nil, "0": return false
        case "1": return true
        default: throw ValidationError("$QUAKES_CONFIRM_WITH_SERVICE must be 1 or 0.")
        }
    }
}
