import QuakeModel

/// A sequence of JSON objects, one per line, optionally in an array.
final class JSONRecords {
    enum Framing: Sendable {
        /// One array: `[`, the objects separated by commas, `]`.
        case document
        /// One object per line, without an array.
        case lines
    }

    let writer: ByteWriter
    let json: JSONWriter
    private let framing: Framing
    private var isEmpty = true

    init(_ writer: ByteWriter, _ framing: Framing) {
        self.writer = writer
        self.framing = framing
        json = JSONWriter()
    }

    /// Appends an object with the members that `body` writes.
    func append(_ body: () -> Void) throws(OutputError) {
        if framing == .document { json.frame(isEmpty ? "[\n" : ",\n") }
        isEmpty = false
        json.object(body)
        json.frame(framing == .lines ? "\n" : "")
        try json.flush(to: writer)
    }

    func end() throws(OutputError) {
        if framing == .document { json.frame(isEmpty ? "[]\n" : "\n]\n") }
        try json.flush(to: writer)
        try writer.flush()
    }
}
