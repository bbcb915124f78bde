import ArgumentParser
import Glibc
import QuakeFormats
import QuakeStore

struct PurgeCommand: FilteringCommand {
    static let configuration = described(
        "purge", "Delete old quakes or old history.",
        """
        Selects quakes by age and by the filters of `quakes list`, and records each deletion in the history, so \
        that `quakes undo` can bring them back. With --history, deletes the history itself, up to an age, a time or \
        a token (a position in the history). Deleting history that a consumer (a named reader of the changes) has yet \
        to read is refused unless --force is given, or the consumer has not read anything for 30 days.

        A purged quake that is still in a feed returns with the next refresh, so purge only quakes older than the \
        feeds you use. Magnitude limits are inclusive: --max-mag 1 also deletes quakes of magnitude 1.0.

        EXAMPLES:
          quakes purge --older-than 365d --max-mag 3 --dry-run
          quakes purge --history --older-than 90d --compact
          quakes purge --history --read
        """)

    @Option(
        "--older-than <age>",
        "Delete quakes (by origin time) or history (by when it was recorded) older than this, such as 365d.",
        parsing: .unconditional, transform: TimeExpression.parseAge)
    var age: TimeExpression?

    @Option(
        "--before <time>", "Delete quakes or history before this time.", parsing: .unconditional, completion: .time,
        transform: TimeExpression.parse)
    var moment: TimeExpression?

    @OptionGroup var timeZone: TimeZoneOption

    @Option("--before-token <token>", "Delete history up to this token, including its transaction.", completion: .token)
    var token: String?

    @Flag("--history", "Delete history instead of quakes.") var purgesHistory = false
    @Flag("--all", "Delete all quakes, or all history.") var purgesAll = false
    @Flag("--read", "Delete history that every active consumer (one that read in the last 30 days) has read.")
    var purgesRead = false
    @Flag("--force", "Delete history even if a consumer has not read it.") var isForced = false

    @Flag(
        "--dry-run -n",
        "Show how much would be deleted, and list up to \(PurgePreview.limit) of the quakes; delete nothing.")
    var dryRun = false

    @Flag(
        "--yes",
        """
        Do not ask for confirmation. Without a terminal, there is no prompt, but deleting more than half of the quakes \
        requires --yes.
        """)
    var agrees = false
    @Flag("--compact", "Shrink the file when done.") var compacts = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Origin time") var origin: OriginTimeOptions
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    /// The number of options on the command line that say how much to delete.
    private var boundCount: Int { [age != nil, moment != nil, token != nil, purgesAll, purgesRead].count { $0 } }

    func validate() throws {
        try filters.requireUseOfCenter()
        try filters.requireUseOfHome()
        if boundCount > 1 {
            throw ValidationError("--older-than, --before, --before-token, --read and --all cannot be combined.")
        }
        if origin.until != nil, age != nil || moment != nil {
            throw ValidationError("--until cannot be combined with --older-than or --before.")
        }
        if purgesHistory, filters.isSet || origin.isSet {
            throw ValidationError("--history cannot be combined with filters.")
        }
        if !purgesHistory, token != nil || isForced || purgesRead {
            throw ValidationError("--before-token, --read and --force need --history.")
        }
        for case .age(_, hasBareMinutes: true)? in [age, moment, origin.since, origin.until] {
            throw ValidationError("In a purge, m may mean minutes or months. Write min or mo, such as 6mo.")
        }
    }

    /// Throws if the options select nothing to purge. Called after ArgumentParser has rejected unknown arguments.
    private func requireChoice() throws {
        guard boundCount == 0, purgesHistory || !filters.isSet && !origin.isSet && !compacts else { return }
        throw ValidationError(
            purgesHistory
                ? "Specify which history to delete: --older-than, --before, --before-token, --read or --all."
                : "Specify which quakes to delete: --older-than, --before, a filter, or --all.")
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        try requireChoice()
        let filter = try quakeFilter(environment)
        let context = try context(
            in: environment, .writing, author: recorded.author(in: environment, standard: "quakes.purge"))
        global.remark(try filters.checkValues(in: context), in: environment)
        if asks(environment) {
            let preview = try purge(filter, context, environment, dryRun: true)
            if preview.deletesSomething, !ConfirmationPrompt.isConfirmed(preview.question) {
                environment.standardError.writeLine("quakes: Nothing was deleted.")
                return .success
            }
        } else if !agrees, !dryRun, !purgesHistory {
            try requireMinority(of: filter, context)
        }
        let result = try purge(filter, context, environment, dryRun: dryRun)
        let compacting = compacts && !dryRun ? try compact(context) : nil
        let token = try context.history.currentToken()
        let reporter = Reporter(environment, global, reporting.format)
        if dryRun, !purgesHistory, reporting.format == .text, !global.isQuiet {
            try PurgePreview(filter: filter, count: result.quakes ?? 0)
                .write(from: context, OutputStyle(environment, global), environment)
        }
        let hasCompacted = compacts && !dryRun && compacting == nil
        reporter.report(result.line + (hasCompacted ? "; compacted the file" : ""), result.record(token: token))
        if let compacting {
            throw CommandError(
                "The purge succeeded, but the file could not be compacted. \(compacting.what)",
                "Retry with `quakes purge --compact`, which needs as much free space as the cache occupies.",
                CommandError(compacting).status)
        }
        try reporter.finish()
        if result.transaction != nil, environment.standardOutput.isTerminal {
            global.remark("`quakes undo` brings the quakes back.", in: environment)
        }
        return .success
    }

