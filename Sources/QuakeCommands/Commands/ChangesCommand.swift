import Glibc
import ArgumentParser
import QuakeStore
import QuakeSystem

struct ChangesCommand: FilteringCommand {
    static let configuration = described(
        "changes", "Show what changed since your last call, a given time, or a token.",
        """
        The output ends with a token; passing it to --since-token shows exactly what came after it. Without a \
        value, --since-token resumes from the consumer's saved token, which advances only after all output has been \
        written.

        If the token is no longer valid, for example because history was purged, the output is a drop-everything \
        record followed by every quake (a resync). With --on-expired fail, the command exits with status 3 instead.

        EXAMPLES:
          quakes changes --since-token --format ndjson
          quakes changes --consumer alarm --max-origin-age 30d --exec-each ./alarm.sh
          quakes changes --consumer mirror --exec ./import.sh
          quakes changes --since-token --template '{what} {headline}: {differences}'
          quakes changes --consumer siren --follow --max-origin-age 10m
          quakes changes --since 2h --changed source
        """)

    @OptionGroup(title: "Where to start") var start: StartOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
    @OptionGroup(title: "Which changes") var relevance: RelevanceOptions

    @Option(
        "-l --limit <count>",
        "Stop after about this many changes, always at the end of a transaction (not with --follow).",
        parsing: .unconditional)
    var limit: Int?

    @Flag("--coalesce", "Show only the net change of each quake (not with --follow).", visibility: .hidden)
    var coalesces = false

    @Option("-f --format <format>", "Output format (default: table; ndjson with --exec, and with --follow in a pipe).")
    var chosenFormat: ChangesFormat?

    @Option(
        "--template <template>",
        """
        Write a line for each change, such as '{what} M {mag} {place} ({age})'. Placeholders: any field, age, \
        headline, compass, op, reason, what, differences, changed, change_id, token and before.FIELD.
        """, completion: .changeTemplate, transform: OutputTemplate.forChanges)
    var template: OutputTemplate?

    @OptionGroup var compared: ComparedFieldsOption

