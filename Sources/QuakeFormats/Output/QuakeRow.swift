import QuakeModel

/// A quake as a row for a renderer. Its text stays valid until the next quake is loaded.
final class QuakeRow {
    private let properties: [QuakeProperty]
    private var fields: [FieldValue] = []
    private let texts = ByteBuffer()

    init(_ properties: [QuakeProperty]) { self.properties = properties }

    subscript(index: Int) -> FieldValue { fields[index] }

    func load(_ quake: Quake) {
        texts.removeAll()
        fields.removeAll(keepingCapacity: true)
        var spans: [(field: Int, bytes: Range<Int>)] = []
        for property in properties {
            quake[property].withField { value in
                if case .text(let bytes) = value {
                    spans.append((fields.count, texts.count..<texts.count + bytes.count))
                    texts.append(bytes)
                }
                fields.append(value)
            }
        }
        // Set the text fields only now, because the buffer's memory may move until all text has been appended.
        for (field, bytes) in spans { fields[field] = .text(UnsafeBufferPointer(rebasing: texts.bytes[bytes])) }
    }
}
