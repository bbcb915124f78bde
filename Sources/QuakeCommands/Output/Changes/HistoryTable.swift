package import QuakeModel

/// Writes transactions as lines for people, under a heading for each day as `changes` does: time, number, what changed,
/// from which feed, when that was published, and by whom.
///
/// On a terminal the feed shrinks first; then the rightmost columns are left out. Elsewhere nothing is cut.
package final class HistoryTable {
    private static let titles = ["UTC", "NUMBER", "CHANGES", "FEED", "PUBLISHED", "AUTHOR"]
    private static let columns = [
        ColumnFit.Column(width: 5, leastWidth: 5, rank: 9), ColumnFit.Column(width: 6, leastWidth: 6, rank: 9),
        ColumnFit.Column(width: 32, leastWidth: 20, rank: 2), ColumnFit.Column(width: 20, leastWidth: 10, rank: 1),
        ColumnFit.Column(width: 16, leastWidth: 16, rank: 9), ColumnFit.Column(width: 16, leastWidth: 16, rank: 9),
    ]

    private let writer: ByteWriter
    private let usesColor: Bool
    private let fit: ColumnFit
    private let facesTerminal: Bool
    private var day = ""

    package init(_ writer: ByteWriter, style: OutputStyle) {
        self.writer = writer
        usesColor = style.usesColor
        facesTerminal = style.facesTerminal
        fit = ColumnFit(Self.columns, room: style.terminalColumns)
    }

    /// The columns for which there is no room on the terminal.
    package var omitted: [String] { fit.omitted.map { Self.titles[$0].lowercased() } }

    package func writeHeader() { writeLine(Self.titles, color: usesColor ? TableColor.header : nil) }

    /// `reasons`: how many of its changes have each reason.
    package func write(_ transaction: HistoryTransaction, _ reasons: [ChangeReason: Int]) throws(OutputError) {
        let parts = transaction.time.minuteWords.split(separator: " ")
        if day != parts[0] {
            day = String(parts[0])
            writer.append(in: usesColor ? TableColor.header : nil) { writer.append(day) }
            writer.append("\n")
        }
        writeLine([
            String(parts[1]), "\(transaction.number)", reasons.words, transaction.context ?? "-",
            transaction.provenance?.generated?.minuteWords ?? "-", transaction.author,
        ])
        try writer.flushIfFull()
    }

    private func writeLine(_ cells: [String], color: StaticString? = nil) {
        writer.append(in: color) { writer.append(fit.line(cells, isCut: facesTerminal, numbers: [1])) }
        writer.append("\n")
    }
}

extension [ChangeReason: Int] {
    /// The counts in the words of `changes`: `3 new, 205 revised, 1 retracted`.
    fileprivate var words: String {
        let counts = ChangeReason.allCases.compactMap { reason in
            self[reason].map { "\($0.grouped) \(reason.rawValue)" }
        }
        return counts.isEmpty ? "none" : counts.joined(separator: ", ")
    }
}
