import ArgumentParser
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeStore

/// `quakes backfill`: brings a part of the catalogue into the cache, or those it holds up to date.
struct BackfillCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Bring any part of the USGS catalogue into the cache, and keep it up to date.",
        discussion: """
            The feeds reach back 30 days; the event service has every quake. This command asks it how many quakes there \
            are, then fetches them in windows of at most 20,000. Each window is one transaction. A run that was \
            interrupted is continued by the same command, and a wider one asks only for what the cache lacks.

            Without --until the part ends now, and later updates extend it. Without arguments, the parts that the cache \
            holds are brought up to date: new quakes, revisions and deletions. `quakes refresh` without a feed does the \
            same once a day.

            EXAMPLES:
              quakes backfill --since 1990 --min-mag 4.5
              quakes backfill --since 2010 --bbox -76,-56,-66,-17 --dry-run
              quakes backfill --max-time 20m
              quakes backfill
            """)

    @OptionGroup(title: "Filters") var originTimes: OriginTimeOptions
    @OptionGroup(title: "Filters") var filters: CommonFilterOptions

    @Flag(name: .customLong("again"), help: "Ask for what the cache already holds, too.")
    var again = false

    @Flag(
        name: [.customLong("dry-run"), .customShort("n")],
        help: "Only ask how many quakes there are, and write nothing.")
    var dryRun = false

    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp("The format of the report: text or JSON, a record for each window.", valueName: "format"))
    var format: ReportFormat = .text

    @OptionGroup(title: "Event service") var limits: BackfillOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try filters.requireRadiusForCenter()
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        var filter = filters.filter
        try originTimes.restrict(&filter, now: environment.now())
        let isUpdate = filter == QuakeFilter() && !again
        if isUpdate { try requireCatalogue(in: environment) }
        let endpoint = limits.endpoint(in: environment)
        let run = BackfillRun(
            store: store(in: environment, for: .writing), endpoint: endpoint,
            limits: try limits.settings(for: endpoint),
            deadline: limits.deadline.duration, author: recorded.author(in: environment, standard: "quakes.backfill"),
            format: format, global: global, environment: environment)
        return try run.run(isUpdate ? .update : .part(filter, again: again), dryRun: dryRun)
    }

    /// An update needs something to update.
    private func requireCatalogue(in environment: CommandEnvironment) throws {
        guard try context(in: environment, .reading).catalogueParts().isEmpty else { return }
        throw CommandError.noCatalogue
    }
}
