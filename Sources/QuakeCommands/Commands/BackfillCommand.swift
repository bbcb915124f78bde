import ArgumentParser
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes backfill`: brings a part of the catalogue into the cache, or those it holds up to date.
struct BackfillCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill", _superCommandName: QuakesCommand.name,
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
    @OptionGroup(title: "Filters") var timeZone: TimeZoneOption
    @OptionGroup(title: "Filters") var filters: CommonFilterOptions

    @Flag(
        name: .customLong("again"),
        help: "Ask for what the cache already holds, too; without filters and times, for all of that.")
    var again = false

    @Flag(
        name: .customLong("forget"),
        help: """
            Keep the parts of the catalogue within these filters and times up to date no longer, or all parts; their \
            quakes stay.
            """)
    var forgets = false

    @Flag(
        name: [.customLong("dry-run"), .customShort("n")],
        help: "Only ask how many quakes there are, and write nothing.")
    var dryRun = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Event service") var service: BackfillOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try filters.requireRadiusForCenter()
        if forgets, again || dryRun { throw ValidationError("--forget excludes --again and --dry-run.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        var filter = filters.filter
        try originTimes.restrict(&filter, now: environment.now(), zone: timeZone.zone(in: environment))
        global.say(filters.center, in: environment)
        if let since = filter.since, since > environment.now() { throw ValidationError("--since is in the future.") }
        if forgets { return try forget(filter, in: environment) }
        let request: BackfillRequest =
            filter != QuakeFilter() ? .part(filter, again: again) : again ? .again : .update
        if filter == QuakeFilter() { try requireCatalogue(in: environment) }
        let endpoint = try service.endpoint(in: environment)
        let limits = try service.settings(for: endpoint)
        var mirror = FeedMirror(
            try store(in: environment, for: dryRun ? .reading : .writing), transport: environment.transport)
        mirror.author = recorded.author(in: environment, standard: "quakes.backfill")
        mirror.service = endpoint
        mirror.deadline = service.deadline
        mirror.userAgent = Program.userAgent
        return try MirrorRun(mirror, format: reporting.format, global, environment)
            .backfill(request, limits: limits, dryRun: dryRun)
    }

    /// Throws if no backfill has brought anything that an update could continue.
    private func requireCatalogue(in environment: CommandEnvironment) throws {
        do {
            let context = try context(in: environment, .reading)
            guard try context.sources.keptClaims().isEmpty else { return }
        } catch StoreError.noCache {}
        throw CommandError.noCatalogue
    }

    private func forget(_ filter: QuakeFilter, in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .writing)
        let claims = try CacheLock.hold(cacheAt: context.cache.path, for: .backfill) {
            try context.sources.forgetClaims(filter)
        }
        let output = ReportOutput(environment.standardOutput, reporting.format, isQuiet: global.isQuiet)
        output.writeRecord { json in
            json.member("kind", "forgotten")
            json.array("claims") { for claim in claims { json.value(claim) } }
        }
        if claims.isEmpty { output.writeLine("The cache holds no such part of the catalogue.") }
        for words in claims.words(now: environment.now()) { output.writeLine("forgotten: \(words)") }
        try output.finish()
        return .success
    }
}
