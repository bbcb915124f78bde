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
          quakes changes --consumer siren --follow --op new,enter --max-origin-age 10m
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
        """, transform: OutputTemplate.forChanges)
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
        try filters.requireUseOfCenter()
        if template != nil, chosenFormat != nil { throw ValidationError("--template and --format cannot be combined.") }
        _ = try compared.properties(for: chosenFormat)
        let starts = [
            start.sinceToken != nil, start.since != nil, start.sinceTransaction != nil,
            start.tokenFile != nil && start.sinceToken != StartOptions.lastToken,
        ]
        let (startCount, hasTime) = (starts.count { $0 }, starts[1] || starts[2])
        let (hasConsumer, hasFile) = (start.consumer != nil, start.tokenFile != nil)
        let (isEach, isFormatted) = (delivery.eachCommand != nil, template != nil || chosenFormat != nil)
        let isFollowable = chosenFormat.map { [.ndjson, .table].contains($0) } ?? true
        let mistakes: KeyValuePairs<Bool, String> = [
            startCount > 1: "--since-token, --since, --since-transaction and --token-file cannot be combined.",
            hasConsumer && (!start.resumes || hasTime):
                "--consumer resumes from a saved token, so it cannot be combined with a starting point.",
            isEach && (isFormatted || coalesces):
                "--exec-each cannot be combined with --format, --template or --coalesce.",
            isEach && start.onExpired == .resync:
                "--exec-each cannot be combined with --on-expired resync; use --exec instead.",
            countsOnly && (isFormatted || delivery.isChosen):
                "--count cannot be combined with --format, --template, --ack, --exec, --exec-each or --follow.",
            hasConsumer && hasFile: "--consumer and --token-file cannot be combined.",
            delivery.acknowledged != nil && (starts[0] || hasTime):
                "--ack only saves the token, so it cannot be combined with an option that selects changes.",
            delivery.follows && !isFollowable: "--follow supports only --format ndjson and table.",
            delivery.follows && (limit != nil || coalesces): "--follow cannot be combined with --limit or --coalesce.",
        ]
        if let mistake = mistakes.first(where: \.key) { throw ValidationError(mistake.value) }
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

    /// Returns the style of lengths and times, and the sites for distances.
    func displayStyle(in environment: CommandEnvironment) throws -> DisplayStyle {
        let sites = try filters.sites(in: environment, global)
        if sites.isEmpty, let name = template?.relativeName { throw HomeOption.missing(for: "--template {\(name)}") }
        return try display.style(in: environment, sites: sites)
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let display = try displayStyle(in: environment)
        let isPeek = isPeek(in: environment)
        let position = ReadPosition(
            command: self, now: environment.now(), zone: display.time, isPeek: isPeek || countsOnly)
        if case .file(let path, isKept: true) = position {
            try OutputPath(path: path, origin: "--token-file").requireFree(global, in: environment)
        }
        try position.requireKeeping()
        if let token = delivery.acknowledged { return try acknowledge(token, position, environment) }
        let run = ChangesRun(
            command: self, position: position, display: display, environment: environment,
            reporter: Reporter(environment, global))
        let cache = try store(in: environment, for: .reading).context(author: "quakes", access: position.access)
        try check(cache, in: environment)
        if delivery.follows {
            let status = try FollowRun(run).run()
            if isPeek { sayPeek(in: environment) }
            return status
        }
        try cache.requireFilled()
        let lock = ReaderLock(position, cacheAt: cache.cache.path)
        try lock.take()
        defer { lock.release() }
        // No signal may end this program between a command's success and the saving of the position.
        let signals = delivery.command == nil && delivery.eachCommand == nil ? nil : HeldSignals()
        signals?.hold()
        defer { signals?.release() }
        let count = try delivery.eachCommand == nil ? deliver(run, cache) : deliverEach(run, cache)
        if isPeek, count != 0 { sayPeek(in: environment) }
        return failsEmpty && count == 0 ? .noRows : .success
    }

    /// Checks the filters against the cache, if there is one, and reports values and ids that it does not have.
    func check(_ context: QuakeContext?, in environment: CommandEnvironment) throws {
        global.remark(try filters.checkValues(in: context), in: environment)
        global.remark(try relevance.unknownIDs(in: context), in: environment)
    }

    private func deliver(_ run: ChangesRun, _ context: QuakeContext) throws -> Int? {
        var descriptor = try run.descriptor(in: context)
        let startsNow = delivery.eachCommand != nil
        descriptor.start = try run.position.start(in: context, startsNow: startsNow, run.reporter)
        return try run.deliver(descriptor, in: context)
    }

    private func deliverEach(_ run: ChangesRun, _ context: QuakeContext) throws -> Int? {
        do {
            return try deliver(run, context)
        } catch StoreError.token(let fault) {
            // After a restore, no changes after the consumer's position are missing. After a purge, some may be.
            guard case .consumer(_, isKept: true, _) = run.position, fault != .expired, start.onExpired == nil else {
                let saved = run.position.saved
                let remedy = saved.map { saved in
                    let command = CacheCommand(path: global.databasePath).line("changes")
                    let (aim, token) =
                        fault == .expired
                        ? ("continue with the history that is left", "beginning") : ("skip everything so far", "now")
                    return "To \(aim), run `\(command) \(saved.option) --ack \(token)`."
                }
                throw CommandError(
                    (saved.map { "The \($0.words) cannot be used" } ?? "Cannot start from this token")
                        + ": \(fault.words), and --exec-each cannot resync.",
                    remedy ?? "`quakes token` prints a token for the current state.", .unusableToken)
            }
            run.environment.standardError.writeLine("quakes: \(try run.position.resume(in: context).words)")
            return try deliver(run, context)
        }
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
        global.remark(
            "These changes still count as unread. To mark them as read, use --mark-read or pipe the output.",
            in: environment)
    }

    private func acknowledge(
        _ text: String, _ position: ReadPosition, _ environment: CommandEnvironment
    ) throws -> ExitStatus {
        let context = try context(in: environment, at: position)
        let lock = ReaderLock(position, cacheAt: context.cache.path)
        try lock.take()
        defer { lock.release() }
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

/// Options for the position from which `changes` starts and for saving its token.
struct StartOptions: ParsableArguments {
    /// The action if a token cannot be used.
    enum Remedy: String, CaseIterable, ExpressibleByArgument {
        case resync, fail
    }

    /// The value of `--since-token` if none is given: the consumer's saved token.
    static let lastToken = "last"

    @Option(
        name: .customLong("since-token"), defaultAsFlag: lastToken, parsing: .next,
        help: ArgumentHelp(
            """
            Start after this token, or at `beginning`, `now` or `last`. The default value, `last`, is the consumer's \
            saved token.
            """, valueName: "token"),
        completion: .token)
    var sinceToken: String?

    @Option(
        "--consumer <name>",
        """
        Resume from the saved token of this consumer and advance it; implies --since-token (the default consumer is \
        named "default").
        """)
    var consumer: String?

    @Option(
        "--token-file <path>", "Save the token in this file instead of in the cache. The file is replaced atomically.",
        completion: .file(), visibility: .hidden)
    var tokenFile: String?

    @Option(
        "-s --since <time>",
        "Show changes made to the cache after this time; with published:TIME, changes that USGS published after it.",
        parsing: .unconditional, completion: .time, transform: HistoryTime.parse)
    var since: HistoryTime?

    @Option(
        "--since-transaction <number>", "Start after the transaction with this number.", parsing: .unconditional,
        visibility: .hidden)
    var sinceTransaction: TransactionNumber?

    @Option(
        "--on-expired <action>",
        """
        What to do if the token cannot be used: print every quake again (resync) or exit with status 3 (fail). The \
        default is resync; with --exec-each it is fail, except after a restore.
        """, visibility: .hidden)
    var onExpired: Remedy?

    /// Returns the action for an invalid token. By default, a command that runs for each change does not run for every
    /// quake.
    func remedy(_ delivery: DeliveryOptions) -> Remedy { onExpired ?? (delivery.eachCommand == nil ? .resync : .fail) }

    /// Whether to resume from a consumer's position: `--since-token` has no value, or only `--consumer` is given.
    var resumes: Bool { sinceToken == Self.lastToken || (sinceToken == nil && consumer != nil) }
}
