import QuakeModel

/// Writes quakes as a table for people: a header line, then one line per quake. ``TableColumn`` says how wide each
/// column is.
///
/// On a terminal no line wraps: ``ColumnFit`` shrinks columns or leaves them out. Elsewhere nothing is cut. Unsafe
/// characters are always replaced and numbers rounded, so scripts should use another format.
final class TableRenderer: QuakeRenderer {
    /// The default columns, with the distance if there is a point to measure from. Place is last because it can be cut.
    static func defaultFields(reference: ReferencePoint?) -> [QuakeField] {
        let relative: [QuakeField] = reference == nil ? [] : [.distance]
        return [.property(.time), .property(.mag), .property(.depth)] + relative + [.property(.id), .property(.place)]
    }

    private let columns: [TableColumn]
    private let places: PlaceReader
    private let fit: ColumnFit
    private let facesTerminal: Bool
    private let usesColor: Bool
    private let display: DisplayStyle
    private let now: Timestamp?
    let writer: ByteWriter
    private let cells: TableCells

    /// A table of `fields`; blocks if less than half of them fit into the terminal, or if not every field of all does.
    static func renderer(_ fields: [QuakeField], writer: ByteWriter, style: OutputStyle) -> any QuakeRenderer {
        let table = TableRenderer(fields, writer: writer, style: style)
        let limit = fields.count >= QuakeProperty.allCases.count ? 0 : fields.count / 2
        return table.omitted.count > limit ? BlockRenderer(fields, writer: writer, style: style) : table
    }

    init(_ fields: [QuakeField], writer: ByteWriter, style: OutputStyle) {
        columns = fields.map { TableColumn($0, usesEpochTime: style.usesEpochTime, display: style.display) }
        var fit = ColumnFit(columns.map(\.fitting), room: style.terminalColumns)
        if let last = fit.shown.last, columns[last.index].isCuttable { fit.freeLast(of: columns.map(\.fitting)) }
        self.fit = fit
        places = PlaceReader(fields, shown: fit.shown.map { fields[$0.index] })
        facesTerminal = style.facesTerminal
        usesColor = style.usesColor
        display = style.display
        now = style.now
        self.writer = writer
        cells = TableCells(writer: writer)
    }

    var omitted: [QuakeField] { fit.omitted.map { columns[$0].field } }

