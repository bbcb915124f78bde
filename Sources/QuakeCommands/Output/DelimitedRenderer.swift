import QuakeModel

/// Writes quakes as comma- or tab-separated values: a header line, then one line a quake.
///
/// Lines end with a plain line feed, as common tools write it. Values are written as they are: one that a spreadsheet
/// would take for a formula stays what it was.
final class DelimitedRenderer: QuakeRenderer {
    private let fields: [QuakeProperty]
    private let encodings: [FieldEncoding]
    private let delimiter: Delimiter
    private let writer: ByteWriter
    private let facesTerminal: Bool

    init(_ fields: [QuakeProperty], delimiter: Delimiter, writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        self.delimiter = delimiter
        self.writer = writer
        encodings = fields.map { FieldEncoding($0, usesEpochTime: style.usesEpochTime) }
        facesTerminal = style.terminalColumns != nil
    }

    func begin() {
        writer.append(fields.map(\.rawValue).joined(separator: String(UnicodeScalar(delimiter.byte))))
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        for index in encodings.indices {
            if index > 0 { writer.append(byte: delimiter.byte) }
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
        case .text(let bytes): writer.append(field: bytes, delimiter, facesTerminal: facesTerminal)
        case .real, .null:
            // A line of nothing at all would be skipped by readers that skip empty lines.
            if delimiter == .comma, encodings.count == 1 { writer.append(literal: "\"\"") }
        }
    }
}
