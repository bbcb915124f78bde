import ArgumentParser
import QuakeFormats
import QuakeMap
import QuakeStore

struct ShowCommand: DocumentCommand {
    static let configuration = described(
        "show", "Show a quake, its revisions and its solutions.",
        """
        Accepts any current or former id, in upper or lower case.

        EXAMPLES:
          quakes show us7000abcd
          quakes show us7000abcd --format json
          quakes show us7000abcd ci40000001
          quakes show us7000abcd --at 2021-07-20
          quakes show us7000abcd --versions
          quakes show us7000abcd us7000abce --versions -o solutions.csv
        """)

    @Argument(help: ArgumentHelp("A current or former id.", valueName: "id"))
    var ids: [String]

    @OptionGroup var past: PastOption

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Output format (default: text).") var chosenFormat: ShowFormat?

    @Flag(
        "--versions",
        "Show every version of every origin and mechanism or, in JSON, NDJSON and CSV, of every solution.")
    var showsVersions = false

    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Home") var home: HomeOption
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: ShowFormat { statedFormat ?? .text }

    func validate() throws {
        try requireFormatOfFile()
        if showsVersions, format == .quakeml {
            throw ValidationError("--versions cannot be combined with QuakeML, which always includes all solutions.")
        }
        let isOneDocument = showsVersions || chosenFormat != nil && chosenFormat != .json
        if ids.count > 1, !isOneDocument, output.path?.lowercased().hasSuffix(".json") == true {
            throw ValidationError("Each quake is a JSON document of its own, so several need the extension .ndjson.")
        }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let display = try display.style(in: environment, sites: try home.sites(in: environment, global))
        let context = try filledContext(in: environment)
        try past.pin(context, in: environment, zone: display.timeZone)
        let writer = environment.writer(forPeople: format == .text)
        let style = OutputStyle(environment, global, display: display, context: context)
        let listsSolutions = showsVersions && format != .text
        var solutions: [Record] = []
        let fields = FieldList(fields: nil).fieldsForPrograms(display)
        let rows = format == .csv && !listsSolutions ? DelimitedRows(writer, columns: fields.map(\.name), style) : nil
        let document = format == .quakeml ? QuakeMLRenderer(into: writer.pending) : nil
        document?.begin()
        var missing: CommandError?
        for (index, id) in try context.distinctIDs(ids).enumerated() {
            guard let details = try context.snapshot({ try QuakeDetails(id: id, in: context) }) else {
                missing?.print(on: environment.standardError)
                missing = try context.unknownQuake(id)
                continue
            }
            let hasHistory = rows == nil && document == nil
            try remark(on: details, id, in: context, hasHistory: hasHistory, listsSolutions, environment)
            if listsSolutions {
                if let quake = details.quake, let history = details.solutions {
                    solutions += SolutionRecords.records(history, of: quake)
                }
                continue
            }
            switch format {
            case .text:
                if index > 0 { writer.append("\n") }
                details.writeText(writer, style, versions: showsVersions)
                writeMap(of: details.quake, writer, environment)
            case .json, .ndjson:
                let json = JSONWriter()
                details.write(json, display)
                try json.endLine(to: writer)
            case .csv: if let quake = details.quake { rows?.append(fields, of: quake, display) }
            case .quakeml:
                if let quake = details.quake {
                    document?.write(quake, details.solutions, exists: !details.isDeleted)
                }
            }
        }
        if listsSolutions { try write(solutions, writer, style) }
        document?.end()
        try writer.flush()
        if let missing { throw missing }
        let moment = past.point?.moment(now: environment.now(), zone: display.timeZone)
        try global.remarkMissing(in: QuakeFilter(), of: context, at: moment, zone: display.timeZone, environment)
        return .success
    }

    /// Reports on standard error what the output about the quake `id` does not show.
    private func remark(
        on details: QuakeDetails, _ id: String, in context: QuakeContext, hasHistory: Bool, _ listsSolutions: Bool,
        _ environment: CommandEnvironment
    ) throws {
        let id = TerminalText.sanitized(id)
        if showsVersions, details.solutions == nil, listsSolutions || !details.isDeleted {
            let requests = try context.detailRequests(ofKeys: [details.key])
            let words =
                requests.contains { !$0.isDue && !$0.hasSolutions }
                ? "The event service had no solutions for \(id). Ask it again with `quakes details --again \(id)`."
                : "The cache has no solutions for \(id). Fetch them with `quakes details \(id)`."
            global.remark(words, in: environment)
        }
        if details.isDeleted, !hasHistory {
            global.remark("\(id) is deleted; these are its last values.", in: environment)
        }
    }

    private func write(_ solutions: [Record], _ writer: ByteWriter, _ style: OutputStyle) throws {
        let json = JSONWriter()
        switch format {
        case .csv: DelimitedRows(writer, columns: SolutionRecords.columns, style).append(solutions)
        case .json: try json.line(solutions, to: writer)
        default: for record in solutions { try json.line(record, to: writer) }
        }
    }

    /// Writes a small map around the quake if the output is a terminal with at least 40 columns.
    private func writeMap(of quake: Quake?, _ writer: ByteWriter, _ environment: CommandEnvironment) {
        let stream = environment.standardOutput
        guard let quake, stream.isTerminal, stream.terminalColumns >= 40 else { return }
        let map = TerminalMap(
            columns: min(stream.terminalColumns, 80), rows: 14,
            usesColor: global.allowsColor(on: stream, in: environment), usesUnicode: stream.usesUnicode)
        for line in map.bareLines(MapContent(surroundingsOf: quake)) { writer.append(line + "\n") }
    }
}

