import ArgumentParser
import QuakeMirror

struct DetailsCommand: FilteringCommand {
    static let configuration = described(
        "details", "Fetch the solution history of quakes: every origin, moment tensor and alert.",
        """
        A cache has only the revisions since its first refresh. The USGS event service also has earlier solutions, \
        though for older quakes it lacks some. This command makes one request for each quake, at most one per second. \
        Afterward, the quake has its uncertainties, `quakes show` lists its solutions over time, and in other \
        commands, --at published:TIME reaches back to its first solution.

        Quakes that have not changed since they were last fetched are skipped. Without ids and filters, updates the \
        quakes that were fetched earlier. Rerun the command to resume an interrupted run.

        EXAMPLES:
          quakes details us7000abcd
          quakes details --min-mag 6 --since 30d
          quakes details --min-mag 7 --dry-run
          quakes details
        """)

    @Argument(
        help: ArgumentHelp("A current or former id of a quake to fetch.", valueName: "id"))
    var ids: [String] = []

    @OptionGroup(title: "Filters") var originTimes: OriginTimeOptions
    @OptionGroup(title: "Filters") var timeZone: TimeZoneOption
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Flag("--again", "Fetch quakes again even if they have not changed.") var again = false
    @Flag("--dry-run -n", "Estimate the number of requests and the time; fetch nothing.") var dryRun = false

    @OptionGroup var reporting: ReportOptions
    @OptionGroup(title: "Event service") var limits: BackfillOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try filters.common.requireOneArea()
        try filters.requireUseOfCenter()
        try filters.requireUseOfHome()
        if !ids.isEmpty, filters.isSet || originTimes.isSet {
            throw ValidationError("Ids and filters cannot be combined.")
        }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let endpoint = try limits.endpoint(in: environment)
        let cache = try store(in: environment, for: dryRun ? .reading : .writing)
        var mirror = limits.mirror(cache, endpoint, environment)
        mirror.author = recorded.author(in: environment, standard: "quakes.details")
        let run = MirrorRun(mirror, dryRun: dryRun, format: reporting.format, global, environment)
        let keys = try keys(in: environment)
        let settings = try limits.settings(for: endpoint)
        return try run.perform {
            let report = try mirror.fetchDetails(
                ofKeys: keys, again: again, limits: settings, dryRun: dryRun, run.observer)
            run.reporter.report(report.words(dryRun: dryRun), report.record(dryRun: dryRun))
            return report.failures.first.map { CommandError($0).status } ?? .success
        }
    }

    /// Returns the quakes to fetch; nil for all quakes whose details were fetched before.
    private func keys(in environment: CommandEnvironment) throws -> [QuakeKey]? {
        let context = try context(in: environment, .reading)
        var filter = try filters.filter(in: environment, global)
        let zone = try timeZone.zone(in: environment)
        try originTimes.restrict(&filter, now: environment.now(), zone: zone)
        guard ids.isEmpty else {
            return try context.distinctIDs(ids).map { id in
                guard let key = try context.key(ofID: id) else { throw try context.unknownQuake(id) }
                guard try context.quake(key: key) != nil else {
                    throw CommandError(
                        "\(id) was deleted, so there is nothing to fetch.", "`quakes show \(id)` shows it.", .noRows)
                }
                return key
            }
        }
        guard filter == QuakeFilter() else {
            global.remark(try filters.checkValues(in: context), in: environment)
            let keys = try context.fetchIdentifiers(QuakeDescriptor(filter: filter))
            let now = originTimes.isSet ? environment.now() : nil
            try global.remarkMissing(in: filter, of: context, at: now, zone: zone, environment)
            return keys
        }
        guard try !context.keysWithSolutions().isEmpty else {
            throw CommandError(
                "There is nothing to update: no details have been fetched yet.",
                "Fetch some first, for example with `quakes details --min-mag 6 --since 30d`.", .usage)
        }
        return nil
    }
}
