import QuakeModel

/// Writes quakes as a table to be read: a header line, then one line a quake.
///
/// On a terminal the last column ends with the line; elsewhere nothing is cut. Text is always made safe to show, and
/// numbers are rounded to what their column holds, so scripts do better to name another format.
final class TableRenderer: QuakeRenderer {
    /// What a table shows when nothing was asked for. Place is last: it is the one that can be cut.
    static let defaultFields: [QuakeProperty] = [.time, .mag, .depth, .id, .place]

    /// However narrow the terminal, this much of the last column is shown.
    private static let leastLastWidth = 10

    private let columns: [TableColumn]
    private let lastWidth: Int?
    private let cutsText: Bool
    private let usesColor: Bool
    private let writer: ByteWriter
    private let cells: TableCells

    init(_ fields: [QuakeProperty], writer: ByteWriter, style: OutputStyle) {
        columns = fields.map { TableColumn($0, usesEpochTime: style.usesEpochTime) }
        let before = columns.dropLast().reduce(0) { $0 + $1.width + 2 }
        lastWidth = style.terminalColumns.map { max($0 - before, Self.leastLastWidth) }
        cutsText = style.terminalColumns != nil
        usesColor = style.usesColor
        self.writer = writer
        cells = TableCells(writer: writer)
    }

    func begin() {
        writer.append(in: usesColor ? TableColor.header : nil) {
            for (index, column) in columns.enumerated() {
                let padding = column.width - column.title.utf8.count
                let alignsRight = column.alignsTitleRight
                if alignsRight { writer.append(byte: UInt8(ascii: " "), count: padding) }
                writer.append(column.title)
                guard index < columns.count - 1 else { break }
                writer.append(byte: UInt8(ascii: " "), count: alignsRight ? 2 : 2 + padding)
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        for index in columns.indices {
            let value = field(index)
            let isLast = index == columns.count - 1
            if usesColor, let color = TableColor.of(columns[index].property, value) {
                writer.append(in: color) { append(value, columns[index], isLast: isLast) }
            } else {
                append(value, columns[index], isLast: isLast)
            }
            if !isLast { writer.append(literal: "  ") }
        }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        try writer.flush()
    }

    private func append(_ value: FieldValue, _ column: TableColumn, isLast: Bool) {
        let padded = isLast ? nil : column.width
        switch (column.layout, value) {
        case (.text(let width, let isCuttable), .text(let bytes)):
            cells.append(bytes, paddedTo: padded, cutTo: cutsText && isCuttable ? (isLast ? lastWidth : width) : nil)
        case (.decimal(_, let fraction), .real(let number)) where number.isFinite:
            cells.append(number, decimals: fraction, width: column.width, isLast: isLast)
        case (.decimal(_, let fraction), .integer(let number)):
            cells.append(Double(number), decimals: fraction, width: column.width, isLast: isLast)
        case (.moment, .integer(let milliseconds)):
            cells.append(Timestamp(milliseconds: milliseconds), paddedTo: padded)
        case (_, .integer(let number)): cells.append(number, width: column.width)
        case (_, .real(let number)): cells.append(number.description, paddedTo: padded)
        case (_, .text(let bytes)): cells.append(bytes, paddedTo: padded, cutTo: nil)
        case (.decimal(_, let fraction), .null):
            cells.appendMissing(before: fraction > 0 ? fraction + 1 : 0, width: column.width, isLast: isLast)
        case (.integer, .null): cells.appendMissing(before: 0, width: column.width, isLast: isLast)
        case (.text, .null), (.moment, .null): cells.append("-", paddedTo: padded)
        }
    }
}

extension TableColumn {
    /// Whether the title stands at the right edge, over numbers.
    fileprivate var alignsTitleRight: Bool {
        switch layout {
        case .integer, .decimal: true
        case .text, .moment: false
        }
    }
}
