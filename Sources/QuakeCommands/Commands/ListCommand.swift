import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes list`: quakes in the cache, filtered, sorted, in any format.
struct ListCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the quakes in the cache.",
        discussion: """
            Without options: every quake, the newest first, as a table. Scripts name a format.

            EXAMPLES:
              quakes list --min-mag 4.5 --since 7d
              quakes list --near 19.42,-155.29 --radius 50 --sort distance
              quakes list --bbox 165,-50,-175,-30 --format geojson > new-zealand.geojson
              quakes list --place pahala --fields time,mag,place --format csv
              quakes list --at 24h --min-mag 4.5      what was known a day ago
            """)

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "When they happened") var origin: OriginTimeOptions
    @OptionGroup(title: "In which order") var sort: SortOptions

    @OptionGroup var past: PastOption

    @Option(name: .customLong("limit"), help: ArgumentHelp("At most this many quakes.", valueName: "count"))
    var limit: Int?

    @Option(
        name: .customLong("fields"),
        help: ArgumentHelp("These fields in this order, or all; names are the feed's own.", valueName: "name,…"),
        transform: FieldList.parse)
    var fields: FieldList?

    @Option(name: .customLong("format"), help: ArgumentHelp("How to write them.", valueName: "format"))
    var format: OutputFormat = .table

    @Flag(name: .customLong("count"), help: "Only how many there are.")
    var countsOnly = false

    @Flag(name: .customLong("ids"), help: "Only their ids, one a line.")
    var idsOnly = false

    @Flag(name: .customLong("epoch"), help: "Times as epoch milliseconds instead of ISO 8601.")
    var usesEpochTime = false

    @Flag(name: .customLong("fail-empty"), help: "Exit with status 4 when nothing matches.")
    var failsEmpty = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if countsOnly, idsOnly { throw ValidationError("--count and --ids exclude each other.") }
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        _ = try sort.sort(with: filters)
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        var descriptor = QuakeDescriptor(
            filter: filters.filter, sort: try sort.sort(with: filters), isReversed: sort.isReversed, limit: limit)
        try origin.restrict(&descriptor.filter, now: environment.now())
        let context = try context(in: environment, .reading)
        try past.pin(context, in: environment)
        let count =
            try countsOnly
            ? printCount(descriptor, context, environment) : printQuakes(descriptor, context, environment)
        if count == 0, !countsOnly, !idsOnly, format == .table { try sayNothingMatches(in: environment) }
        return failsEmpty && count == 0 ? .noRows : .success
    }

    /// A table without rows leaves a person at a terminal in doubt.
    private func sayNothingMatches(in environment: CommandEnvironment) throws {
        guard environment.standardOutput.isTerminal, !global.isQuiet else { return }
        let writer = ByteWriter(environment.standardError)
        writer.append("No quake in the cache matches.\n")
        try writer.flush()
    }

    private func printCount(
        _ descriptor: QuakeDescriptor, _ context: QuakeContext, _ environment: CommandEnvironment
    ) throws -> Int {
        let matching = try context.fetchCount(descriptor.filter)
        let count = min(matching, descriptor.limit ?? matching)
        let writer = ByteWriter(environment.standardOutput)
        writer.append("\(count)\n")
        try writer.flush()
        return count
    }

    private func printQuakes(
        _ descriptor: QuakeDescriptor, _ context: QuakeContext, _ environment: CommandEnvironment
    ) throws -> Int {
        let writer = ByteWriter(environment.standardOutput)
        let style = OutputStyle(
            environment.standardOutput, usesEpochTime: usesEpochTime,
            usesColor: global.allowsColor(on: environment.standardOutput, in: environment))
        let rendering = idsOnly ? .ids : format.rendering(of: fields?.properties)
        let renderer = rendering.renderer(writer, style)
        var count = 0
        renderer.begin()
        try context.forEachRow(descriptor, fields: rendering.fields) { row in
            try renderer.row(row.field(at:))
            count += 1
        }
        try renderer.end()
        return count
    }
}
