import ArgumentParser
import QuakeMirror

struct BackfillCommand: PlacedCommand {
    static let configuration = described(
        "backfill", "Fetch any part of the USGS catalog, and keep it up to date.",
        """
        The feeds reach back 30 days; the ComCat event service has every quake. This command counts the matching \
        quakes, then fetches them in batches of at most 20,000, each in its own transaction. Extending the time \
        range of an earlier backfill fetches only the part that is missing; lowering its --min-mag fetches the whole \
        range again.

        Without filters, updates everything requested earlier: resumes interrupted runs, adds new quakes if no \
        --until was given, and applies revisions and deletions. `quakes refresh` without a feed does the same \
        once a day, for up to two minutes.

        EXAMPLES:
          quakes backfill --since 1990 --min-mag 4.5
          quakes backfill --since 2010 --bbox -76,-56,-66,-17 --dry-run
          quakes backfill --since 2024 --min-mag 4.5 --uncertainties
          quakes backfill --max-time 20m
          quakes backfill
        """)

    @OptionGroup(title: "Filters") var originTimes: OriginTimeOptions
    @OptionGroup(title: "Filters") var timeZone: TimeZoneOption
    @OptionGroup(title: "Filters") var filters: CommonFilterOptions

    @Flag("--again", "Fetch the matching quakes again even if they have already been fetched.")
    var again = false

    @Flag(
        "--forget",
        """
        Stop updating the part of the catalog that the filters select (without filters, everything). Its quakes stay \
        in the cache, but the cache no longer counts as complete for that part.
        """)
    var forgets = false

    @Flag(
        "--uncertainties",
        """
        Also fetch the uncertainties of the quakes, in a second request per batch, and keep them up to date. Without \
        filters, applies to everything requested earlier. With --forget, stops updating only the uncertainties.
        """)
    var uncertainties = false

    @Flag("--dry-run -n", "Count the quakes; fetch and write nothing.") var dryRun = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Event service") var service: BackfillOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    var centers: [PlaceArgument] {
        get { filters.centers }
        set { filters.centers = newValue }
    }

    func validate() throws {
        try filters.requireOneArea()
        try filters.requireRadiusForCenter()
        guard !filters.types.joined().contains(where: { $0.hasPrefix("!") }) else {
            throw ValidationError("The event service cannot exclude event types; give the types to fetch instead.")
        }
        if forgets, again || dryRun { throw ValidationError("--forget cannot be combined with --again or --dry-run.") }
        if let most = service.maximumRequests, most < 2 {
            throw ValidationError("--max-requests must be at least 2: one to count, one to fetch.")
        }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        var filter = filters.filter
        try originTimes.restrict(&filter, now: environment.now(), zone: timeZone.zone(in: environment))
        global.remark(filters.centers.first?.remark.map { "--near is \($0)" }, in: environment)
        if let since = filter.since, since > environment.now() { throw ValidationError("--since is in the future.") }
        if forgets { return try forget(filter, in: environment) }
        let kind: BackfillRequest.Kind =
            filter != QuakeFilter() ? .quakes(filter, again: again) : again ? .again : .update
        let request = BackfillRequest(kind: kind, uncertainties: uncertainties)
        let cache = try store(in: environment, for: dryRun ? .reading : .writing)
        try requirePossible(request, in: cache)
        let endpoint = try service.endpoint(in: environment)
        let limits = try service.settings(for: endpoint)
        var mirror = service.mirror(cache, endpoint, environment)
        mirror.author = recorded.author(in: environment, standard: "quakes.backfill")
        let run = MirrorRun(mirror, dryRun: dryRun, format: reporting.format, global, environment)
        return try run.perform {
            let report = try mirror.backfill(request, limits: limits, dryRun: dryRun, run.observer)
            run.steps.show(report, isUpdate: kind == .update)
            return report.incompleteWindows.isEmpty ? .success : .serverUnavailable
        }
    }

    /// Throws if an update has nothing to update, because no part of the catalog has been fetched yet. Also throws if
    /// the limit on requests is too low to fetch a window with uncertainties.
    private func requirePossible(_ request: BackfillRequest, in cache: QuakeCache) throws {
        guard request.filter == nil || service.maximumRequests != nil else { return }
        var coverage = Coverage()
        do {
            coverage = try QuakeContext(cache, access: .reading).sources.coverage()
        } catch StoreError.noCache {}
        if request.filter == nil, coverage.requested.isEmpty {
            throw CommandError(
                "There is nothing to update: no backfill is on record.",
                "Start a backfill, for example with `quakes backfill --since 1990 --min-mag 4.5`.", .usage)
        }
        if let most = service.maximumRequests, most < 4, uncertainties || !coverage.requestedUncertainties.isEmpty {
            throw ValidationError("--max-requests must be at least 4 with uncertainties: two to count, two to fetch.")
        }
    }

    private func forget(_ filter: QuakeFilter, in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .writing)
        let (forgotten, wasRequested) = try CacheLock.hold(cacheAt: context.cache.path) {
            let requested = try context.sources.coverage().requested
            let forgotten = try context.sources.forgetCoverage(filter, onlyUncertainties: uncertainties)
            return (forgotten, try context.sources.coverage().requested != requested)
        }
        let words = "no longer updated: \(forgotten.namesInSentence.joined(separator: "; "))"
        let subject = uncertainties ? "uncertainties" : "quakes"
        let none =
            wasRequested
            ? "The matching \(subject) will no longer be requested, except by other backfills that include them."
            : "Nothing to forget: no backfill matches."
        return try report(
            forgotten.isEmpty ? none : words,
            ["kind": "forgotten", "coverage": forgotten.map(\.record)], reporting.format, in: environment)
    }
}
