import QuakeModel

extension JSONWriter {
    /// Passes the text written so far to `writer`, which flushes once 64 KB have accumulated.
    func flush(to writer: ByteWriter) throws(OutputError) {
        take { writer.append($0) }
        try writer.flushIfFull()
    }

    /// Ends the line of a record and passes it to `writer`.
    func endLine(to writer: ByteWriter) throws(OutputError) {
        frame("\n")
        try flush(to: writer)
    }

    /// Writes a value and ends its line.
    func line(_ value: any RecordValue, to writer: ByteWriter) throws(OutputError) {
        self.value(value)
        try endLine(to: writer)
    }
}

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
        (self.writer, self.framing, json) = (writer, framing, JSONWriter())
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
