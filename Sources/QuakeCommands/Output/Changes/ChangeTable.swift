import QuakeFormats
import QuakeModel

/// A table of changes with what happened, the magnitude, the place, the most important differences, and the id. Color
/// shows the importance of a change.
final class ChangeTable {
    /// A change (nil in a resync), its description, and the cells of additional columns.
    typealias Row = (change: HistoryChange?, words: ChangeWords, cells: [String])

    private let table: TextTable<Row>
    private let lines: WrappedLines
    private let style: OutputStyle

    /// Creates a table with the additional columns `first` at the start, `others` after the magnitude, and `last` at
    /// the end. With `isOneQuake`, omits places and ids.
    init(
        _ first: [TextColumn<Row>], others: [TextColumn<Row>] = [], last: [TextColumn<Row>] = [],
        isOneQuake: Bool = false, _ writer: ByteWriter, _ style: OutputStyle
    ) {
        let event: [TextColumn<Row>] = [
            TextColumn("WHAT", 9, color: { Self.colors[$0.words.word] }) { $0.words.word },
            TextColumn("MAGNITUDE", 11, color: { $0.words.magnitudeValue.flatMap(TableColor.color) }) {
                $0.words.magnitude
            },
        ]
        let place = TextColumn<Row>("PLACE", 38, minimumWidth: 22) { $0.words.place }
        let differences = TextColumn<Row>("DETAILS", 28, minimumWidth: 20, priority: 1) { $0.words.details }
        let id = TextColumn<Row>("ID", 13, priority: 0) { $0.words.id }
        table = TextTable(
            first + event + others + (isOneQuake ? [differences] : [place, differences, id]) + last, writer, style)
        lines = WrappedLines(writer, columns: style.terminalColumns)
        self.style = style
    }

    func writeHeader() { table.writeHeader() }

    /// Writes a row, after `heading` unless that is already the current heading. With `--verbose`, also lists every
    /// value that an update changed.
    func write(_ row: Row, under heading: String? = nil) {
        table.write(row, color: row.words.isMinor ? "2" : nil, under: heading)
        guard style.listsEverything, case .update(let before, let after, let changed) = row.change?.effect else {
            return
        }
        for property in changed {
            let sides = sides(of: property, before, after)
            lines.append(label: "       " + property.rawValue.padding(to: 10), sides.joined(separator: " → "))
        }
    }

    /// Returns both values of a property, unrounded if they would look the same.
    private func sides(of property: QuakeProperty, _ before: Quake, _ after: Quake) -> [String] {
        let values = [before[property], after[property]]
        // Rounding a magnitude for people would hide a small revision.
        if property == .mag { return values.map { $0.words(of: property) } }
        let words = values.map { $0.spokenWords(of: property, now: nil, display: style.display) }
        guard words[0] == words[1] else { return words }
        let placeholders = PlaceholderWords(style)
        return zip(values, values.reversed()).map { value, other in
            placeholders.text(.field(.property(property)), value, as: .words, toCompareWith: other)
        }
    }

    var omission: String? { table.omission }

    func writeOmission() { table.writeOmission() }

    private static let colors = [
        "new": "32", "late": "32", "restored": "32", "split": "32", "entered": "32", "deleted": "31", "retracted": "31",
        "merged": "31", "purged": "31", "left": "31",
    ]
}
