import ArgumentParser
import QuakeFormats
import QuakeStore

struct HistoryCommand: DocumentCommand {
    static let configuration = described(
        "history", "List transactions, or show the changes of one.",
        """
        Lists transactions, newest first: when each was recorded, its changes, its source (such as a feed), when the \
        source was published, and its author (the command, such as quakes.refresh).

        EXAMPLES:
          quakes history --limit 10
          quakes history --since 24h
          quakes history 42
          quakes history --format json | jq '.[] | select(.deleted > 0).number'
        """)

    @Argument(
        help: ArgumentHelp("Show the changes of this transaction.", valueName: "number"),
        transform: TransactionNumber.parse)
    var number: TransactionNumber?

    @Option("-l --limit <count>", "Maximum number of transactions.", parsing: .unconditional) var limit: Int?

    @Option(
        "-s --since <time>", "Only transactions recorded at or after this time.", parsing: .unconditional,
        completion: .time, transform: HistoryCommand.commitTime)
    var since: TimeExpression?

    @OptionGroup var timeZone: TimeZoneOption

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Output format (default: text).") var chosenFormat: TableOptions.Format?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: TableOptions.Format { statedFormat ?? .text }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if number != nil, limit != nil || since != nil {
            throw ValidationError("--limit and --since cannot be combined with a transaction number.")
        }
        try requireFormatOfFile()
    }

    private static func commitTime(_ text: String) throws -> TimeExpression {
        guard !text.hasPrefix("published:") else {
            throw ValidationError(
                "--since selects transactions by the time they were recorded in this cache, so published:TIME cannot "
                    + "be used.")
        }
        return try TimeExpression.parse(text)
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .reading)
        let writer = environment.writer(forPeople: format == .text)
        let report = TransactionReport(
            writer: writer, json: JSONWriter(),
            style: OutputStyle(environment, global, context: context))
        try context.snapshot {
            if let number {
                guard let transaction = try context.history.transaction(number) else {
                    throw try context.missingTransaction(number)
                }
                try report.write(transaction, of: context, format)
            } else {
                let start = try since?.resolve(now: environment.now(), zone: timeZone.zone(in: environment))
                let last = try start.flatMap { try context.history.lastTransactionNumber(at: $0 - .milliseconds(1)) }
                let transactions = try context.history.newestTransactions(limit ?? .max, after: last ?? .zero)
                try report.write(transactions, of: context, format)
                if transactions.isEmpty, limit != 0 {
                    let words = start.map { "no transaction has been recorded since \($0.momentWords)" }
                    global.remark(words ?? "the history is empty", in: environment)
                }
            }
        }
        try writer.flush()
        return .success
    }
}

struct TransactionReport {
    let writer: ByteWriter
    let json: JSONWriter
    let style: OutputStyle

    /// A table of transactions with the numbers of their changes, and a heading for each day.
    private var table: TextTable<(transaction: HistoryTransaction, changes: String)> {
        TextTable(
            [
                TextColumn("RECORDED", 5) { "\($0.transaction.time.minuteWords.suffix(5))" },
                TextColumn("TRANSACTION", 6, isNumber: true) { "\($0.transaction.number)" },
                TextColumn("CHANGES", 32, minimumWidth: 20) { $0.changes },
                TextColumn("SOURCE", 16, priority: 2) { $0.transaction.purpose ?? "-" },
                TextColumn("PUBLISHED (UTC)", 16, priority: 1) {
                    $0.transaction.provenance?.generated?.minuteWords ?? "-"
                },
                TextColumn("AUTHOR", 16, priority: 0) { $0.transaction.author },
            ], writer, style)
    }

    func write(_ transactions: [HistoryTransaction], of context: QuakeContext, _ format: TableOptions.Format) throws {
        switch format {
        case .text:
            guard !transactions.isEmpty else { return }
            let table = table
            table.writeHeader()
            for transaction in transactions {
                let reasons = try context.history.reasonCounts(ofTransaction: transaction.number)
                table.write((transaction, reasons.words), under: "\(transaction.time.dayWords) UTC")
                try writer.flushIfFull()
            }
            table.writeOmission()
        case .json: try json.line(transactions.map(\.record), to: writer)
        case .csv:
            DelimitedRows(writer, columns: Self.columns, style).append(transactions.map(\.record))
        }
    }

    func write(_ transaction: HistoryTransaction, of context: QuakeContext, _ format: TableOptions.Format) throws {
        switch format {
        case .text:
            writeText(transaction)
            let table = ChangeTable([TextColumn("CHANGE", 8) { $0.cells[0] }], writer, style)
            table.writeHeader()
            try context.history.forEachChange(ofTransaction: transaction.number) { change in
                let words = ChangeWords(change, now: style.now, survivor: style.survivor(of: change))
                table.write((change, words, ["\(change.id)"]))
                try writer.flushIfFull()
            }
            table.writeOmission()
        case .json:
            try json.object {
                json.members(transaction.record)
                try json.array("changes") {
                    try context.history.forEachChange(ofTransaction: transaction.number) { change in
                        json.object { members(change) }
                        try json.flush(to: writer)
                    }
                }
            }
            try json.endLine(to: writer)
        case .csv:
            let renderer = ChangesFormat.csv.renderer(writer, style)
            var descriptor = HistoryDescriptor(start: .transaction(TransactionNumber(transaction.number.rawValue - 1)))
            descriptor.end = transaction.token
            try context.history.fetch(descriptor, resyncs: false) { event in try renderer.write(event) }
            try renderer.finish()
        }
    }

    private func writeText(_ transaction: HistoryTransaction) {
        let provenance = transaction.provenance
        let lines: [(String, String?)] = [
            ("transaction", "\(transaction.number)"), ("recorded", transaction.time.momentWords),
            ("published", provenance?.generated?.momentWords), ("author", transaction.author),
            ("source", transaction.purpose), ("process", "\(transaction.processID) on \(transaction.host)"),
            ("program", transaction.program), ("token", transaction.token.description),
            ("url", provenance?.url == transaction.purpose ? nil : provenance?.url),
            ("etag", provenance?.etag),
            ("quakes read", provenance?.featureCount.map(\.grouped)),
        ]
        let wrapped = WrappedLines(writer, columns: style.terminalColumns)
        for case (let name, let value?) in lines { wrapped.append(label: name.padding(to: 13), value) }
        writer.append("changes\n")
    }

    private static let columns = [
        "number", "time", "author", "context", "pid", "host", "program", "store", "token", "url", "published", "etag",
        "features", "inserted", "updated", "deleted",
    ]

    private func members(_ change: HistoryChange) {
        json.members([
            "change_id": change.id, "op": change.operation.rawValue, "reason": change.reason.rawValue,
            "quake": change.quakeKey, "id": (change.after ?? change.before)?.id,
        ])
        json.members(change.states)
    }
}

extension [ChangeReason: Int] {
    /// The number of changes by reason, with the names that `changes` uses: `3 new, 205 revised, 1 retracted`.
    fileprivate var words: String {
        let counts = ChangeReason.allCases.compactMap { reason in
            self[reason].map { "\($0.grouped) \(reason.rawValue)" }
        }
        return counts.isEmpty ? "none" : counts.joined(separator: ", ")
    }
}
