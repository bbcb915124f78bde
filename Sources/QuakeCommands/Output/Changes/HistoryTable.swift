package import QuakeModel

/// Writes transactions as lines for people, under a heading for each day as `changes` does: time, number, what changed,
/// from which feed, when that was published, and by whom.
package struct HistoryTable {
    /// A transaction, and how many of its changes have each reason.
    package typealias Row = (transaction: HistoryTransaction, reasons: [ChangeReason: Int])

    private let table: TextTable<Row>

    package init(_ writer: ByteWriter, _ style: OutputStyle) {
        table = TextTable(
            [
                TextColumn("UTC", 5) { String($0.transaction.time.minuteWords.suffix(5)) },
                TextColumn("NUMBER", 6, isNumber: true) { "\($0.transaction.number)" },
                TextColumn("CHANGES", 32, least: 20) { $0.reasons.words },
                TextColumn("FEED", 16, rank: 2) { $0.transaction.context ?? "-" },
                TextColumn("PUBLISHED", 16, rank: 1) { $0.transaction.provenance?.generated?.minuteWords ?? "-" },
                TextColumn("AUTHOR", 16, rank: 0) { $0.transaction.author },
            ], writer, style)
    }

    package func writeHeader() { table.writeHeader() }

    package func write(_ row: Row) { table.write(row, under: row.transaction.time.dayWords) }

    package func writeOmission() { table.writeOmission() }
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
