import ArgumentParser
import QuakeMirror

struct RefreshCommand: EnvironmentCommand {
    static let configuration = described(
        "refresh", "Update the cache from one or more feeds.",
        """
        A feed is the name of a USGS summary feed, a URL, a file, or - for standard input. The summary feeds are \
        significant, 4.5, 2.5, 1.0 and all, each with _hour, _day, _week or _month.

        Without an argument, the longest feed that is due is fetched: all_month once a week, all_week once a day, \
        all_day once an hour, and otherwise all_hour. Use this form in cron.

        Files are applied in the order in which they were generated, each in its own transaction.

        EXAMPLES:
          quakes refresh
          quakes refresh all_week 4.5_month
          quakes refresh --dry-run all_day
          curl -s https://example.org/all_day.geojson | quakes refresh -
          quakes refresh archive/*.geojson
        """)

    @Argument(help: ArgumentHelp("A summary feed, a URL, a file, or -.", valueName: "feed"), completion: .feed)
    var feeds: [String] = []

    @Flag("--dry-run -n", "Report what would change; write nothing.") var dryRun = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Download") var download: DownloadOptions
    @OptionGroup(title: "Unconfirmed changes") var confirmation: ConfirmationOptions
    @OptionGroup(title: "Event service") var service: ServiceOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sources = try feeds.map { try FeedSource(argument: $0) }
        let endpoint = try download.endpoint(in: environment)
        var mirror = FeedMirror(try store(in: environment, for: .creating), transport: environment.transport)
        mirror.author = recorded.author(in: environment, standard: "quakes.refresh")
        mirror.settings = try confirmation.settings(in: environment)
        (mirror.endpoint, mirror.deadline) = (endpoint, download.deadline ?? .seconds(60))
        mirror.userAgent = Program.userAgent
        (mirror.service, mirror.serviceScope) = try service.service(in: environment)
        return try MirrorRun(mirror, dryRun: dryRun, format: reporting.format, global, environment).refresh(sources)
    }
}

extension FeedSource {
    init(argument name: String) throws(CommandError) {
        if let source = FeedSource(name) { self = source; return }
        throw name.contains(/[:\/@?]/)
            ? CommandError(
                "\(WebAddress.shortened(name)) is neither an http(s) URL nor a file.",
                "A URL begins with http:// or https:// followed by a host name.", .usage)
            : CommandError(
                "There is no feed called \"\(name)\".",
                FeedName.nearest(to: name).map { "Did you mean \($0)?" }
                    ?? "Feed names begin with significant, 4.5, 2.5, 1.0 or all and end in _hour, _day, "
                    + "_week or _month.",
                .usage)
    }
}

extension FeedName {
    /// Returns the feed that `text` most likely means: the feed of all quakes for a period such as `hour`, otherwise
    /// the feed with the most similar name. Nil if none is similar.
    static func nearest(to text: String) -> String? {
        FeedName("all_\(text.lowercased())")?.description ?? text.nearest(among: allCases.map(\.description))
    }
}
