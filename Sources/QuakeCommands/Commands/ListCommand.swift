import ArgumentParser
import QuakeFormats
import QuakeStore

struct ListCommand: FilteringCommand, DocumentCommand {
    static let configuration = described(
        "list", "List the quakes in the cache.",
        """
        Without options, prints a table of all quakes, newest first. In scripts, choose a format with --format.

        Without --radius, --near means within 300 km or, with --sort distance, at any distance. It may be repeated, as \
        may --bbox, to search several areas. With --type, --status, --net, --magtype and --alert, a ! before a value \
        excludes it: --type '!earthquake'.

        EXAMPLES:
          quakes list --type earthquake --min-mag 4.5 --since 7d
          quakes list --near 19.42,-155.29 --radius 50km --sort distance
          quakes list --bbox 165,-50,-175,-30 -o new-zealand.geojson
          quakes list --region California --since 24h
          quakes list --place pahala --fields time,mag,place --format csv
          quakes list --min-mag 7 -o large.xml
          quakes list --template '{mag} {place} ({age})'
          quakes list --at 24h --min-mag 4.5      as the cache was 24 hours ago
        """)

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Origin time") var origin: OriginTimeOptions
    @OptionGroup(title: "Order") var sort: SortOptions

    @OptionGroup var past: PastOption

    @Option("-l --limit <count>", "Maximum number of quakes.", parsing: .unconditional) var limit: Int?

    @Option(
        "--fields <name,…>",
        """
        Fields to show, in this order: any property from the feed, lat, lon, depth, mag_error and other \
        uncertainties; region and nearest_city; and, with --near or --home, distance, bearing, intensity and site (the \
        nearest of these places). `all` means the properties, coordinates and uncertainties; `usgs` means the columns \
        of the USGS CSV feeds.
        """, completion: .fields, transform: FieldList.parse)
    var fields: FieldList?

    @OptionGroup var output: OutputOption
    @Option(
        "-f --format <format>",
        "Output format (default: table, even when piped); csv-excel is csv with a byte order mark, as Excel expects.")
    var chosenFormat: OutputFormat?

    @Option(
        "--template <template>",
        """
        Write a line for each quake, such as '{mag} {place} ({age})'. Placeholders: any field, age, headline (the \
        title) and compass (the bearing, such as NNW). {place:json} quotes a value for JSON; other forms are raw, iso, \
        csv, shell and html.
        """, transform: OutputTemplate.forQuakes)
    var template: OutputTemplate?

    @Flag("--count", "Print only the number of quakes.") var countsOnly = false
    @Flag("--ids", "Print only the ids, one per line.") var idsOnly = false
    @Flag("--fail-empty", "Exit with status 4 if nothing matches.", visibility: .hidden) var failsEmpty = false

    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: OutputFormat { statedFormat ?? .table }
    var isFreeform: Bool { template != nil || idsOnly || countsOnly }

    /// The first option given that needs a site; nil if there is none.
    private var relativeOption: String? {
        if sort.key == .distance { return "--sort distance" }
        if let name = template?.relativeName { return "--template {\(name)}" }
        return fields?.fields?.first(where: \.isRelative).map { "--fields \($0.name)" }
    }

    func validate() throws {
        if countsOnly, idsOnly { throw ValidationError("--count and --ids cannot be combined.") }
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if template != nil, countsOnly || idsOnly || fields != nil || chosenFormat != nil {
            throw ValidationError("--template cannot be combined with --format, --fields, --count or --ids.")
        }
        if format == .quakeml, fields != nil {
            throw ValidationError("--fields cannot be combined with QuakeML, which always has every field.")
        }
        try requireFormatOfFile()
    }

