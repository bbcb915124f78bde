import QuakeModel

/// Writes quakes as a table for people: a header line, then one line per quake. ``TableColumn`` says how wide each
/// column is.
///
/// On a terminal the last column is cut at the end of the line; elsewhere nothing is cut. Unsafe characters are always
/// replaced and numbers rounded, so scripts should use another format.
final class TableRenderer: QuakeRenderer {
    /// The default columns, with the distance if there is a point to measure from. Place is last because it can be cut.
    static func defaultFields(reference: ReferencePoint?) -> [QuakeField] {
        let relative: [QuakeField] = reference == nil ? [] : [.distance]
        return [.property(.time), .property(.mag), .property(.depth)] + relative + [.property(.id), .property(.place)]
    }

    /// The minimum width of the last column, even if the terminal is narrower.
    private static let leastLastWidth = 10

    private let columns: [TableColumn]
    private let lastWidth: Int?
    private let cutsText: Bool
    private let usesColor: Bool
    private let display: DisplayStyle
    private let writer: ByteWriter
    private let cells: TableCells

    init(_ fields: [QuakeField], writer: ByteWriter, style: OutputStyle) {
        columns = fields.map { TableColumn($0, usesEpochTime: style.usesEpochTime, display: style.display) }
        let before = columns.dropLast().reduce(0) { $0 + $1.width + 2 }
        lastWidth = style.terminalColumns.map { max($0 - before, Self.leastLastWidth) }
        cutsText = style.terminalColumns != nil
        usesColor = style.usesColor
        display = style.display
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
            let value = shown(field(index), in: columns[index])
            let isLast = index == columns.count - 1
            if usesColor, let color = TableColor.of(columns[index].field.property, value) {
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

    /// The value as people read it: lengths in their unit, a title without the dash before a missing place.
    private func shown(_ value: FieldValue, in column: TableColumn) -> FieldValue {
        switch (column.field, value) {
        case (.property(.depth), .real(let kilometers)), (.distance, .real(let kilometers)):
            .real(display.unit.amount(ofKilometers: kilometers))
        case (.property(.title), .text(let title)): .text(title.headline)
        default: value
        }
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
            cells.append(display.time.shifted(Timestamp(milliseconds: milliseconds)), paddedTo: padded)
        case (.bearing, .real(let degrees)): cells.append(bearing: degrees, paddedTo: padded)
        case (_, .integer(let number)): cells.append(number, width: column.width)
        case (_, .real(let number)): cells.append(number.description, paddedTo: padded)
        case (_, .text(let bytes)): cells.append(bytes, paddedTo: padded, cutTo: nil)
        case (.decimal(_, let fraction), .null):
            cells.appendMissing(before: fraction > 0 ? fraction + 1 : 0, width: column.width, isLast: isLast)
        case (.integer, .null): cells.appendMissing(before: 0, width: column.width, isLast: isLast)
        case (.text, .null), (.moment, .null), (.bearing, .null): cells.append("-", paddedTo: padded)
        }
    }
}

extension TableColumn {
    /// Whether the title is right-aligned, as above numbers.
    fileprivate var alignsTitleRight: Bool {
        switch layout {
        case .integer, .decimal: true
        case .text, .moment, .bearing: false
        }
    }
}

/// Writes the cells of a table with the spaces that align the columns.
struct TableCells {
    let writer: ByteWriter

    /// Appends text with unsafe characters replaced, cut to `limit` columns and padded to `width`, if these are given.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, paddedTo width: Int?, cutTo limit: Int?) {
        if bytes.isPrintableASCII, bytes.count <= limit ?? .max {
            writer.append(bytes)
            pad(to: width, from: bytes.count)
        } else {
            let safe = TerminalText.sanitized(String(decoding: bytes, as: UTF8.self))
            append(limit.map { DisplayWidth.fitted(safe, columns: $0) } ?? safe, paddedTo: width)
        }
    }

    /// Appends safe text, padded to `width`.
    func append(_ text: String, paddedTo width: Int?) {
        writer.append(text)
        if let width { pad(to: width, from: DisplayWidth.columns(of: text)) }
    }

    /// Appends an integer, right-aligned.
    func append(_ number: Int64, width: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberText.capacity) { scratch in
            guard let start = scratch.baseAddress else { return }
            let count = NumberText.write(number, to: start)
            pad(to: width, from: count)
            writer.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
        }
    }

    /// Appends a number with at most `decimals` decimals, aligned at the decimal point.
    func append(_ number: Double, decimals: Int, width: Int, isLast: Bool) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberText.capacity) { scratch in
            guard let start = scratch.baseAddress else { return }
            let count = NumberText.write(rounded: number, decimals: decimals, to: start)
            let text = UnsafeBufferPointer(rebasing: scratch[..<count])
            let written = text.firstIndex(of: UInt8(ascii: ".")).map { count - $0 } ?? 0
            let trailing = max(0, (decimals > 0 ? decimals + 1 : 0) - written)
            pad(to: width - trailing, from: count)
            writer.append(text)
            if !isLast { writer.append(byte: UInt8(ascii: " "), count: trailing) }
        }
    }

    /// Appends the sign for a missing number in the place of the last digit before the point.
    func appendMissing(before trailing: Int, width: Int, isLast: Bool) {
        pad(to: width - trailing, from: 1)
        writer.append(byte: UInt8(ascii: "-"))
        if !isLast { writer.append(byte: UInt8(ascii: " "), count: trailing) }
    }

    /// Appends a moment as `2021-07-22 20:39:44`.
    func append(_ moment: Timestamp, paddedTo width: Int?) {
        let target = writer.reserve(32)
        let buffer = UnsafeMutableBufferPointer(start: target, count: 32)
        let count = moment.writeISO8601(into: buffer) - ".000Z".utf8.count
        if let separator = buffer[..<count].lastIndex(of: UInt8(ascii: "T")) { target[separator] = UInt8(ascii: " ") }
        writer.commit(count)
        pad(to: width, from: count)
    }

    /// Appends a direction as ` 37° NE`.
    func append(bearing degrees: Double, paddedTo width: Int?) {
        let number = "\(Int(degrees.rounded()) % 360)"
        let text = "\(number)° \(CompassWord.of(degrees: degrees))"
        pad(to: 3, from: number.utf8.count)
        append(text, paddedTo: width.map { $0 - max(0, 3 - number.utf8.count) })
    }

    private func pad(to width: Int?, from count: Int) {
        guard let width else { return }
        writer.append(byte: UInt8(ascii: " "), count: width - count)
    }
}
