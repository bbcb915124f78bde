package import QuakeModel

/// A change as a line of a table tells it.
package struct ChangeLine {
    let change: HistoryChange?
    let words: ChangeWords
    /// What else the columns before the words show.
    package let number: String
    package let time: String
    package let published: String
    let distance: String

    package init(
        _ change: HistoryChange?, _ words: ChangeWords, number: String = "", time: String = "",
        published: String = "", distance: String = ""
    ) {
        (self.change, self.words, self.number) = (change, words, number)
        (self.time, self.published, self.distance) = (time, published, distance)
    }
}

/// A table of changes: what happened, magnitude, place, the most telling differences, id. Color tells how much a change
/// matters.
package final class ChangeTable {
    package typealias Column = TextColumn<ChangeLine>

    private let table: TextTable<ChangeLine>
    private let lines: WrappedLines
    private let style: OutputStyle

    /// A table that begins with the columns `first`. `isOneQuake`: without places and ids. `distances`: with those.
    package init(
        _ first: [Column], isOneQuake: Bool = false, distances: Bool = false, _ writer: ByteWriter, _ style: OutputStyle
    ) {
        let what = Column("WHAT", 8, color: { Self.color(of: $0.words.word) }) { $0.words.word }
        let magnitude = Column("MAGNITUDE", 11, color: { $0.words.magnitudeValue.flatMap(TableColor.color) }) {
            $0.words.magnitude
        }
        let distance = Column("DISTANCE", 8, rank: 2, isNumber: true) { $0.distance }
        let place = Column("PLACE", 38, least: 22) { $0.words.place }
        let differences = Column("DIFFERENCES", 28, least: 20, rank: 1) { $0.words.details }
        let id = Column("ID", 13, rank: 0) { $0.words.id }
        table = TextTable(
            first + [what, magnitude] + (distances ? [distance] : []) + (isOneQuake ? [] : [place]) + [differences]
                + (isOneQuake ? [] : [id]), writer, style)
        lines = WrappedLines(writer, columns: style.terminalColumns)
        self.style = style
    }

    package func writeHeader() { table.writeHeader() }

    /// Writes a line, under a heading where that is new, and with `--verbose` every value that an update changed.
    package func write(_ line: ChangeLine, under heading: String? = nil) {
        table.write(line, color: line.words.isMinor ? "2" : nil, under: heading)
        guard style.listsEverything, case .update(let before, let after, let changed) = line.change?.effect else {
            return
        }
        for property in changed {
            let sides = [before, after].map { $0[property].words(of: property, usesEpochTime: style.usesEpochTime) }
            lines.append(label: "       " + property.rawValue.padding(to: 10), sides.joined(separator: " → "))
        }
    }

    var omission: String? { table.omission }

    package func writeOmission() { table.writeOmission() }

    private static func color(of word: String) -> StaticString? {
        switch word {
        case "new", "late", "restored", "split", "entered": "32"
        case "deleted", "merged", "purged", "left": "31"
        default: nil
        }
    }
}
