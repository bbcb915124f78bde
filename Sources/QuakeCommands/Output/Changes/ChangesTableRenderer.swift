import QuakeModel

extension TokenFault {
    /// A sentence that explains why every quake follows instead of the changes since the start.
    var noticeOfResync: String {
        // After `--since-transaction`, only these two faults are possible, and there is no token.
        let cause =
            switch self {
            case .expired: "Some changes after the starting point have been purged"
            case .future:
                "The starting point is newer than this cache, which may be a restored backup or an older copy"
            case .missing, .foreign, .forked: "The token cannot be used: \(words)"
            }
        return "\(cause); every quake in the cache follows instead."
    }
}

/// Writes events as rows of a table for people, with a heading for each day.
final class ChangesTableRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private let style: OutputStyle
    private let table: ChangeTable
    private let lines: WrappedLines
    private var hasHeader = false
    private var isResync = false

    init(writer: ByteWriter, style: OutputStyle) {
        self.writer = writer
        self.style = style
        lines = WrappedLines(writer, columns: style.terminalColumns)
        let distance = TextColumn<ChangeTable.Row>("DISTANCE", 8, priority: 2, isNumber: true) { $0.cells[1] }
        let site = TextColumn<ChangeTable.Row>("SITE", 20, minimumWidth: 8, priority: 2) { $0.cells[2] }
        table = ChangeTable(
            [TextColumn("RECORDED", 5) { $0.cells[0] }],
            others: style.display.sites.isEmpty ? [] : [distance],
            last: style.display.sites.count > 1 ? [site] : [], writer, style)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            isResync = true
            lines.append(fault.noticeOfResync)
        case .resync(let resynced):
            let quake = resynced.stored.quake
            write(
                nil, ChangeWords(present: quake, now: style.now, zone: style.display.timeZone), of: quake, before: nil)
        case .change(let relevant):
            let change = relevant.change
            let words = ChangeWords(
                change, operation: relevant.operation, now: style.now, survivor: style.survivor(of: change),
                unit: style.display.unit, zone: style.display.timeZone)
            write(relevant, words, of: change.after, before: relevant.operation == .enter ? nil : change.before)
        case .end(let end):
            // A resync begins with a record that says to drop everything, which is not a quake.
            let counted = isResync ? (end.count - 1).counted("quake") : end.count.counted("change")
            let parts: [String?] = [
                counted + (isResync ? "" : style.startText.map { " \($0)" } ?? "")
                    + ", through transaction \(end.token.number)",
                end.hasMore ? "more remain" : nil, hasHeader ? table.omission : nil,
                style.tokenWriter != nil ? "token \(end.token)" : nil,
            ]
            lines.append(parts.compactMap(\.self).joined(separator: "; "))
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) { try writer.flush() }

    private func write(_ relevant: RelevantChange?, _ words: ChangeWords, of quake: Quake?, before: Quake?) {
        if !hasHeader { table.writeHeader() }
        hasHeader = true
        let zone = style.display.timeZone
        let epicenter = (quake ?? before)?.epicenter
        let site = epicenter.flatMap { style.display.sites.nearest(to: $0) }
        var words = words
        if let site { words.addIntensityDifference(of: quake, before: before, at: site.point) }
        let distance = epicenter.flatMap { site?.distance(to: $0) }.map(style.display.unit.distanceText) ?? ""
        let name = site?.name ?? ""
        guard let moment = relevant?.transaction.time else { return table.write((nil, words, ["", distance, name])) }
        let time = zone.minuteWords(moment)
        table.write(
            (relevant?.change, words, ["\(time.suffix(5))", distance, name]),
            under: "\(time.prefix(10)) \(zone.name)")
    }
}
