import ArgumentParser
import QuakeMirror

struct WatchCommand: DeliveringCommand {
    static let configuration = described(
        "watch", "Keep up with the feeds and print what changes.",
        """
        Does what cron, `quakes refresh` and `quakes changes --follow` do together: once a minute, fetches the feed \
        that is due (see `quakes help refresh`) and prints the changes. Starts with the next change or, with \
        --consumer, where that consumer (a named reader of the changes) left off. Survives network failures, sleep \
        and a full disk, and stops on Ctrl-C. While an --exec or --exec-each command runs, later changes wait, but \
        refreshing continues.

        Quakes appear in the feeds minutes after they happen. This is not earthquake early warning.

        EXAMPLES:
          quakes watch --min-mag 4.5
          quakes watch 4.5_day --bell
          quakes watch --near Tokyo --radius 300km --bell
          quakes watch --consumer sms --max-origin-age 30d --exec-each ./send-sms
          quakes watch --op new,enter --max-origin-age 10m --exec-each ./siren.sh
          quakes watch --format ndjson | my-program
        """)

    @Argument(
        help: ArgumentHelp("The feed to fetch: its name or URL (default: the one that is due).", valueName: "feed"),
        completion: .feed)
    var feed: String?

    @Option(
        "--consumer <name>",
        "Resume where this consumer left off, and advance its saved token; a new consumer starts now.")
    var consumer: String?

    @Option(
        "--exec <command>",
        """
        Pipe each batch of changes to this shell command; retry a batch that fails. To run a command for each \
        change, use --exec-each instead.
        """, transform: DeliveryOptions.commandForAll)
    var command: String?

    @Option(
        "--exec-each <command>",
        """
        Run this shell command for each change, with the change's values in $QUAKE_TITLE, $QUAKE_ID, $QUAKE_MAG and \
        so on; if it fails, retry.
        """, transform: DeliveryOptions.command)
    var eachCommand: String?

    @Flag("--bell", "Ring the terminal bell when something changes.") var ringsBell = false

    @Option(
        "--interval <duration>", "Time between polls, at least 1m unless the server is on this machine (default: 1m).",
        transform: Duration.parse)
    var interval: Duration?

    /// The formats that are suitable for endless output.
    enum Format: String, WordArgument {
        case table, ndjson
    }

    @Option("-f --format <format>", "Output format (default: table; ndjson in a pipe).")
    var format: Format?

    @OptionGroup var lines: ChangeTemplateOption

    @Option(
        "--heartbeat <duration>", "Write a heartbeat record when nothing has been written for this long, such as 30s.",
        visibility: .hidden, transform: Duration.parse)
    var heartbeat: Duration?

    @Option(
        "--base-url <url>", "Base URL of the summary feeds [$QUAKES_BASE_URL] (default: USGS's).",
        visibility: .hidden)
    var baseURL: String?

    @Option(
        "--service-url <url>",
        "URL of the ComCat event service, ending in /query [$QUAKES_SERVICE_URL] (default: USGS's).",
        visibility: .hidden)
    var serviceURL: String?

    @OptionGroup(title: "Which changes") var relevance: RelevanceOptions
    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if command != nil, eachCommand != nil { throw ValidationError("--exec and --exec-each cannot be combined.") }
        if [lines.template != nil, eachCommand != nil, format != nil].count(where: \.self) > 1 {
            throw ValidationError("Only one of --format, --template and --exec-each can be given.")
        }
        if heartbeat != nil, command != nil || eachCommand != nil || lines.template != nil {
            throw ValidationError("--heartbeat writes a record, so it cannot be combined with a command or --template.")
        }
        if heartbeat == .zero { throw ValidationError("--heartbeat must be longer than 0s.") }
        try filters.requireUseOfCenter()
    }

    /// Returns the time between polls: by default 60 seconds, which is also the minimum unless the server is on this
    /// machine.
    private func interval(in environment: CommandEnvironment) throws -> Duration {
        guard let interval else { return .seconds(60) }
        let base = baseURL ?? environment.variable("QUAKES_BASE_URL")
        let endpoint = base.map { FeedEndpoint(base: $0) } ?? FeedEndpoint()
        let source = try feed.map { try FeedSource(argument: $0) }
        let isOwn = EventEndpoint(base: source?.requestURL(at: endpoint) ?? endpoint.base).isOnThisMachine
        guard isOwn || interval >= .seconds(60) else { throw ValidationError("--interval must be at least 1m.") }
        return interval
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let path = try global.databasePath(in: environment, for: .creating)
        var refresh = ["refresh", "--quiet", "--db", path]
        if let feed {
            guard try FeedSource(argument: feed).isRemote else {
                throw ValidationError("`quakes watch` cannot watch a file; give a feed name or a URL.")
            }
            refresh.append(feed)
        }
        if let baseURL { refresh += ["--base-url", baseURL] }
        if let serviceURL { refresh += ["--service-url", serviceURL] }
        let interval = try interval(in: environment)
        let request = try request(in: environment)
        var own = self
        own.global.databasePath = path
        let cache = try own.store(in: environment, for: .reading)
        let reporter = Reporter(environment, global)
        let refresher = WatchRefresher(
            arguments: refresh, variables: environment.variables, interval: interval, reporter: reporter,
            ringsBell: ringsBell
        ) {
            try QuakeContext(cache, access: .reading).sources.staleNotice()
        }
        let delivery = OngoingDelivery(
            Delivery(request, in: environment, reporter), of: cache, refresher: refresher)
        defer { reporter.eraseProgress() }
        do {
            guard try delivery.waitForCache({ try check($0, in: environment) }) else { return .success }
            _ = try delivery.run()
            return .success
        } catch let fatal as WatchRefresher.Fatal { return fatal.status }
    }

    private func request(in environment: CommandEnvironment) throws -> DeliveryRequest {
        let position = ReadPosition(consumer.map { .consumer($0) } ?? .process)
        var request = try request(
            from: .kept(position), to: command, orEach: eachCommand,
            format: format.flatMap { ChangesFormat(rawValue: $0.rawValue) }, isEndless: true,
            display: try displayStyle(in: environment), in: environment)
        request.startsNow = true
        request.unusableStartAction = .resume
        request.heartbeat = heartbeat
        return request
    }
}
