import QuakeModel

extension ByteWriter {
    /// Appends one byte.
    @inline(__always)
    func append(byte: UInt8) {
        reserve(1).pointee = byte
        commit(1)
    }

    /// Appends `count` times the same byte; nothing for a count below one.
    func append(byte: UInt8, count: Int) {
        guard count > 0 else { return }
        reserve(count).update(repeating: byte, count: count)
        commit(count)
    }

    /// Appends bytes as they are.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: start, count: bytes.count)
        commit(bytes.count)
    }

    /// Appends the UTF-8 bytes of `text` as they are.
    func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends text known when the program was built.
    @inline(__always)
    func append(literal text: StaticString) {
        reserve(text.utf8CodeUnitCount).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        commit(text.utf8CodeUnitCount)
    }

    /// Appends an integer in decimal.
    @inline(__always)
    func append(integer: Int64) {
        commit(NumberText.write(integer, to: reserve(NumberText.capacity)))
    }

    /// Appends a number in the shortest form that reads back as the same value: `5`, `4.35`, `1e-09`. Must be finite.
    @inline(__always)
    func append(real: Double) {
        commit(NumberText.write(real, to: reserve(NumberText.capacity)))
    }

    /// Appends a moment as ISO 8601 in UTC with milliseconds.
    @inline(__always)
    func append(moment: Timestamp) {
        commit(moment.writeISO8601(into: UnsafeMutableBufferPointer(start: reserve(32), count: 32)))
    }
}
