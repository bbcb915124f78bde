import ArgumentParser
import QuakeFormats
import QuakeStore

struct DiffCommand: FilteringCommand, DocumentCommand {
    static let configuration = described(
        "diff", "Show the net changes between two states of the cache.",
        """
        A state is a token, a time, published:TIME (what USGS had published by then), a transaction number, \
        beginning or now. Each quake that differs is shown once, with its values in both states.

        Exits with status 3 if the history does not reach back to the first state, or if a token belongs to another \
        cache.

        EXAMPLES:
          quakes diff 24h now
          quakes diff 2021-07-20 2021-07-22 --min-mag 4.5 --format ndjson
          quakes diff 41 42 --changed mag
          quakes diff 24h --op revised --template '{headline}: {differences}'
          quakes diff published:2021-07-20 published:2021-07-22
          quakes diff q1.0a1b2c3d4e5f6.42.9f8e7d6c now --format csv
        """)

    @Argument(
        help: ArgumentHelp("The earlier state.", valueName: "from"), completion: .historyPoint,
        transform: HistoryPointArgument.parse)
    var earlier: HistoryPointArgument

    @Argument(
        help: ArgumentHelp("The later state (default: now).", valueName: "to"), completion: .historyPoint,
        transform: HistoryPointArgument.parse)
    var later: HistoryPointArgument?

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Output format (default: table).") var chosenFormat: ChangesFormat?

    @OptionGroup var lines: ChangeTemplateOption
    @OptionGroup var compared: ComparedFieldsOption

    @Flag("--count", "Print the number of changes.") var countsOnly = false
    @Flag("--fail-empty", "Exit with status 4 if nothing differs.", visibility: .hidden) var failsEmpty = false

    @OptionGroup(title: "Which changes") var kinds: ChangeKindOptions
    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Origin time") var origin: OriginTimeOptions
    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    var isFreeform: Bool { countsOnly || lines.template != nil }

    func validate() throws {
        _ = try compared.properties(for: statedFormat)
        try requireFormatOfFile()
        if lines.template != nil, chosenFormat != nil {
            throw ValidationError("--template and --format cannot be combined.")
        }
        if countsOnly, chosenFormat != nil || lines.template != nil {
            throw ValidationError("--count cannot be combined with --format or --template.")
        }
        try filters.requireUseOfCenter()
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sites = try filters.sites(in: environment, global)
        try lines.requireSite(in: sites)
        let display = try display.style(in: environment, sites: sites)
        let context = try filledContext(in: environment)
        global.remark(try filters.checkValues(in: context), in: environment)
        let now = environment.now()
        let zone = display.timeZone
        guard !areReversed(now: now, zone: zone) else { throw Self.reversedStates }
        try pin(earlier, context, now, zone)
        var descriptor = HistoryDescriptor(start: try earlier.start(in: context, now: now, zone: zone))
        let said = try remarkMissing(in: earlier, context, display, environment)
        try pin(later ?? .now, context, now, zone)
        _ = try remarkMissing(in: later ?? .now, context, display, environment, unless: said)
        descriptor.filter = try filters.filter(from: display.sites)
        try origin.restrict(&descriptor.filter, now: now, zone: zone)
        kinds.restrict(&descriptor)
        descriptor.isCoalesced = true
        var style = OutputStyle(environment, global, display: display, context: context)
        style.records.comparedProperties = try compared.properties(for: statedFormat)
        let written =
            lines.template.map { .template($0, remarks: environment.standardError) }
            ?? ChangesOutputForm.format(statedFormat ?? .table)
        let rendering = countsOnly ? .count : written
        let renderer = rendering.renderer(environment.writer(forPeople: rendering.isForPeople), style)
        var count = 0
        do {
            try context.history.fetch(descriptor, resyncs: false) { event in
                if case .end(let end) = event { count = end.count }
                try renderer.write(event)
            }
        } catch StoreError.token(.future) { throw Self.reversedStates }
        try renderer.finish()
        return failsEmpty && count == 0 ? .noRows : .success
    }

    private static let reversedStates = ValidationError(
        "The first state must be the earlier one, as in `quakes diff 24h now`.")

    /// Whether the states are times on the same clock, `now` or `beginning`, in the wrong order.
    private func areReversed(now: Timestamp, zone: DisplayTimeZone) -> Bool {
        let states = [earlier, later ?? .now]
        if states[1] == .token("beginning") { return states[0] != states[1] }
        let times = states.compactMap { $0.moment(now: now, zone: zone) }
        let clocks = states.compactMap { state -> Bool? in
            if case .time(let time) = state { time.isPublished } else { nil }
        }
        return times.count == 2 && Set(clocks).count == 1 && times[0] > times[1]
    }

    /// Pins `context` to `state`. If that state is not available, the error suggests a `diff` of the published states
    /// at both times.
    private func pin(_ state: HistoryPointArgument, _ context: QuakeContext, _ now: Timestamp, _ zone: DisplayTimeZone)
        throws
    {
        do {
            try state.pin(context, now: now, zone: zone)
            try state.requireSnapshot(in: context)
        } catch {
            var answer = CommandError(error)
            let states = [earlier, later ?? .now].compactMap { $0.publishedArgument(in: context, now, zone) }
            guard answer.status == .unusableToken, states.count == 2, states[0] != states[1] else { throw error }
            answer.remedy = "To compare what USGS had published, run `quakes diff \(states[0]) \(states[1])`."
            throw answer
        }
    }

    /// Returns a description of the data missing from the pinned state, and reports it unless it equals `said`.
    private func remarkMissing(
        in state: HistoryPointArgument, _ context: QuakeContext, _ display: DisplayStyle,
        _ environment: CommandEnvironment, unless said: String? = nil
    ) throws -> String? {
        var times = QuakeFilter()
        try origin.restrict(&times, now: environment.now(), zone: display.timeZone)
        let moment = state.moment(now: environment.now(), zone: display.timeZone)
        return try global.remarkMissing(
            in: times, of: context, at: moment, zone: display.timeZone, environment, unless: said)
    }
}
