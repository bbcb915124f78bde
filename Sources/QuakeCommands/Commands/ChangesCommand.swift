import ArgumentParser
import QuakeFormats
import QuakeStore
import QuakeSystem

struct ChangesCommand: DeliveringCommand, DocumentCommand {
    static let configuration = described(
        "changes", "List the changes: all, or those since a token, a time or your last run.",
        """
        The command ends by printing a token, which marks a position in the history; passing it to --since-token \
        shows exactly what came after it. A consumer is a named reader of the changes, for which the cache saves the \
        token instead: with --consumer NAME, the output starts after the saved token, which advances once all output \
        has been written. Without a value, --since-token does this for a consumer named "default"; on a terminal, \
        that token advances only with --mark-read.

        If a token can no longer be used, for example because the history after it was purged, the output starts over: \
        first a record that tells the reader to drop everything, then every quake in the cache. With --on-expired \
        fail, the command exits with status 3 instead.

        EXAMPLES:
          quakes changes --since-token --format ndjson
          quakes changes --consumer alarm --max-origin-age 30d --exec-each ./alarm.sh
          quakes changes --consumer mirror --exec ./import.sh
          quakes changes --since-token --op revised --template '{id}: {differences}'
          quakes changes --consumer siren --follow --op new,enter --max-origin-age 10m
          quakes changes --since 2h --changed source
        """)

    @OptionGroup(title: "Where to start") var start: StartOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
    @OptionGroup(title: "Which changes") var relevance: RelevanceOptions

    @Option(
        "-l --limit <count>",
        "Stop at the end of the transaction that reaches this many changes (not with --follow).",
        parsing: .unconditional)
    var limit: Int?

    @Flag("--coalesce", "Show only the net change of each quake (not with --follow).", visibility: .hidden)
    var coalesces = false

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Output format (default: table; with --exec, or with --follow in a pipe, ndjson).")
    var chosenFormat: ChangesFormat?

