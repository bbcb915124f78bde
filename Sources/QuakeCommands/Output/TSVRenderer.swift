import QuakeModel

/// Writes quakes as tab-separated values: a header line, then one line a quake.
///
/// There are no quotes: within text a tab is written `\t`, a line break `\n` or `\r`, a backslash `\\`. Nothing between
/// two tabs is a missing value, and also an empty text. Only towards a terminal are control characters replaced.
final class TSVRenderer: QuakeRenderer {
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
        writer.append(fields.map(\.rawValue).joined(separator: "\t"))
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        for index in encodings.indices {
            if index > 0 { writer.append(byte: UInt8(ascii: "\t")) }
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
        case .text(let bytes): writer.append(tsv: bytes, facesTerminal: facesTerminal)
        case .real, .null: break
        }
    }
}