    func begin() {
        writer.append(in: usesColor ? TableColor.header : nil) {
            for (place, (index, width)) in fit.shown.enumerated() {
                let column = columns[index]
                let padding = width - column.title.utf8.count
                let alignsRight = column.alignsTitleRight
                if alignsRight { writer.append(byte: UInt8(ascii: " "), count: padding) }
                writer.append(column.title)
                guard place < fit.shown.count - 1 else { break }
                writer.append(byte: UInt8(ascii: " "), count: alignsRight ? 2 : 2 + padding)
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        // A value that is wider than its column takes room from the later columns.
        var slack = fit.slack
        for (place, (index, width)) in fit.shown.enumerated() {
            let cell = Cell(
                column: columns[index], width: width, limit: facesTerminal ? width + slack : nil,
                isLast: place == fit.shown.count - 1)
            if var place = places.place(at: index, field) {
                slack -= place.withUTF8 { append(.text($0), cell) }
            } else {
                let value = shown(field(index), in: columns[index])
                let color = usesColor ? TableColor.of(columns[index].field.property, value) : nil
                writer.append(in: color) { slack -= append(value, cell) }
            }
            if !cell.isLast { writer.append(literal: "  ") }
        }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }

    private struct Cell {
        let column: TableColumn
        let width: Int
        /// The columns that the value may take; nil if nothing is cut.
        let limit: Int?
        let isLast: Bool

        var paddedWidth: Int? { isLast ? nil : width }
    }

    /// The value as people read it: lengths in their unit, a title without the dash before a missing place.
    private func shown(_ value: FieldValue, in column: TableColumn) -> FieldValue {
        switch (column.field, value) {
        case (.property(.depth), .real(let kilometers)), (.distance, .real(let kilometers)),
            (.nearestCityDistance, .real(let kilometers)):
            .real(display.unit.amount(ofKilometers: kilometers))
        case (.property(.title), .text(let title)): .text(title.headline)
        default: value
        }
    }

    /// Appends a value and returns by how many columns it is too wide. A number that does not fit becomes `…`.
    private func append(_ value: FieldValue, _ cell: Cell) -> Int {
        let start = writer.bytesAppended
        write(value, cell)
        let count = writer.bytesAppended - start
        guard let limit = cell.limit, count > cell.width else { return 0 }
        let width = DisplayWidth.columns(of: writer.lastText(count))
        guard width > limit else { return max(0, width - cell.width) }
        writer.removeLast(count)
        cells.append("…", paddedTo: cell.paddedWidth)
        return 0
    }

    /// How long ago a moment of the last 24 hours is, for a person at a terminal.
    private func recentAge(of moment: Timestamp) -> String? {
        guard facesTerminal, let now, moment <= now, now - moment < .seconds(86_400) else { return nil }
        return moment.age(at: now)
    }

    private func write(_ value: FieldValue, _ cell: Cell) {
        switch (cell.column.layout, value) {
        case (.cuttable, .text(let bytes)):
            // Other text, such as an id, is cut only where the line would wrap.
            cells.append(
                bytes, paddedTo: cell.paddedWidth, cutTo: cell.isLast ? cell.limit : cell.limit.map { _ in cell.width })
        case (.decimal, _) where cell.column.field == .property(.mag) && value.number != nil:
            cells.append(magnitude: value.number, width: cell.width)
        case (.decimal(_, let fraction), .real(let number)) where number.isFinite:
            cells.append(number, decimals: fraction, width: cell.width, isLast: cell.isLast)
        case (.decimal(_, let fraction), .integer(let number)):
            cells.append(Double(number), decimals: fraction, width: cell.width, isLast: cell.isLast)
        case (.moment, .integer(let milliseconds)):
            let moment = Timestamp(milliseconds: milliseconds)
            if let age = recentAge(of: moment) { return cells.append(age, paddedTo: cell.paddedWidth) }
            cells.append(
                display.time.shifted(moment), paddedTo: cell.paddedWidth, showsSeconds: cell.width >= cell.column.width)
        case (.bearing, .real(let degrees)): cells.append(bearing: degrees, paddedTo: cell.paddedWidth)
        case (.shaking, .real(let value)):
            cells.append(ShakingLevel(nearestTo: value).description, paddedTo: cell.paddedWidth)
        case (_, .integer(let number)): cells.append(number, width: cell.width)
        case (_, .real(let number)): cells.append(number.description, paddedTo: cell.paddedWidth)
        case (_, .text(let bytes)): cells.append(bytes, paddedTo: cell.paddedWidth, cutTo: cell.limit)
        case (.decimal(_, let fraction), .null):
            cells.appendMissing(before: fraction > 0 ? fraction + 1 : 0, width: cell.width, isLast: cell.isLast)
        case (.integer, .null): cells.appendMissing(before: 0, width: cell.width, isLast: cell.isLast)
        case (.text, .null), (.cuttable, .null), (.moment, .null), (.bearing, .null), (.shaking, .null):
            cells.append("-", paddedTo: cell.paddedWidth)
        }
    }
}

extension TableColumn {
    /// Whether a terminal may show only the start of a value.
    fileprivate var isCuttable: Bool {
        if case .cuttable = layout { true } else { false }
    }

    /// Whether the title is right-aligned, as above numbers.
    fileprivate var alignsTitleRight: Bool {
        switch layout {
        case .integer, .decimal: true
        case .text, .cuttable, .moment, .bearing, .shaking: false
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

    /// Appends a magnitude with its one decimal, right-aligned.
    func append(magnitude: Double?, width: Int) {
        let text = Quake.titleMagnitude(magnitude)
        pad(to: width, from: text.utf8.count)
        writer.append(text)
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

    /// Appends a moment as `2021-07-22 20:39:44`, or without the seconds.
    func append(_ moment: Timestamp, paddedTo width: Int?, showsSeconds: Bool = true) {
        let target = writer.reserve(32)
        let buffer = UnsafeMutableBufferPointer(start: target, count: 32)
        let count = moment.writeISO8601(into: buffer) - (showsSeconds ? ".000Z" : ":00.000Z").utf8.count
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
