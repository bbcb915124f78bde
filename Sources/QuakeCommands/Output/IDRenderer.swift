import QuakeModel

/// Writes the id of each quake on a line of its own, and nothing else.
final class IDRenderer: QuakeRenderer {
    private let writer: ByteWriter

    init(writer: ByteWriter) {
        self.writer = writer
    }

    func begin() {}

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        if case .text(let bytes) = field(0) { writer.append(sanitized: bytes) }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        try writer.flush()
    }
}

extension QuakeRendering {
    /// Ids alone.
    static var ids: QuakeRendering {
        QuakeRendering(fields: [.id]) { writer, _ in IDRenderer(writer: writer) }
    }
}
