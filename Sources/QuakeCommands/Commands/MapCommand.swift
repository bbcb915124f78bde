import ArgumentParser
import QuakeMap
import QuakeStore

struct MapCommand: FilteringCommand, DocumentCommand {
    static let configuration = described(
        "map", "Draw a map of the quakes in the cache.",
        """
        Draws with characters in a terminal; writes SVG when piped. With --output, the file extension sets the \
        format: .html is a single page with an interactive map and list that works offline. To embed the page in \
        another one, add #embed to its URL. For a PNG, convert the SVG: rsvg-convert --output map.png map.svg.

        Pages and SVG may be published, so $QUAKES_HOME applies only to maps in the terminal.

        EXAMPLES:
          quakes map --since 7d --min-mag 2.5
          quakes map --bbox 165,-50,-175,-30 --output new-zealand.html
          quakes map --near 35.75,-117.48 --radius 150 --select ci40171319
          quakes map --home Tokyo --min-intensity light --color-by intensity
          quakes map --at 24h --world --output yesterday.svg
          quakes map --since 7d --replay --output week.html
          quakes map --since 1d --reload 5m --output /srv/www/quakes.html
        """)

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Origin time") var origin: OriginTimeOptions
    @OptionGroup var past: PastOption

    @Option("-l --limit <count>", "Maximum number of quakes, newest first.", parsing: .unconditional) var limit: Int?

    @Option("--select <id>", "Highlight and label the quake with this current or former id.")
    var selectedID: String?

    @Option("--title <text>", "Map title, for example for a news story (default: describes the filter and the dates).")
    var title: String?
    @Flag("--world", "Show the whole world instead of zooming to the quakes or to --bbox.")
    var showsWorld = false

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Map format (default: terminal on a terminal, otherwise svg).")
    var chosenFormat: MapFormat?

    @Option(
        "--color-by <attribute>",
        """
        Color quakes by this (default: age if the newest quake is less than 7 days, and the oldest less than 31 days, \
        older than the newest data; otherwise depth). intensity is the estimated intensity at --near or --home.
        """)
    var coloring: MapColoring?

    @Flag("--replay", "Embed the revision history for replay (HTML only).") var hasReplay = false

    @Option(
        "--reload <interval>", "Reload the page at this interval, such as 5m, and keep the view (HTML only).",
        transform: ReloadInterval.parse)
    var reloadInterval: Int?

