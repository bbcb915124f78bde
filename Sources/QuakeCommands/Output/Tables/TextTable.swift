import QuakeModel

/// A table for people: a header line, then a line for each row. Unsafe characters are replaced.
///
/// If the terminal is too narrow, columns are omitted first, and then text is shortened. The rightmost column that can
/// be shortened fills the remaining width, unless the columns were fitted to the rows. Output to a file or pipe is
/// never shortened.
final class TextTable<Row> {
    private let writer: ByteWriter
    private let usesColor: Bool
    /// The width of the terminal; nil if the output does not go to one.
    private let terminalColumns: Int?
    private let columns: [TextColumn<Row>]
    private let isFitted: Bool
    private var heading = ""
    /// A message that names the omitted columns: `terminal too narrow for ID`; nil if there are none.
    let omission: String?

    /// Writes a whole table, with columns that are wide enough for all `rows`.
    static func write(_ rows: [Row], in columns: [TextColumn<Row>], _ writer: ByteWriter, _ style: OutputStyle) {
        let table = TextTable(columns, fitting: rows, writer, style)
        table.writeHeader()
        for row in rows { table.write(row) }
        table.writeOmission()
    }

    /// Creates a table whose columns are wide enough for `rows`.
    init(_ columns: [TextColumn<Row>], fitting rows: [Row] = [], _ writer: ByteWriter, _ style: OutputStyle) {
        self.writer = writer
        usesColor = style.usesColor
        terminalColumns = style.terminalColumns
        isFitted = !rows.isEmpty
        var shown = columns
        for index in shown.indices {
            let widths = rows.map { DisplayWidth.columns(of: TerminalText.sanitized(columns[index].text($0))) }
            shown[index].width = max(shown[index].width, widths.max() ?? 0)
        }
        var omitted: Set<String> = []
        while let terminalColumns, shown.count > 1,
            shown.reduce(-2, { $0 + min($1.minimumWidth, $1.width) + 2 }) > terminalColumns,
            let rank = shown.map(\.priority).min(), rank < .max,
            let index = shown.lastIndex(where: { $0.priority == rank })
        {
            omitted.insert(shown.remove(at: index).title)
        }
        self.columns = shown
        let titles = columns.map(\.title).filter(omitted.contains)
        omission = titles.isEmpty ? nil : "terminal too narrow for \(titles.joined(separator: ", "))"
    }

    func writeHeader() { write(columns.map(\.title), color: TableColor.header) }

    /// Writes a row, either all in `color` or with the color of each cell. Writes `heading` first unless it is still
    /// the current heading.
    func write(_ row: Row, color: String? = nil, under heading: String? = nil) {
        if let heading, heading != self.heading {
            self.heading = heading
            writer.append(in: usesColor ? TableColor.header : nil) { writer.append(heading) }
            writer.append("\n")
        }
        write(columns.map { $0.text(row) }, color: color) { color == nil ? $0.color(row) : nil }
    }

    /// Writes the ``omission`` as the last line, if there is one.
    func writeOmission() {
        guard let omission else { return }
        WrappedLines(writer, columns: terminalColumns).append(omission, color: usesColor ? "2" : nil)
    }

    private func write(_ cells: [String], color: String?, colorOf: (TextColumn<Row>) -> String? = { _ in nil }) {
        let cells = cells.map(TerminalText.sanitized)
        let widths = widths(of: cells)
        var spaces = 0
        var left = terminalColumns ?? .max
        writer.append(in: usesColor ? color : nil) {
            for index in columns.indices {
                let width = widths[index]
                let text =
                    columns[index].isCuttable && terminalColumns != nil
                    ? DisplayWidth.fitted(cells[index], columns: min(width, left)) : cells[index]
                let textWidth = DisplayWidth.columns(of: text)
                let content = text.withoutSpacesAtEnd
                let spacesAtEnd = text.utf8.count - content.utf8.count
                let indent = columns[index].isNumber ? max(0, width - textWidth) : 0
                spaces += indent
                if !content.isEmpty {
                    writer.append(byte: UInt8(ascii: " "), count: spaces)
                    writer.append(in: usesColor ? colorOf(columns[index]) : nil) { writer.append(content) }
                    spaces = 0
                }
                spaces += max(0, width - indent - textWidth + spacesAtEnd) + 2
                left -= width + 2
            }
        }
        writer.append("\n")
    }

    /// Returns the widths of the columns in this line. Text wider than its column takes room from columns that can be
    /// shortened.
    private func widths(of cells: [String]) -> [Int] {
        guard let terminalColumns else { return columns.map(\.width) }
        var widths = zip(columns, cells).map { $0.isCuttable ? $0.width : max($0.width, DisplayWidth.columns(of: $1)) }
        var excess = max(isFitted ? 0 : -terminalColumns, widths.reduce(-2) { $0 + $1 + 2 } - terminalColumns)
        for index in columns.indices.reversed() where columns[index].isCuttable {
            let width = max(widths[index] - excess, columns[index].minimumWidth)
            excess -= widths[index] - width
            widths[index] = width
        }
        return widths
    }
}

extension String {
    fileprivate var withoutSpacesAtEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        return lastIndex { $0 != " " }.map { String(self[...$0]) } ?? ""
    }
}