    @Flag("--count", "Print the number of changes without advancing the saved token.") var countsOnly = false
    @Flag("--fail-empty", "Exit with status 4 if nothing matches.", visibility: .hidden) var failsEmpty = false

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if limit != nil, coalesces { throw ValidationError("--limit and --coalesce cannot be combined.") }
        if template?.relativeName == nil { try filters.requireUseOfCenter() }
        if template != nil, chosenFormat != nil { throw ValidationError("--template and --format cannot be combined.") }
        _ = try compared.properties(for: chosenFormat)
        let starts = [
            start.sinceToken != nil, start.since != nil, start.sinceTransaction != nil,
            start.tokenFile != nil && start.sinceToken != StartOptions.lastToken,
        ]
        if starts.count(where: { $0 }) > 1 {
            throw ValidationError("--since-token, --since, --since-transaction and --token-file cannot be combined.")
        }
        if start.consumer != nil, !start.resumes || start.since != nil || start.sinceTransaction != nil {
            throw ValidationError(
                "--consumer resumes from a saved token, so it cannot be combined with a starting point.")
        }
        if delivery.eachCommand != nil {
            if template != nil || chosenFormat != nil || coalesces {
                throw ValidationError("--exec-each cannot be combined with --format, --template or --coalesce.")
            }
            if onlyResync {
                throw ValidationError("--exec-each cannot be combined with --on-expired resync; use --exec instead.")
            }
        }
        if countsOnly, template != nil || chosenFormat != nil || delivery.isChosen {
            throw ValidationError(
                "--count cannot be combined with --format, --template, --ack, --exec, --exec-each or --follow.")
        }
        if start.consumer != nil, start.tokenFile != nil {
            throw ValidationError("--consumer and --token-file cannot be combined.")
        }
        if delivery.acknowledged != nil, start.sinceToken != nil || start.since != nil || start.sinceTransaction != nil
        {
            throw ValidationError(
                "--ack only saves the token, so it cannot be combined with an option that selects changes.")
        }
        if delivery.follows {
            if let chosenFormat, ![.ndjson, .table].contains(chosenFormat) {
                throw ValidationError("--follow supports only --format ndjson and table.")
            }
            if limit != nil || coalesces {
                throw ValidationError("--follow cannot be combined with --limit or --coalesce.")
            }
        }
    }

    /// Returns the chosen format, otherwise NDJSON for `--exec` and for `--follow` into a pipe, otherwise a table.
    func format(in environment: CommandEnvironment) -> ChangesFormat {
        if let chosenFormat { return chosenFormat }
        if delivery.command != nil { return .ndjson }
        return delivery.follows && !environment.standardOutput.isTerminal ? .ndjson : .table
    }

    func rendering(in environment: CommandEnvironment) -> ChangesRendering {
        if countsOnly { return .count }
        return template.map { .template($0, remarks: environment.standardError) } ?? .format(format(in: environment))
    }

    /// Returns the style of lengths and times, and the reference point for distances.
    func displayStyle(in environment: CommandEnvironment) throws -> DisplayStyle {
        let reference = try filters.reference(in: environment, global)
        if reference == nil, let name = template?.relativeName { throw HomeOption.missing(for: "--template {\(name)}") }
        return try display.style(in: environment, reference: reference)
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let display = try displayStyle(in: environment)
        let isPeek = isPeek(in: environment)
        let position = try ReadPosition(command: self, zone: display.zoneOfArguments, isPeek: isPeek || countsOnly)
        if case .file(let path, isKept: true) = position {
            try OutputPath(path: path, origin: "--token-file").requireFree(global, in: environment)
        }
        try position.requireKeeping()
        if let token = delivery.acknowledged { return try acknowledge(token, position, environment) }
        if let command = delivery.eachCommand { return try runEach(command, position, display, environment) }
        if delivery.follows {
            let status = try FollowRun(command: self, position: position, display: display, environment: environment)
                .run()
            if isPeek { sayPeek(in: environment) }
            return status
        }
        let context = try context(in: environment, at: position)
        try filters.requireKnownValues(in: context)
        let reporter = Reporter(environment, global)
        let start = try position.start(in: context, now: environment.now(), reporter)
        let output = try output(from: start, position, display, environment, context)
        let signals = holdingSignals()
        defer { signals?.release() }
        let end = try write(to: output, from: start, position, display, context, reporter)
        if isPeek, end?.count != 0 { sayPeek(in: environment) }
        return failsEmpty && end?.count == 0 ? .noRows : .success
    }

    /// Holds back signals so that none ends this program between a command's success and the saving of the position.
    private func holdingSignals() -> HeldSignals? {
        guard delivery.command != nil || delivery.eachCommand != nil else { return nil }
        let signals = HeldSignals()
        signals.hold()
        return signals
    }

    private var onlyResync: Bool { start.onExpired == .resync }

    private func runEach(
        _ command: String, _ position: ReadPosition, _ display: DisplayStyle, _ environment: CommandEnvironment
    ) throws -> ExitStatus {
        let context = try context(in: environment, at: position)
        try filters.requireKnownValues(in: context)
        let reporter = Reporter(environment, global)
        let each = try each(command, position, display, environment, context, reporter)
        let signals = holdingSignals()
        defer { signals?.release() }
        func deliver() throws -> Int {
            try each.deliver(from: position.start(in: context, now: environment.now(), startsNow: true, reporter))
        }
        let count: Int
        do {
            count = try deliver()
        } catch StoreError.token(let fault) {
            // After a restore, no changes after the consumer's position are missing. After a purge, some may be.
            guard case .consumer(_, isKept: true, _) = position, fault != .expired, start.onExpired == nil else {
                let saved = position.saved
                let skipping = saved.map { saved in
                    let command = CacheCommand(path: global.databasePath).line("changes")
                    return "To skip everything so far, run `\(command) \(saved.option) --ack now`."
                }
                throw CommandError(
                    (saved.map { "The \($0.words) cannot be used" } ?? "Cannot start from this token")
                        + ": \(fault.words), and --exec-each cannot resync.",
                    skipping ?? "`quakes token` prints a token for the current state.", .unusableToken)
            }
            environment.standardError.writeLine("quakes: \(try position.resume(in: context).words)")
            count = try deliver()
        }
        return failsEmpty && count == 0 ? .noRows : .success
    }

    func each(
        _ command: String, _ position: ReadPosition, _ display: DisplayStyle, _ environment: CommandEnvironment,
        _ context: QuakeContext, _ reporter: Reporter
    ) throws -> EachChange {
        var style = OutputStyle(display: display)
        style.now = environment.now()
        style.idOfKey = { key in try? context.quake(forKey: key)?.quake.id }
        return EachChange(
            command: command, descriptor: try descriptor(display, in: context),
            position: position, context: context, variables: environment.variables, style: style,
            reporter: reporter)
    }

    /// Returns the history query that the options describe, without the start position.
    private func descriptor(_ display: DisplayStyle, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = try relevance.descriptor(filter: filters.filter(from: display.reference), in: context)
        (descriptor.limit, descriptor.isCoalesced) = (limit, coalesces)
        return descriptor
    }

    private func output(
        from start: HistoryDescriptor.Start, _ position: ReadPosition, _ display: DisplayStyle,
        _ environment: CommandEnvironment, _ context: QuakeContext
    ) throws -> any ChangesOutput {
        let rendering = rendering(in: environment)
        if let command = delivery.command {
            var style = OutputStyle(display: display)
            style.now = environment.now()
            style.comparedProperties = try compared.properties(for: chosenFormat)
            // Commands get the original TZ. In this process, the output's time zone has replaced it.
            let variables = display.time.isUTC ? nil : environment.variables
            return CommandOutput(command, variables: variables, rendering: rendering, style: style)
        }
        var style = OutputStyle(environment, global, display: display, context: context)
        style.comparedProperties = try compared.properties(for: chosenFormat)
        style.start = start.words(in: display.time)
        return StandardChangesOutput(
            environment,
            rendering: rendering, style: style, saysToken: !position.keepsToken)
    }

    /// Writes the changes after `start` to `output` from one snapshot, saves the token, and returns the end record.
    private func write(
        to output: any ChangesOutput, from start: HistoryDescriptor.Start, _ position: ReadPosition,
        _ display: DisplayStyle, _ context: QuakeContext, _ reporter: Reporter
    ) throws -> HistoryEnd? {
        let end = try context.snapshot {
            var end: HistoryEnd?
            var descriptor = try descriptor(display, in: context)
            descriptor.start = start
            try context.history.fetch(descriptor, resyncs: self.start.remedy(delivery) == .resync) { event in
                if case .end(let last) = event { end = last }
                try output.write(event)
            }
            return end
        }
        let finished = try output.finish()
        if let end {
            reporter.remark(on: end.skipped, olderThan: relevance.maximumOriginAge)
            try position.keep(end.token, after: finished, in: context)
        }
        return end
    }

    /// Passes the changes after `start` to the command of `--exec` or `--exec-each`, and saves the token.
    ///
    /// - Parameter whileRunning: Called while a command runs, with the id of its quake (nil for `--exec`) and its
    ///   running time (for `--exec`, the time since its last record).
    func deliver(
        from start: HistoryDescriptor.Start, _ position: ReadPosition, _ display: DisplayStyle,
        _ environment: CommandEnvironment, _ context: QuakeContext, _ reporter: Reporter,
        whileRunning: @escaping (String?, Duration) -> Void
    ) throws {
        if let command = delivery.eachCommand {
            var each = try each(command, position, display, environment, context, reporter)
            each.whileRunning = whileRunning
            _ = try each.deliver(from: start)
            return
        }
        let output = try output(from: start, position, display, environment, context)
        (output as? CommandOutput)?.whileRunning = whileRunning
        _ = try write(to: output, from: start, position, display, context, reporter)
    }

    /// Opens the cache that the changes are read from and that stores a consumer's position.
    private func context(in environment: CommandEnvironment, at position: ReadPosition) throws -> QuakeContext {
        let context = try store(in: environment, for: .reading).context(author: "quakes", access: position.access)
        try context.requireFilled()
        return context
    }

    /// Whether a person is viewing the default consumer's unread changes. If so, the token does not advance.
    private func isPeek(in environment: CommandEnvironment) -> Bool {
        start.sinceToken == StartOptions.lastToken && start.consumer == nil && start.tokenFile == nil
            && delivery.command == nil && delivery.eachCommand == nil && delivery.acknowledged == nil
            && !delivery.marksRead && !delivery.leavesToken && environment.standardOutput.isTerminal
    }

    private func sayPeek(in environment: CommandEnvironment) {
        guard !global.isQuiet else { return }
        environment.standardError.writeLine(
            "quakes: These changes still count as unread. To mark them as read, use --mark-read or pipe the output.")
    }

    private func acknowledge(
        _ text: String, _ position: ReadPosition, _ environment: CommandEnvironment
    ) throws -> ExitStatus {
        let context = try context(in: environment, at: position)
        // `beginning` is the position before the first retained transaction, even after a purge.
        let token =
            try text == "beginning"
            ? context.history.token(afterTransaction: context.history.floor().number)
            : TokenArgument.resolve(text, in: context)
        if let fault = try context.history.fault(of: token) { throw TokenArgument.unusable(fault) }
        try position.keep(token, in: context)
        return .success
    }
}

extension HistoryDescriptor.Start {
    /// The start time in words, such as `recorded since 2021-07-21 00:00 UTC`; nil if the start is not a time.
    fileprivate func words(in zone: LocalTime) -> String? {
        switch self {
        case .moment(let moment): "recorded since \(zone.minuteAndZone(moment))"
        case .published(let moment): "published since \(zone.minuteAndZone(moment))"
        case .nothing, .beginning, .floor, .token, .transaction: nil
        }
    }
}

extension Reporter {
    /// Reports the changes that `--max-origin-age` skipped. Call this before the reader's position moves past them.
    func remark(on skipped: SkippedChanges, olderThan age: Duration?) {
        guard let age, let largest = skipped.largest, isUnreported(skipped) else { return }
        remark(
            "skipped \(skipped.count.counted("change")) that arrived more than \(age.words) after the quake; "
                + "largest quake: " + TerminalText.sanitized(largest.headline))
    }
}
