import ArgumentParser
import QuakeMirror

/// The option groups of `quakes refresh`.
enum RefreshOptions {
    struct Download: ParsableArguments {
        @Option(
            "--timeout <duration>", "Timeout for each download (default: 60s).", visibility: .hidden,
            transform: Duration.parse)
        var deadline: Duration?

        @Option(
            "--base-url <url>", "Base URL of the summary feeds [$QUAKES_BASE_URL] (default: USGS's).",
            visibility: .hidden)
        var baseURL: String?

        func validate() throws { if deadline == .zero { throw ValidationError("--timeout cannot be zero.") } }

        /// Returns the base URL of the summary feeds. Throws if the given text is not a URL.
        func endpoint(in environment: CommandEnvironment) throws -> FeedEndpoint {
            try WebAddress.chosen(baseURL, "--base-url", else: "QUAKES_BASE_URL", in: environment)
                .map { FeedEndpoint(base: $0) } ?? FeedEndpoint()
        }
    }

    /// Options for accepting unconfirmed changes and skipping unreadable features.
    struct Confirmation: ParsableArguments {
        @Option(
            "--confirm-snapshots <count>",
            """
            Accept an unconfirmed change, such as a missing quake, once this many copies of the feed (snapshots) agree \
            on it [$QUAKES_CONFIRM_SNAPSHOTS] (default: 6).
            """, visibility: .hidden)
        var confirmSnapshots: Int?

        @Option(
            "--confirm-after <duration>",
            "Minimum time between the first and last of these copies [$QUAKES_CONFIRM_AFTER] (default: 1h).",
            visibility: .hidden, transform: Confirmation.duration)
        var confirmAfter: Duration?

        @Flag(
            "--strict", "Reject a feed in which a quake cannot be read, instead of skipping the quake.",
            visibility: .hidden)
        var isStrict = false

        func validate() throws {
            if let confirmSnapshots, confirmSnapshots < 1 {
                throw ValidationError("--confirm-snapshots must be at least 1.")
            }
        }

        /// Returns the settings given by options, otherwise by the environment, otherwise the defaults.
        func settings(in environment: CommandEnvironment) throws -> MirrorSettings {
            var settings = MirrorSettings(isStrict: isStrict)
            if let confirmSnapshots {
                settings.confirmSnapshots = confirmSnapshots
            } else if let text = environment.variable("QUAKES_CONFIRM_SNAPSHOTS") {
                guard let count = Int(text), count >= 1 else {
                    throw ValidationError("$QUAKES_CONFIRM_SNAPSHOTS must be a whole number of at least 1.")
                }
                settings.confirmSnapshots = count
            }
            if let confirmAfter {
                settings.confirmAfter = confirmAfter
            } else if let text = environment.variable("QUAKES_CONFIRM_AFTER") {
                guard let duration = try? Confirmation.duration(text) else {
                    throw ValidationError(
                        "$QUAKES_CONFIRM_AFTER must be a duration such as 15m, 2h or 1d, or 0; it is \"\(text)\".")
                }
                settings.confirmAfter = duration
            }
            return settings
        }

        /// Parses a duration; also accepts `0` without a unit.
        private static func duration(_ text: String) throws -> Duration {
            text == "0" ? Duration.zero : try Duration.parse(text)
        }
    }

    /// Options for querying the event service about quakes that the feeds no longer list.
    struct Service: ParsableArguments {
        @Flag(
            name: .customLong("confirm-with-service"), inversion: .prefixedNo,
            help: ArgumentHelp(
                """
                Ask the ComCat event service before treating a missing quake as deleted, at most once a second and 50 \
                times per run [$QUAKES_CONFIRM_WITH_SERVICE, 1 or 0] (default: yes for downloads from USGS; for other \
                downloads only with --service-url).
                """, visibility: .hidden))
        var isAsked: Bool?

        @Option(
            "--service-url <url>",
            "URL of the ComCat event service, ending in /query [$QUAKES_SERVICE_URL] (default: USGS's).",
            visibility: .hidden)
        var serviceURL: String?

        /// Returns the event service, and the sources whose missing quakes are checked with it. The endpoint is nil if
        /// the service is not to be queried.
        func service(in environment: CommandEnvironment) throws -> (endpoint: EventEndpoint?, scope: ServiceScope) {
            let choice = try isAsked ?? choice(in: environment)
            guard choice != false else { return (nil, .everything) }
            let named = try EventEndpoint.named(serviceURL, in: environment)
            let scope: ServiceScope = choice == true ? .everything : named == nil ? .downloadsFromUSGS : .downloads
            return (named ?? EventEndpoint(), scope)
        }

        private func choice(in environment: CommandEnvironment) throws -> Bool? {
            switch environment.variable("QUAKES_CONFIRM_WITH_SERVICE") {
            case nil: return nil
            case "0": return false
            case "1": return true
            default: throw ValidationError("$QUAKES_CONFIRM_WITH_SERVICE must be 1 or 0.")
            }
        }
    }
}