enum ShowFormat: String, WordArgument {
    case text, json, ndjson, csv, quakeml
}

/// One quake with its ids and history, as `quakes show` prints it.
struct QuakeDetails {
    let key: QuakeKey
    /// The current values, or the last values of a deleted quake; nil if the history of a deleted quake was purged.
    let quake: Quake?
    let isDeleted: Bool
    let aliases: [String]
    let changes: [(change: HistoryChange, transaction: HistoryTransaction)]
    /// The quake's solutions; nil if they were not fetched or were deleted with the quake.
    let solutions: SolutionHistory?
    let unconfirmedChanges: [UnconfirmedChange]
    /// The publication time of the snapshot with which the quake appeared, if the state shown is older; otherwise nil.
    let firstPublication: Timestamp?

    /// Reads the quake with the current or former id `id`; nil if there is none.
    init?(id: String, in context: QuakeContext) throws {
        guard let key = try context.key(ofID: id) else { return nil }
        self.key = key
        aliases = try context.aliases(ofKey: key)
        changes = try context.history.changes(ofKey: key).compactMap { change in
            try context.history.transaction(change.transaction).map { (change, $0) }
        }
        let current = try context.quake(key: key)?.quake
        isDeleted = current == nil
        quake = current ?? changes.last?.change.before
        solutions = try context.solutions(ofKey: key)
        unconfirmedChanges =
            context.isPast ? [] : try context.sources.unconfirmedChanges().filter { $0.quakeKey == key }
        firstPublication = changes.isEmpty ? try context.history.firstPublication(ofKey: key) : nil
    }

    func writeText(_ writer: ByteWriter, _ style: OutputStyle, versions: Bool) {
        let lines = WrappedLines(writer, columns: style.terminalColumns)
        func line(_ name: String, _ text: String?) { if let text { lines.append(label: name.padding(to: 14), text) } }
        if let quake {
            let words = QuakeWords(quake, style)
            line("event", words.typeAndID + (isDeleted ? ", deleted" : ""))
            line("magnitude", words.strength)
            line("location", words.place)
            for change in unconfirmedChanges {
                let since = "since \(style.display.timeZone.minuteAndZone(change.first))"
                if let name = change.place { line("also called", "\"\(name)\" \(since) (unconfirmed)") }
                if change.kind == .absent { line("missing", "from the feed \(since) (retraction unconfirmed)") }
            }
            line("nearest city", words.nearest)
            line("origin time", words.time)
            line("status", words.certainty)
            for (name, text) in words.effects { line(name, text) }
            writeAllValues(of: quake, line, style)
        } else {
            line("event", "quake \(key), deleted; its history was purged")
        }
        let others = aliases.filter { $0 != quake?.id }
        if !others.isEmpty { line(quake == nil ? "ids" : "other ids", others.joined(separator: ", ")) }
        if let solutions { SolutionTable(solutions, writer, style).write(versions: versions) }
        writer.append("history\n")
        if let first = firstPublication {
            let moment = style.display.timeZone.words(first)
            writer.append("  none: the quake's first state is from the copy of the feed published at \(moment)\n")
        } else if changes.isEmpty {
            writer.append("  purged\n")
        }
        if !changes.isEmpty { writeHistory(writer, style) }
    }

    private func writeAllValues(of quake: Quake, _ line: (String, String?) -> Void, _ style: OutputStyle) {
        let known = QuakeProperty.allCases.filter { quake[$0] != .null }
        line("fields", style.listsEverything ? "" : "\(known.count) (use -v to list them and their changes)")
        for property in known where style.listsEverything {
            let words = quake[property].spokenWords(of: property, now: style.now, display: style.display)
            line("  " + property.rawValue, words)
        }
    }

    private func writeHistory(_ writer: ByteWriter, _ style: OutputStyle) {
        let zone = style.display.timeZone
        let table = ChangeTable(
            [
                TextColumn("TRANSACTION", 6, priority: 2, isNumber: true) { $0.cells[0] },
                TextColumn("RECORDED (\(zone.title))", 16) { $0.cells[1] },
                TextColumn("PUBLISHED (\(zone.title))", 16, priority: 0) { $0.cells[2] },
            ], isOneQuake: true, writer, style)
        table.writeHeader()
        for (change, transaction) in changes {
            let words = ChangeWords(change, survivor: style.survivor(of: change), unit: style.display.unit)
            let published = transaction.provenance?.generated.map(zone.minuteWords) ?? "-"
            table.write((change, words, ["\(transaction.number)", zone.minuteWords(transaction.time), published]))
        }
        table.writeOmission()
    }

    /// Writes the quake as one JSON object. If the command line specifies a point or a time zone, adds computed fields.
    func write(_ json: JSONWriter, _ display: DisplayStyle) {
        json.object {
            json.members(["quake": key, "deleted": isDeleted, "known_as": aliases, "values": quake])
            json.array("history") {
                for (change, transaction) in changes {
                    json.object {
                        json.members([
                            "change_id": change.id, "transaction": transaction.number, "time": transaction.time,
                            "author": transaction.author, "context": transaction.purpose,
                            "published": transaction.provenance?.generated, "op": change.operation.rawValue,
                            "reason": change.reason.rawValue,
                        ])
                        json.members(change.states)
                    }
                }
            }
            json.members(of: solutions)
            json.members(display.computed, of: quake)
        }
    }
}
