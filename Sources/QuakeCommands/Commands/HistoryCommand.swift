import ArgumentParser
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes history`: lists the transactions of the history, or shows one with its changes.
struct HistoryCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the transactions of the history, or show one with its changes.",
        discussion: """
            The newest transaction comes first. Each one shows when the cache learned it and when its document was \
            published, who made it, from which document, and what it changed.

            EXAMPLES:
              quakes history --limit 10
              quakes history 42
              quakes history --format json | jq '.[0].sha256'
            """)

    @Argument(
        help: ArgumentHelp("Show this transaction with its changes.", valueName: "number"), completion: .transaction)
    var number: Int64?

    @Option(
        name: [.customShort("l"), .customLong("limit")], parsing: .unconditional,
        help: ArgumentHelp("Show at most this many transactions.", valueName: "count"))
    var limit: Int?

    @OptionGroup var reporting: ReportOptions

    @Flag(name: .customLong("epoch"), help: "Write times as epoch milliseconds instead of ISO 8601 (JSON only).")
    var usesEpochTime = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if number != nil, limit != nil { throw ValidationError("--limit cannot be combined with a transaction.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .reading)
        let pager = global.pager(in: environment, forPeople: reporting.format == .text)
        let writer = pager.writer()
        let report = TransactionReport(
            writer: writer, json: JSONWriter(writer, usesEpochTime: usesEpochTime),
            style: OutputStyle(environment, global, usesEpochTime: usesEpochTime))
        try context.snapshot {
            if let number {
                guard let transaction = try context.historyTransaction(number) else {
                    throw StoreError.noTransaction(number)
                }
                try report.write(transaction, of: context, reporting.format)
            } else {
                try report.write(try context.newestTransactions(limit ?? .max), reporting.format)
            }
        }
        try writer.flush()
        try pager.finish()
        if number == nil, reporting.format == .text { global.say(omitted: report.omitted, in: environment) }
        return .success
    }
}

extension HistoryTransaction {
    /// When its document was published: `published 2021-07-22T20:39:44.000Z`.
    var publishedWords: String { "published \(provenance?.generated?.iso8601 ?? "-")" }
}

/// Writes transactions of the history, as text or as JSON.
struct TransactionReport {
    let writer: ByteWriter
    let json: JSONWriter
    let style: OutputStyle

    private var layout: ChangeLayout {
        ChangeLayout(timeWidth: 8, placeWidth: 38, terminalColumns: style.terminalColumns)
    }

    /// The columns of the list for which there is no room on the terminal.
    var omitted: [String] { HistoryTable(writer, style: style).omitted }

    /// Writes a line or an array element for each of `transactions`.
    func write(_ transactions: [HistoryTransaction], _ format: ReportFormat) throws(OutputError) {
        switch format {
        case .text:
            let table = HistoryTable(writer, style: style)
            if !transactions.isEmpty { table.writeHeader() }
            for transaction in transactions { try table.write(transaction) }
        case .json:
            json.array {
                for transaction in transactions { json.object { members(transaction) } }
            }
            try json.endLine()
        }
    }

    /// Writes one transaction with its changes.
    func write(_ transaction: HistoryTransaction, of context: QuakeContext, _ format: ReportFormat) throws {
        switch format {
        case .text:
            writeText(transaction)
            try context.forEachChange(ofTransaction: transaction.number) { change in
                layout.append(
                    ChangeWords(change, now: style.now, survivor: try survivor(of: change, in: context)),
                    time: "\(change.id)",
                    to: writer, usesColor: style.usesColor)
                if style.listsEverything { layout.appendValues(of: change, to: writer) }
                try writer.flushIfFull()
            }
            if !layout.omitted.isEmpty {
                WrappedLines(writer, columns: style.terminalColumns).append(layout.omissionWords)
            }
        case .json:
            try json.object {
                members(transaction)
                try json.array("changes") {
                    try context.forEachChange(ofTransaction: transaction.number) { change in
                        json.object { members(change) }
                        try writer.flushIfFull()
                    }
                }
            }
            try json.endLine()
        }
    }

    private func survivor(of change: HistoryChange, in context: QuakeContext) throws -> String? {
        guard case .delete(_, let key?) = change.effect else { return nil }
        return try context.quake(forKey: key)?.quake.id
    }

    private func writeText(_ transaction: HistoryTransaction) {
        let provenance = transaction.provenance
        let lines: [(String, String?)] = [
            ("number", "\(transaction.number)"), ("learned", transaction.time.iso8601),
            ("published", provenance?.generated?.iso8601), ("author", transaction.author),
            ("context", transaction.context), ("process", "\(transaction.processID) on \(transaction.host)"),
            ("program", transaction.program), ("token", transaction.token.description), ("url", provenance?.url),
            ("etag", provenance?.etag), ("sha256", provenance?.sha256),
            ("features", provenance?.featureCount.map { "\($0)" }),
        ]
        let wrapped = WrappedLines(writer, columns: style.terminalColumns)
        for case (let name, let value?) in lines { wrapped.append(label: name.padding(to: 10), value) }
        writer.append("changes\n\(layout.header(time: "CHANGE"))\n")
    }

    private func members(_ transaction: HistoryTransaction) {
        let provenance = transaction.provenance
        json.member("number", transaction.number)
        json.member("time", transaction.time)
        json.member("author", transaction.author)
        json.member("context", transaction.context)
        json.member("pid", transaction.processID)
        json.member("host", transaction.host)
        json.member("program", transaction.program)
        json.member("store", transaction.storeID)
        json.member("token", transaction.token.description)
        json.member("url", provenance?.url)
        json.member("generated", provenance?.generated)
        json.member("etag", provenance?.etag)
        json.member("sha256", provenance?.sha256)
        json.member("features", provenance?.featureCount)
        json.member("inserted", transaction.counts.inserted)
        json.member("updated", transaction.counts.updated)
        json.member("deleted", transaction.counts.deleted)
    }

    private func members(_ change: HistoryChange) {
        json.member("change_id", change.id)
        json.member("op", change.kind.rawValue)
        json.member("reason", change.reason.rawValue)
        json.member("quake", change.quakeKey)
        json.member("id", (change.after ?? change.before)?.id)
        json.effect(of: change)
    }
}
