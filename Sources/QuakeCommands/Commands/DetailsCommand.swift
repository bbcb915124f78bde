import ArgumentParser
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes details`: asks the event service how quakes of the cache were solved before the cache knew them.
struct DetailsCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "details", _superCommandName: QuakesCommand.name,
        abstract: "Fetch how quakes were solved from the first minutes on: every origin, moment tensor and alert.",
        discussion: """
            A cache knows the revisions of a quake since its first refresh. The event service has every version since \
            minutes after the quake. This command asks it about single quakes of the cache, one request a second; \
            `quakes show` then lists how they were solved, and states at published:TIME begin with the first solution.

            What was asked about before and did not change since is not asked about again. Without arguments, the \
            quakes that were asked about before and have changed are brought up to date. A run that was interrupted is \
            continued by the same command.

            EXAMPLES:
              quakes details us7000abcd
              quakes details --min-mag 6 --since 30d
              quakes details --min-mag 7 --dry-run
              quakes details
            """)

    @Argument(
        help: ArgumentHelp("The quakes to ask about, by ids that they have or had.", valueName: "id"),
        completion: .quakeID)
    var ids: [String] = []

    @OptionGroup(title: "Filters") var originTimes: OriginTimeOptions
    @OptionGroup(title: "Filters") var timeZone: TimeZoneOption
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Flag(name: .customLong("again"), help: "Ask about quakes that have not changed since they were asked about, too.")
    var again = false

    @Flag(
        name: [.customLong("dry-run"), .customShort("n")],
        help: "Only say how many requests it takes, and how long.")
    var dryRun = false

    @OptionGroup var reporting: ReportOptions
    @OptionGroup(title: "Event service") var limits: BackfillOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try filters.requireUseOfCenter()
        try filters.requireUseOfHome()
        if !ids.isEmpty, filters.isSet || originTimes.isSet {
            throw ValidationError("Ids and filters exclude each other.")
        }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let endpoint = try limits.endpoint(in: environment)
        let run = DetailsRun(
            store: try store(in: environment, for: dryRun ? .reading : .writing), endpoint: endpoint,
            deadline: limits.deadline, format: reporting.format, global: global, environment: environment)
        return try run.run(
            keys(in: environment), again: again, limits: limits.settings(for: endpoint), dryRun: dryRun)
    }

    /// The quakes to ask about; nil for all that were asked about before.
    private func keys(in environment: CommandEnvironment) throws -> [QuakeKey]? {
        let context = try context(in: environment, .reading)
        var filter = try filters.filter(in: environment, global)
        let zone = try timeZone.zone(in: environment)
        try originTimes.restrict(&filter, now: environment.now(), zone: zone)
        guard ids.isEmpty else {
            var asked: Set<QuakeKey> = []
            return try ids.map { id in
                guard let key = try context.key(ofID: id), try context.quake(forKey: key) != nil else {
                    throw try context.unknownQuake(id)
                }
                return key
            }.filter { asked.insert($0).inserted }
        }
        guard filter == QuakeFilter() else {
            try filters.requireKnownValues(in: context)
            let keys = try context.fetchIdentifiers(QuakeDescriptor(filter: filter))
            if keys.isEmpty { try global.explainNothing(filter, in: context, zone: zone, environment) }
            return keys
        }
        guard try !context.solvedKeys().isEmpty else { throw CommandError.noDetails }
        return nil
    }
}
