import QuakeModel

/// Writes each quake as a block of lines, a field on each, for fields that do not fit beside each other on a terminal.
/// Missing values are left out.
final class BlockRenderer: QuakeRenderer {
    private let fields: [QuakeProperty]
    private let writer: ByteWriter
    private let style: OutputStyle
    private let lines: WrappedLines
    private var isFirst = true

    init(_ fields: [QuakeProperty], writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        self.writer = writer
        self.style = style
        lines = WrappedLines(writer, columns: style.terminalColumns)
    }

    func begin() {}

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        if !isFirst { writer.append("\n") }
        isFirst = false
        for (index, property) in fields.enumerated() {
            let value = field(index)
            guard value.isPresent else { continue }
            let color = style.usesColor ? TableColor.of(property, value) : nil
            lines.append(
                label: property.rawValue.padding(to: 10), QuakeValue(value).blockWords(of: property, style),
                color: color)
        }
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        try writer.flush()
    }
}

extension FieldValue {
    fileprivate var isPresent: Bool {
        if case .null = self { false } else { true }
    }
}

extension QuakeValue {
    /// A copy of `field`.
    fileprivate init(_ field: FieldValue) {
        switch field {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The value as a person writes it; moments without their age, because a list has many.
    fileprivate func blockWords(of property: QuakeProperty, _ style: OutputStyle) -> String {
        guard style.usesEpochTime, property.kind == .time else { return spokenWords(of: property, now: nil) }
        return words(of: property, usesEpochTime: true)
    }
}
