import QuakeModel

/// A quake as a row for a renderer. Texts stay valid until the next quake is loaded.
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
        // Until all texts have been appended, the buffer's memory may move, so the fields are set only now.
        for (field, bytes) in spans { fields[field] = .text(UnsafeBufferPointer(rebasing: texts.bytes[bytes])) }
    }
}
