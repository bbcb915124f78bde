import QuakeModel

/// Writes events as lines for people, with a heading for each day.
final class ChangesTableRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private let style: OutputStyle
    private let table: ChangeTable
    private let lines: WrappedLines
    private var hasHeader = false
    private var isResync = false

    init(writer: ByteWriter, style: OutputStyle) {
        (self.writer, self.style) = (writer, style)
        lines = WrappedLines(writer, columns: style.terminalColumns)
        let distance = TextColumn<ChangeTable.Row>("DISTANCE", 8, rank: 2, isNumber: true) { $0.cells[1] }
        table = ChangeTable(
            [TextColumn("LEARNED", 5) { $0.cells[0] }],
            others: style.display.reference == nil ? [] : [distance], writer, style)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            isResync = true
            lines.append("The starting point cannot be used: \(fault.words). All quakes in the cache follow.")
        case .resync(let resynced):
            let quake = resynced.stored.quake
            write(nil, ChangeWords(present: quake, now: style.now, zone: style.display.time), of: quake, before: nil)
        case .change(let relevant):
            let change = relevant.change
            let words = ChangeWords(
                change, operation: relevant.operation, now: style.now, survivor: style.survivor(of: change),
                unit: style.display.unit, zone: style.display.time)
            write(relevant, words, of: change.after, before: relevant.operation == .enter ? nil : change.before)
        case .end(let end):
            // A resync starts with a record to drop everything, which is not counted.
            let counted = isResync ? (end.count - 1).counted("quake") : end.count.counted("change")
            let parts: [String?] = [
                counted + (isResync ? "" : style.start.map { " \($0)" } ?? "")
                    + ", through transaction \(end.token.number)",
                end.hasMore ? "more remain" : nil, hasHeader ? table.omission : nil,
                style.tokenAside != nil ? "token \(end.token)" : nil,
            ]
            lines.append(parts.compactMap(\.self).joined(separator: "; "))
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) { try writer.flush() }

    private func write(_ relevant: RelevantChange?, _ words: ChangeWords, of quake: Quake?, before: Quake?) {
        if !hasHeader { table.writeHeader() }
        hasHeader = true
        let (reference, zone) = (style.display.reference, style.display.time)
        var words = words
        if let reference { words.tellShaking(of: quake, before: before, at: reference.point) }
        let distance =
            (quake ?? before).flatMap { reference?.distance(to: $0.epicenter) }
            .map(style.display.unit.distance) ?? ""
        guard let moment = relevant?.transaction.time else { return table.write((nil, words, ["", distance])) }
        let time = zone.minuteWords(moment)
        table.write(
            (relevant?.change, words, ["\(time.suffix(5))", distance]),
            under: "\(time.prefix(10))\(zone.isUTC ? "" : " \(zone.name)")")
    }
}
