import ArgumentParser
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeStore

/// `quakes refresh`: brings the cache up to date with one or more feeds.
struct RefreshCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Bring the cache up to date with one or more feeds.",
        discussion: """
            A feed is the name of a summary feed, an http or https address, a file, or - for standard input. The \
            summary feeds are significant, 4.5, 2.5, 1.0 and all, each as _hour, _day, _week and _month.

            Without a feed the schedule picks the largest complete one that is due: the month weekly, the week daily, \
            the day hourly, the hour always. That is the line for cron.

            Several files are applied in the order in which they were generated, each as a transaction of its own.

            EXAMPLES:
              quakes refresh
              quakes refresh all_week 4.5_month
              quakes refresh --dry-run all_day
              curl -s https://example.org/all_day.geojson | quakes refresh -
              quakes refresh archive/*.geojson
            """)

    @Argument(help: ArgumentHelp("A summary feed's name, an address, a file, or -.", valueName: "feed"))
    var feeds: [String] = []

    @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Say what would change and write nothing.")
    var dryRun = false

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("How to write the report: a line, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp("Wait this long for another refresh to end instead of giving up.", valueName: "duration"),
        transform: DurationArgument.parse)
    var patience: DurationArgument?

    @OptionGroup(title: "Download") var download: DownloadOptions
    @OptionGroup(title: "What to believe") var belief: BeliefOptions
    @OptionGroup(title: "Asking the event service") var service: ServiceOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sources = try feeds.map { name in
            guard let source = FeedSource(name) else {
                throw CommandError.unknownFeed(name, suggestion: FeedName.nearest(to: name))
            }
            return source
        }
        let run = try RefreshRun(command: self, environment: environment)
        return try run.refresh(sources)
    }
}

extension FeedName {
    /// The feed a mistyped name may have meant: the one that shares most of its letters, if any does.
    static func nearest(to text: String) -> String? {
        let wanted = text.lowercased()
        let candidates = allCases.map { name in
            (name: name.description, difference: Array(name.description).difference(from: Array(wanted)).count)
        }
        guard let best = candidates.min(by: { $0.difference < $1.difference }), best.difference <= 4 else { return nil }
        return best.name
    }
}
