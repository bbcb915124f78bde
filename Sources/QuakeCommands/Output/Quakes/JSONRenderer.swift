import QuakeModel

/// Writes quakes as JSON objects with the names of the feed: in one array, or one object per line.
final class JSONRenderer: QuakeRenderer {
    enum Framing {
        /// One array: `[`, the objects separated by commas, `]`.
        case document
        /// Nothing: one object per line.
        case lines
    }

    let writer: ByteWriter
    private let framing: Framing
    private let members: JSONMembers
    private var isEmpty = true

    init(_ fields: [QuakeField], framing: Framing, writer: ByteWriter, style: OutputStyle) {
        (self.writer, self.framing) = (writer, framing)
        members = JSONMembers(fields, style)
    }

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

/// The members of an object with fields of a quake. The names are encoded once for all rows.
struct JSONMembers {
    private struct Member {
        let index: Int
        let encoding: FieldEncoding
        /// The range of `"name":` in `names`, with a leading comma except for the first.
        let nameStart: Int
        let nameCount: Int
    }

    private let members: [Member]
    private let names: [UInt8]

    /// The members for `fields`. Their values start at index `firstIndex` of a row. Sets are arrays, or with
    /// `hasSetsAsInFeed` texts.
    init(
        _ fields: some Collection<QuakeField>, _ style: OutputStyle, firstIndex: Int = 0, hasSetsAsInFeed: Bool = false
    ) {
        var names: [UInt8] = []
        members = fields.enumerated().map { offset, field in
            let start = names.count
            names += Array("\(offset == 0 ? "" : ",")\"\(field.name)\":".utf8)
            let encoding = FieldEncoding(field, style)
            let isPlain = if case .set = encoding { hasSetsAsInFeed } else { false }
            return Member(
                index: firstIndex + offset, encoding: isPlain ? .plain : encoding,
                nameStart: start, nameCount: names.count - start)
        }
        self.names = names
    }

    /// Writes `"name":value` for each field, separated by commas, without the braces.
    @inline(__always) func write(to writer: ByteWriter, _ field: (Int) -> FieldValue) {
        names.withUnsafeBufferPointer { names in
            for member in members {
                let nameEnd = member.nameStart + member.nameCount
                writer.append(UnsafeBufferPointer(rebasing: names[member.nameStart..<nameEnd]))
                writer.append(json: field(member.index), member.encoding)
            }
        }
    }
}