    @OptionGroup var lines: ChangeTemplateOption
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
        if lines.template != nil, chosenFormat != nil {
            throw ValidationError("--template and --format cannot be combined.")
        }
        try requireFormatOfFile()
        _ = try compared.properties(for: statedFormat)
        let starts = [
            start.sinceToken != nil, start.since != nil, start.sinceTransaction != nil,
            start.tokenFile != nil && start.sinceToken != StartOptions.lastToken,
        ]
        let names = ["--since-token", "--since", "--since-transaction", "--token-file"]
        let given = zip(names, starts).filter { $0.1 }.map { $0.0 }
        let hasTime = starts[1] || starts[2]
        let otherStart = hasTime ? given.joined() : "another token"
        let (hasConsumer, hasFile) = (start.consumer != nil, start.tokenFile != nil)
        let (isEach, isFormatted) = (delivery.eachCommand != nil, lines.template != nil || chosenFormat != nil)
        let isFollowable = chosenFormat.map { [.ndjson, .table].contains($0) } ?? true
        let mistakes: KeyValuePairs<Bool, String> = [
            given.count > 1: "\(given.joined(separator: " and ")) cannot be combined.",
            hasConsumer && (!start.resumes || hasTime):
                "--consumer resumes from a saved token, so it cannot be combined with \(otherStart).",
            isEach && isFormatted: "--exec-each cannot be combined with --format or --template.",
            isEach && coalesces: "--exec-each and --coalesce cannot be combined.",
            isEach && start.onExpired == .resync:
                "--exec-each cannot be combined with --on-expired resync; use --exec instead.",
            countsOnly && isFormatted: "--count cannot be combined with --format or --template.",
            countsOnly && !delivery.chosen.isEmpty:
                "--count and \(delivery.chosen.prefix(1).joined()) cannot be combined.",
            output.path != nil && !delivery.chosen.isEmpty:
                "--output cannot be combined with \(delivery.chosen.prefix(1).joined()).",
            hasConsumer && hasFile: "--consumer and --token-file cannot be combined.",
            delivery.acknowledged != nil && (starts[0] || hasTime):
                "--ack only saves the token, so it cannot be combined with an option that selects changes.",
            delivery.follows && !isFollowable: "--follow supports only --format ndjson and table.",
            delivery.follows && limit != nil: "--follow and --limit cannot be combined.",
            delivery.follows && coalesces: "--follow and --coalesce cannot be combined.",
            isEach && given.isEmpty && !hasConsumer && !hasFile:
                "--exec-each needs --consumer NAME, or another start, such as --since 1h.",
        ]
        if let mistake = mistakes.first(where: \.key) { throw ValidationError(mistake.value) }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let display = try displayStyle(in: environment)
        let isPeek = isPeek(in: environment)
        let start = deliveryStart(now: environment.now(), zone: display.timeZone, savesAfterDelivery: !isPeek)
        if let position = start.position, position.savesAfterDelivery, case .file(let path) = position.storage {
            try OutputPath(path: path, origin: "--token-file").requireFree(global, in: environment)
        }
        if let file = output.path, let tokens = self.start.tokenFile {
            guard FileLocation.resolved(file) != FileLocation.resolved(tokens) else {
                throw ValidationError("--output and --token-file cannot be the same file.")
            }
        }
        try start.position?.requireSaving()
        // Choose the cache as a read-only command does, although a position may be saved in it. So a user who has no
        // cache reads the system cache.
        let cache = try store(in: environment, for: .reading)
        let context = try context(of: cache, for: start.position)
        if let token = delivery.acknowledged { return try acknowledge(token, start.position, in: context) }
        try check(context, in: environment)
        let request = try request(from: start, display: display, in: environment)
        let count = try deliver(request, in: context, environment)
        if isPeek, delivery.follows || count != 0 {
            global.remark(
                "These changes still count as unread. To mark them as read, use --mark-read or pipe the output.",
                in: environment)
        }
        return failsEmpty && count == 0 ? .noRows : .success
    }

    var isFreeform: Bool { lines.template != nil || countsOnly }
    /// Whether the saved position can advance, so that no later run prints the same changes.
    var needsNewFile: Bool { savesPosition && (start.tokenFile != nil || start.resumes) }

    /// Whether the options let the saved position advance.
    private var savesPosition: Bool { !countsOnly && !delivery.leavesToken }

    /// Whether a person is viewing the default consumer's unread changes on a terminal. If so, the token does not
    /// advance.
    private func isPeek(in environment: CommandEnvironment) -> Bool {
        start.sinceToken == StartOptions.lastToken && start.consumer == nil && start.tokenFile == nil
            && delivery.command == nil && delivery.eachCommand == nil && delivery.acknowledged == nil
            && !delivery.marksRead && !delivery.leavesToken && environment.standardOutput.isTerminal
    }

    /// Opens the cache for reading or, to save the token in it, for writing.
    private func context(of cache: QuakeCache, for position: ReadPosition?) throws -> QuakeContext {
        do {
            return try QuakeContext(cache, author: "quakes", access: position?.access ?? .reading)
        } catch StoreError.readOnly(let path) {
            var error = CommandError(StoreError.readOnly(path: path))
            error.remedy = "To save the token in a file instead, use --token-file FILE."
            throw error
        }
    }

    /// Returns the start that the options select: a given position, or the saved one.
    ///
    /// - Parameters:
    ///   - now: The present time, from which ages count back.
    ///   - zone: The time zone for dates that specify none.
    ///   - savesAfterDelivery: Whether a saved position may advance.
    private func deliveryStart(now: Timestamp, zone: DisplayTimeZone, savesAfterDelivery: Bool) -> DeliveryRequest.Start
    {
        let savesAfterDelivery = savesAfterDelivery && savesPosition
        if let token = start.sinceToken, token != StartOptions.lastToken {
            return .given { context in .token(try TokenArgument.resolve(token, in: context)) }
        } else if let path = start.tokenFile {
            return .kept(ReadPosition(.file(path), savesAfterDelivery: savesAfterDelivery))
        } else if start.resumes || delivery.acknowledged != nil {
            return .kept(ReadPosition(.consumer(start.consumer ?? "default"), savesAfterDelivery: savesAfterDelivery))
        }
        let given = start.since?.start(now: now, zone: zone) ?? start.sinceTransaction.map { .transaction($0) }
        return .given { _ in given ?? .oldest }
    }

    private func request(
        from start: DeliveryRequest.Start, display: DisplayStyle, in environment: CommandEnvironment
    ) throws -> DeliveryRequest {
        var request = try request(
            from: start, to: delivery.command, orEach: delivery.eachCommand, format: statedFormat,
            isEndless: delivery.follows, display: display, in: environment)
        if countsOnly { request.receiver = .output(.count) }
        request.startsNow = delivery.eachCommand != nil
        request.unusableStartAction = unusableStartAction(at: start.position)
        request.changes.limit = limit
        request.changes.isCoalesced = coalesces
        request.style.records.comparedProperties = try compared.properties(for: statedFormat)
        request.heartbeat = delivery.heartbeat
        request.timeout = delivery.timeout
        return request
    }

    /// Returns the action for an unusable token.
    ///
    /// By default, `--exec-each` does not run its command for every quake again. A consumer resumes after a restore,
    /// because no changes after its position are missing. After a purge, some of these changes may be missing, so the
    /// delivery fails.
    private func unusableStartAction(at position: ReadPosition?) -> DeliveryRequest.UnusableStartAction {
        if let action = start.onExpired { return action == .resync ? .resync : .fail }
        guard delivery.eachCommand != nil else { return .resync }
        if case .consumer = position?.storage, position?.savesAfterDelivery == true { return .resumeUnlessExpired }
        return .fail
    }

    /// Returns the number of records delivered; nil if another process was already delivering to this reader.
    private func deliver(
        _ request: DeliveryRequest, in context: QuakeContext, _ environment: CommandEnvironment
    ) throws -> Int? {
        let delivery = Delivery(request, in: environment, Reporter(environment, global))
        do {
            if self.delivery.follows { return try OngoingDelivery(delivery, of: context.cache).run() }
            return try delivery.deliverOnce(in: context)
        } catch StoreError.token(let fault) {
            throw unusableStart(fault, request.start.position, floor: try? context.history.floor().number)
        }
    }

    /// Returns the error for a start that cannot be used, with the command or the option that selects another start.
    private func unusableStart(
        _ fault: TokenFault, _ position: ReadPosition?, floor: TransactionNumber?
    ) -> CommandError {
        let refusal = delivery.eachCommand == nil ? "" : ", and --exec-each does not deliver every quake again"
        let reason = fault.words + refusal
        guard let saved = position?.saved else {
            let place =
                start.sinceToken != nil
                ? "from this token" : start.since != nil ? "at this time" : "after this transaction"
            let oldest = floor.map { "--since-transaction \($0)" } ?? "--since-token beginning"
            return CommandError(
                "Cannot start \(place): \(reason).",
                "To start with the oldest change that is left, use \(oldest); to start with the next change, use "
                    + "--since-token now.", .unusableToken)
        }
        let command = SuggestedCommand(path: global.databasePath).line("changes") + " \(saved.option) --ack"
        let remedy =
            fault == .expired
            ? "To skip the purged changes and continue with those left, run `\(command) beginning`."
            : "To receive all recorded changes again, run `\(command) beginning`; to skip them, `\(command) now`."
        guard position?.startedAtBeginning == false else {
            return CommandError(
                "Cannot start at the beginning of the history: part of it has been purged\(refusal).", remedy,
                .unusableToken)
        }
        return CommandError("The \(saved.words) cannot be used: \(reason).", remedy, .unusableToken)
    }

    private func acknowledge(_ text: String, _ position: ReadPosition?, in context: QuakeContext) throws -> ExitStatus {
        try context.requireFilled()
        let lock = ReaderLock(position, cacheAt: context.cache.path)
        try lock.take()
        defer { lock.release() }
        // Here, `beginning` is the position before the first transaction that was not purged.
        let token =
            try text.lowercased() == "beginning"
            ? context.history.token(afterTransaction: context.history.floor().number)
            : TokenArgument.resolve(text, in: context)
        if let fault = try context.history.fault(of: token) { throw TokenArgument.unusable(fault) }
        try position?.save(ReadPosition.Receipt(token: token), in: context)
        return .success
    }
}
