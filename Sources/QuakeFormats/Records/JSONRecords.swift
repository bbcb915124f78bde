import QuakeModel

/// A sequence of JSON objects, one per line, optionally in an array.
package final class JSONRecords {
    package enum Framing: Sendable {
        /// One array: `[`, the objects separated by commas, `]`.
        case document
        /// One object per line, without an array.
        case lines
    }

    let json: JSONWriter
    private let framing: Framing
    private var isEmpty = true

    init(_ output: ByteBuffer, _ framing: Framing) {
        self.framing = framing
        json = JSONWriter(into: output)
    }

    /// Appends an object with the members that `body` writes.
    func append(_ body: () -> Void) {
        if framing == .document { json.putOutsideRecords(isEmpty ? "[\n" : ",\n") }
        isEmpty = false
        json.object(body)
        json.putOutsideRecords(framing == .lines ? "\n" : "")
    }

    func end() {
        if framing == .document { json.putOutsideRecords(isEmpty ? "[]\n" : "\n]\n") }
    }
}
