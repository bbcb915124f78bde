import QuakeModel

/// Writes quakes as comma-separated values: a header line, then one line a quake.
///
/// Quoted as RFC 4180 says, with a plain line feed at the end of lines, as common tools write it. Nothing is a missing
/// value, `""` an empty text. Values are written as they are: one that a spreadsheet would take for a formula stays
/// what it was. Only towards a terminal are control characters replaced (``TerminalText``).
final class CSVRenderer: QuakeRenderer {
    private let fields: [QuakeProperty]
    private let encodings: [FieldEncoding]
    private let writer: ByteWriter
    private let facesTerminal: Bool

    init(_ fields: [QuakeProperty], writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        self.writer = writer
        encodings = fields.map { FieldEncoding($0, usesEpochTime: style.usesEpochTime) }
        facesTerminal = style.terminalColumns != nil
    }

    func begin() {
        writer.append(fields.map(\.rawValue).joined(separator: ","))
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        for index in encodings.indices {
            if index > 0 { writer.append(byte: UInt8(ascii: ",")) }
            append(field(index), encodings[index])
        }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        try writer.flush()
    }

    @inline(__always)
    private func append(_ value: FieldValue, _ encoding: FieldEncoding) {
        switch value {
        case .integer(let milliseconds) where encoding == .moment:
            writer.append(moment: Timestamp(milliseconds: milliseconds))
        case .integer(let number): writer.append(integer: number)
        case .real(let number) where number.isFinite: writer.append(real: number)
        case .text(let bytes): writer.append(csv: bytes, facesTerminal: facesTerminal)
        case .real, .null:
            // A line of nothing at all would be skipped by readers that skip empty lines.
            if encodings.count == 1 { writer.append(literal: "\"\"") }
        }
    }
}