    /// Compacts the file. Returns an error instead of throwing it, because the purge is already committed and must be
    /// reported first.
    private func compact(_ context: QuakeContext) throws -> StoreError? {
        do {
            try context.maintenance.compact()
            return nil
        } catch let error as StoreError { return error }
    }

    private func asks(_ environment: CommandEnvironment) -> Bool {
        !agrees && !dryRun && environment.standardOutput.isTerminal && isatty(STDIN_FILENO) == 1
    }

    /// Throws if the purge would delete more than half of the quakes. Called if there is no terminal on which to ask.
    private func requireMinority(of filter: QuakeFilter, _ context: QuakeContext) throws {
        let count = try purgeQuakes(filter, context, dryRun: true).quakes ?? 0
        let all = try context.fetchCount()
        guard count > all / 2 else { return }
        throw ValidationError(
            "This would delete \(count.grouped) of \(all.counted("quake")). Without a terminal, deleting more than "
                + "half of them needs --yes; --dry-run lists up to \(PurgePreview.limit) of them.")
    }

    private func purge(
        _ filter: QuakeFilter, _ context: QuakeContext, _ environment: CommandEnvironment, dryRun: Bool
    ) throws -> PurgeResult {
        try purgesHistory
            ? purgeHistory(context, environment, dryRun: dryRun) : purgeQuakes(filter, context, dryRun: dryRun)
    }

    private func purgeQuakes(_ filter: QuakeFilter, _ context: QuakeContext, dryRun: Bool) throws -> PurgeResult {
        guard filter != QuakeFilter() || purgesAll else { return PurgeResult(dryRun: dryRun) }
        let purge = try context.maintenance.purge(filter, purpose: "purge", dryRun: dryRun)
        return PurgeResult(quakes: purge.count, transaction: purge.transaction?.number, dryRun: dryRun)
    }

    private func quakeFilter(_ environment: CommandEnvironment) throws -> QuakeFilter {
        var filter = try filters.filter(in: environment, global)
        var bounds = origin
        bounds.until = bounds.until ?? age ?? moment
        try bounds.restrict(&filter, now: environment.now(), zone: timeZone.zone(in: environment))
        return filter
    }

    private func purgeHistory(
        _ context: QuakeContext, _ environment: CommandEnvironment, dryRun: Bool
    ) throws -> PurgeResult {
        let purge =
            try purgesRead
            ? context.history.trim(readByAll: .active, dryRun: dryRun)
            : context.history.trim(
                through: try lastTransaction(in: context, environment), force: isForced, dryRun: dryRun)
        return PurgeResult(
            transactions: purge.transactions, changes: purge.changes, floor: purge.trimmedThrough, dryRun: dryRun)
    }

    private func lastTransaction(
        in context: QuakeContext, _ environment: CommandEnvironment
    ) throws -> TransactionNumber {
        if let token {
            let point = try TokenArgument.resolve(token, in: context)
            if let fault = try context.history.fault(of: point) { throw TokenArgument.unusable(fault) }
            return point.number
        }
        guard let end = age ?? moment else { return try context.history.currentToken().number }
        let cutoff = end.resolve(now: environment.now(), zone: try timeZone.zone(in: environment))
        return try context.history.lastTransactionNumber(at: cutoff) ?? context.history.floor().number
    }
}

private struct PurgeResult {
    var quakes: Int?
    var transaction: TransactionNumber?
    var transactions: Int?
    var changes: Int?
    var floor: TransactionNumber?
    var dryRun: Bool

    var deletesSomething: Bool { (quakes ?? 0) + (transactions ?? 0) > 0 }

    var question: String {
        if let transactions {
            return "Delete \(transactions.counted("transaction")) from the history? This cannot be undone."
        }
        return "Delete \((quakes ?? 0).counted("quake"))?"
    }

    var line: String {
        let verb = dryRun ? "would delete" : "deleted"
        if let quakes, quakes > 0 { return "\(verb) \(quakes.counted("quake"))" }
        if let transactions, transactions > 0, let changes, let floor {
            return "\(verb) \(transactions.counted("transaction")) with \(changes.counted("change")); "
                + "history \(dryRun ? "would then start" : "now starts") after transaction \(floor)"
        }
        return "nothing to delete"
    }

    func record(token: HistoryToken) -> Record {
        [
            "dry_run": dryRun, "quakes": quakes, "transaction": transaction, "transactions": transactions,
            "changes": changes, "purged_through": floor, "token": token.description,
        ]
    }
}

/// The quakes that a purge would delete, newest first, as `quakes list` shows them.
private struct PurgePreview {
    static let limit = 20

    let filter: QuakeFilter
    /// The number of quakes to delete.
    let count: Int

    /// Writes the first quakes and the number of further quakes; nothing if there are none.
    func write(from context: QuakeContext, _ style: OutputStyle, _ environment: CommandEnvironment) throws {
        guard count > 0 else { return }
        let writer = environment.standardOutput.writerForPeople
        let renderer = OutputFormat.table.renderer(of: nil, writer, style)
        let reader = FieldReader(renderer.fields, style.display)
        renderer.begin()
        let descriptor = QuakeDescriptor(filter: filter, sortBy: [QuakeSortKey(.time)], limit: Self.limit)
        try context.forEachRow(descriptor, fields: reader.properties) { renderer.writeRow($0.field(at:)) }
        if count > Self.limit { writer.append("… and \((count - Self.limit).grouped) more\n") }
        renderer.end()
        try writer.flush()
    }
}