    /// Circles of 300 km around the places of `--near`; none with `--sort distance`, which lists the nearest quakes.
    private var impliedCircles: [QuakeFilter.Circle] { sort.key == .distance ? [] : filters.impliedCircles }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sites = try filters.sites(in: environment, global)
        if sites.isEmpty, let relativeOption { throw HomeOption.missing(for: relativeOption) }
        let display = try display.style(in: environment, sites: sites)
        var descriptor = QuakeDescriptor(
            filter: try filters.filter(from: sites), sortBy: [try sort.sortKey(from: sites)], limit: limit)
        if !impliedCircles.isEmpty { descriptor.filter.circles = impliedCircles }
        let zone = display.timeZone
        let context = try filledContext(in: environment)
        let now = try past.pin(context, in: environment, zone: zone)
        try origin.restrict(&descriptor.filter, now: now, zone: zone)
        global.remark(try filters.checkValues(in: context), in: environment)
        let count =
            try countsOnly
            ? printCount(descriptor, context, environment) : printQuakes(descriptor, context, display, environment)
        if !countsOnly { environment.document?.count(quakes: count) }
        let moment = past.moment(for: origin, in: environment, zone: zone)
        let filter = try limit == nil || count == 0 ? context.withStart(descriptor.filter) : descriptor.filter
        try global.remarkMissing(in: filter, of: context, at: moment, zone: display.timeZone, environment)
        return failsEmpty && count == 0 ? .noRows : .success
    }

    private var isTable: Bool { format == .table && !idsOnly && template == nil }

    /// Whether a summary line for people follows the list.
    private func hasLastLine(_ environment: CommandEnvironment) -> Bool {
        isTable && !countsOnly && environment.standardOutput.columnsIfTerminal != nil && !global.isQuiet
    }

    /// Writes the summary line: the number of quakes, the age of the data, any omitted columns, and the hint.
    private func writeLastLine(
        _ count: Int, _ renderer: any QuakeRenderer, _ context: QuakeContext, _ writer: ByteWriter,
        _ style: OutputStyle, hint: String?
    ) throws {
        let quakes = count == 0 ? "no quakes match" : count.counted("quake")
        let source = try context.freshness(isPast: past.point != nil, now: style.now)
        let omission = count == 0 ? nil : (renderer as? TableRenderer)?.omission
        WrappedLines(writer, columns: style.terminalColumns).append(
            [quakes, source, omission, hint].compactMap(\.self).joined(separator: " · "),
            color: style.usesColor ? "2" : nil)
    }

    /// Returns a hint about quakes that the list omits although the user may expect them; nil if there are none.
    private func hint(_ filter: QuakeFilter, _ context: QuakeContext, _ unit: LengthUnit) throws -> String? {
        if let circle = impliedCircles.first {
            return "showing quakes within \(unit.lengthText(circle.radiusKilometers)); use --radius to change this"
        }
        return try filters.regionHint(for: filter, in: context)
    }

    private func printCount(
        _ descriptor: QuakeDescriptor, _ context: QuakeContext, _ environment: CommandEnvironment
    ) throws -> Int {
        let matching = try context.fetchCount(descriptor.filter)
        let count = min(matching, descriptor.limit ?? matching)
        let writer = ByteWriter(environment.standardOutput)
        writer.append("\(count)\n")
        try writer.flush()
        global.remark(try hint(descriptor.filter, context, .km), in: environment)
        if count == matching { global.remark(try context.roundingRemark(for: descriptor.filter), in: environment) }
        return count
    }

    private func printQuakes(
        _ descriptor: QuakeDescriptor, _ context: QuakeContext, _ display: DisplayStyle,
        _ environment: CommandEnvironment
    ) throws -> Int {
        var style = OutputStyle(environment, global, display: display)
        style.records.title =
            filters.common.centers.isEmpty
            ? descriptor.headline : descriptor.headline(around: display.sites.names, display.unit)
        if format == .geojson { style.records.generated = try context.timeOfExport() ?? environment.now() }
        let solutions = SolutionReading(context)
        style.records.solutions = solutions.read
        let template = idsOnly ? OutputTemplate([.value(.field(.property(.id)), .raw)]) : template
        let writer = environment.writer(forPeople: isTable)
        let renderer: any QuakeRenderer =
            if let template {
                TemplateRenderer(template, writer: writer, style: style)
            } else {
                format.renderer(
                    of: fields, writer, style, sortedBy: sort.key.flatMap { QuakeProperty(rawValue: $0.rawValue) })
            }
        let reportsMissing = past.point == nil && MissingUncertainties.matter(to: template?.fields ?? fields?.fields)
        let reader = FieldReader(
            renderer.fields, display, others: reportsMissing ? MissingUncertainties.sources : [])
        var missing = reportsMissing ? MissingUncertainties(in: reader.properties) : nil
        var count = 0
        renderer.begin()
        try context.forEachRow(descriptor, fields: reader.properties) { row in
            // One closure per row: a nested closure per field would account for a third of the time of a long list.
            if reader.computesFields {
                renderer.writeRow { reader.value(at: $0, row.field(at:)) }
            } else {
                renderer.writeRow(row.field(at:))
            }
            try writer.flushIfFull()
            count += 1
            missing?.add(row)
        }
        if let failure = solutions.failure { throw failure }
        let hint = try hint(descriptor.filter, context, display.unit)
        if hasLastLine(environment) { try writeLastLine(count, renderer, context, writer, style, hint: hint) }
        renderer.end()
        try writer.flush()
        if !hasLastLine(environment) { global.remark(hint, in: environment) }
        global.remark(missing?.words(descriptor.filter), in: environment)
        if template == nil, ![.table, .quakeml].contains(format) {
            global.remark(self.display.unitRemark(for: format.rawValue), in: environment)
        }
        return count
    }
}

/// Reads the solutions of quakes for a renderer. Stores the first error, because the renderer cannot throw it.
private final class SolutionReading {
    private let context: QuakeContext
    private(set) var failure: (any Error)?

    init(_ context: QuakeContext) { self.context = context }

    func read(_ id: String) -> SolutionHistory? {
        do {
            return try context.key(ofID: id).flatMap { try context.solutions(ofKey: $0) }
        } catch {
            failure = failure ?? error
            return nil
        }
    }
}

struct SortOptions: ParsableArguments {
    @Option(
        "--sort <key>",
        """
        Sort by time (newest first), mag (largest), depth (deepest), distance from --near or --home (nearest), updated \
        (latest), felt (most reports) or sig (most significant), and then by id (default: time). With -asc, as in \
        mag-asc, the oldest or smallest come first.
        """)
    var argument: SortArgument?

    @Flag("--reverse", "Reverse the order.") var isReversed = false

    var key: SortArgument.Key? { argument?.key }

    /// Returns the sort key, by default the origin time, newest first. Throws a usage error for sorting by distance if
    /// `sites` is empty.
    func sortKey(from sites: [Site]) throws -> QuakeSortKey {
        let sort: QuakeSort
        switch key ?? .time {
        case .time: sort = .time
        case .mag: sort = .magnitude
        case .depth: sort = .depth
        case .updated: sort = .updated
        case .felt: sort = .feltReports
        case .sig: sort = .significance
        case .distance:
            guard !sites.isEmpty else { throw HomeOption.missing(for: "--sort distance") }
            sort = .distance(from: sites.map(\.point))
        }
        let order = argument?.isAscending == true ? .forward : sort.usualOrder
        return QuakeSortKey(sort, order: isReversed ? order.opposite : order)
    }
}