    @Flag("--fail-empty", "Exit with status 4 if nothing matches.", visibility: .hidden) var failsEmpty = false

    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if hasReplay, limit != nil {
            throw ValidationError(
                "--replay cannot be combined with --limit, because the newest quakes differ from moment to moment.")
        }
        if hasReplay, past.point != nil {
            throw ValidationError("--replay cannot be combined with --at, because it covers all times.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        try requireFormatOfFile()
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let format = statedFormat ?? (environment.standardOutput.isTerminal ? .terminal : .svg)
        let environment = try environmentOfMap(in: format, environment)
        let home = try filters.home.sites(in: environment, global).first
        let sites =
            try filters.common.centers.isEmpty
            ? [home].compactMap(\.self) : filters.sites(in: environment, global)
        if sites.isEmpty, coloring == .intensity {
            throw HomeOption.missing(for: "--color-by intensity", isPrivate: format == .terminal)
        }
        var descriptor = QuakeDescriptor(filter: try filters.filter(from: sites), limit: limit)
        let style = try display.style(in: environment)
        if !filters.impliedCircles.isEmpty { descriptor.filter.circles = filters.impliedCircles }
        let zone = style.timeZone
        if format != .html, hasReplay || reloadInterval != nil {
            let option = hasReplay ? "--replay" : "--reload"
            throw ValidationError("\(option) needs --output FILE.html or --format html.")
        }
        let context = try filledContext(in: environment)
        let now = try past.pin(context, in: environment, zone: zone)
        try origin.restrict(&descriptor.filter, now: now, zone: zone)
        global.remark(try filters.checkValues(in: context), in: environment)
        let moment = past.moment(for: origin, in: environment, zone: zone)
        let picture = try context.snapshot {
            try self.picture(of: descriptor, around: sites, home: home, style, at: moment, as: format, in: context)
        }
        let writer = ByteWriter(environment.standardOutput)
        writer.append(picture, as: format, terminalMap(on: environment.standardOutput, in: environment))
        try writer.flush()
        environment.document?.count(quakes: picture.quakes.count)
        global.remark(try filters.regionHint(for: descriptor.filter, in: context), in: environment)
        let filter =
            try limit == nil || picture.quakes.isEmpty ? context.withStart(descriptor.filter) : descriptor.filter
        try global.remarkMissing(in: filter, of: context, at: moment, zone: style.timeZone, environment)
        return failsEmpty && picture.quakes.isEmpty ? .noRows : .success
    }

    /// Returns the map of the quakes of `descriptor`, with its title, extent, sites and coloring according to the
    /// options.
    private func picture(
        of descriptor: QuakeDescriptor, around sites: [Site], home: Site?, _ style: DisplayStyle,
        at moment: Timestamp?, as format: MapFormat, in context: QuakeContext
    ) throws -> MapContent {
        var picture = try MapContent(
            descriptor, in: context, isPast: past.point != nil, isPage: format == .html, isReplay: hasReplay)
        if picture.quakes.isEmpty {
            picture.sentencesIfEmpty = try context.reasonsForNoMatch(of: descriptor, around: sites)
        }
        picture.title = sites.naming(picture.title)
        if let selectedID { try select(selectedID, in: &picture, from: context) }
        picture.setScope(to: descriptor, around: sites, home: home, style.unit)
        if let title {
            picture.title = title
        } else {
            picture.period = try period(of: picture.quakes, descriptor, at: moment, style.timeZone, in: context)
        }
        if showsWorld { picture.extent = .world }
        picture.home = home?.point
        picture.intensitySites = sites.map { MapContent.NamedPlace(point: $0.point, name: $0.name) }
        picture.chosenColoring = coloring
        if coloring == .intensity, format != .terminal {
            picture.subtitle += " · color: estimated intensity at \(sites.names)"
        }
        picture.unit = style.unit.rawValue
        picture.timeZone = style.timeZone.name
        picture.reloadInterval = reloadInterval
        return picture
    }

    /// Returns the dates of the period that the map shows, such as `July 15–22, 2021`; nil without quakes.
    private func period(
        of quakes: [Quake], _ descriptor: QuakeDescriptor, at moment: Timestamp?, _ zone: DisplayTimeZone,
        in context: QuakeContext
    ) throws -> String? {
        let times = quakes.lazy.map(\.originTime)
        guard let first = times.min(), let last = times.max() else { return nil }
        var asked = descriptor.filter
        // With a limit, the quakes may cover only a part of the requested period.
        if quakes.count == descriptor.limit {
            asked.since = nil
            asked.until = nil
        }
        let missing = try MissingData(in: asked, of: context, at: moment)
        let known = [try context.endOfData() ?? last, moment].compactMap(\.self).min() ?? last
        return SummaryPeriod(asked, missing, until: known, zone, first, last).dates
    }

    /// Returns the environment, without `$QUAKES_HOME` unless the map is drawn in the terminal: a page or picture may
    /// be published, so it shows a home only if the command line names one.
    private func environmentOfMap(
        in format: MapFormat, _ environment: CommandEnvironment
    ) throws -> CommandEnvironment {
        guard format != .terminal || output.path != nil, environment.variable("QUAKES_HOME") != nil else {
            return environment
        }
        let isOnCommandLine = filters.home.home != nil || !filters.common.centers.isEmpty
        guard isOnCommandLine || coloring != .intensity && filters.minimumIntensity == nil else {
            throw ValidationError(
                "$QUAKES_HOME is not used in maps that may be published. Give the place with --home or --near.")
        }
        var environment = environment
        environment.variables["QUAKES_HOME"] = nil
        return environment
    }

    /// Returns a map that fills the terminal except for one line, which is left for the prompt.
    private func terminalMap(on stream: StandardStream, in environment: CommandEnvironment) -> TerminalMap {
        TerminalMap(
            columns: stream.terminalColumns, rows: stream.terminalRows - (stream.isTerminal ? 1 : 0),
            usesColor: global.allowsColor(on: stream, in: environment), usesUnicode: stream.usesUnicode)
    }

    /// Selects the quake with the current or former id `id`. Throws if the quake is not on the map.
    private func select(_ id: String, in picture: inout MapContent, from context: QuakeContext) throws {
        guard let key = try context.key(ofID: id) else { throw try context.unknownQuake(id) }
        guard let quake = try context.quake(key: key)?.quake else {
            throw CommandError("\(id) cannot be selected: it was deleted.", nil, .noRows)
        }
        guard picture.quakes.contains(where: { $0.id == quake.id }) else {
            throw CommandError(
                "\(id) cannot be selected: it is in the cache but does not match the filters.", nil, .noRows)
        }
        picture.selectedID = quake.id
    }
}

extension MapColoring: WordArgument {
    static var synonyms: [String: MapColoring] { ["type": .magtype, "shaking": .intensity] }
}

enum ReloadInterval {
    /// Returns the number of seconds in `text`, such as 300 for `5m`. Throws a usage error unless it is a whole number
    /// from 1 second to a week.
    static func parse(_ text: String) throws -> Int {
        let duration = try Duration.parse(text)
        let seconds = duration.components.seconds
        guard (1...604_800).contains(seconds), duration == .seconds(seconds) else {
            throw ValidationError("--reload must be between 1s and 7d, in whole seconds.")
        }
        return Int(seconds)
    }
}

extension ByteWriter {
    /// Appends the map in `format`, using `terminal` for a text map.
    fileprivate func append(_ picture: MapContent, as format: MapFormat, _ terminal: TerminalMap) {
        switch format {
        case .terminal: for line in terminal.lines(picture) { append(line + "\n") }
        case .svg: append(SVGMap().document(picture))
        case .html: HTMLMap().document(picture).withUnsafeBufferPointer { append($0) }
        }
    }
}

enum MapFormat: String, WordArgument, Sendable {
    case terminal, html, svg

    static let synonyms = ["text": MapFormat.terminal, "txt": .terminal]
}
