import QuakeModel

/// Writes quakes as JSON objects under the feed's own names: one array, or one object a line.
final class JSONRenderer: QuakeRenderer {
    /// What stands around the objects.
    enum Framing {
        /// One array: `[`, the objects with commas between them, `]`.
        case document
        /// Nothing: one object a line.
        case lines
    }

    private let writer: ByteWriter
    private let framing: Framing
    private let members: JSONMembers
    private var isEmpty = true

    init(_ fields: [QuakeProperty], framing: Framing, writer: ByteWriter, style: OutputStyle) {
        self.writer = writer
        self.framing = framing
        members = JSONMembers(fields, usesEpochTime: style.usesEpochTime)
    }

    func begin() {}

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        if framing == .document { writer.append(literal: isEmpty ? "[\n" : ",\n") }
        isEmpty = false
        writer.append(byte: UInt8(ascii: "{"))
        members.write(to: writer, field)
        writer.append(byte: UInt8(ascii: "}"))
        if framing == .lines { writer.append(byte: UInt8(ascii: "\n")) }
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        if framing == .document { writer.append(literal: isEmpty ? "[]\n" : "\n]\n") }
        try writer.flush()
    }
}
