package import QuakeModel

/// A value for a renderer: a quake's, or bytes that a quake cannot hold.
package enum RawValue {
    case value(QuakeValue)
    case bytes([UInt8])
}

/// The values of a row as a renderer reads them. Their texts live as long as this object.
package final class FieldRow {
    private let fields: [FieldValue]
    private let texts: [UnsafeMutableBufferPointer<UInt8>]

    package init(_ values: [RawValue]) {
        var texts: [UnsafeMutableBufferPointer<UInt8>] = []
        func text(_ bytes: some Collection<UInt8>) -> FieldValue {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            texts.append(copy)
            return .text(UnsafeBufferPointer(copy))
        }
        fields = values.map { value in
            switch value {
            case .value(.null): .null
            case .value(.integer(let number)): .integer(number)
            case .value(.real(let number)): .real(number)
            case .value(.text(let string)): text(string.utf8)
            case .bytes(let bytes): text(bytes)
            }
        }
        self.texts = texts
    }

    deinit { texts.forEach { $0.deallocate() } }

    /// A table also reads the type, which appears with the place.
    package subscript(index: Int) -> FieldValue { index < fields.count ? fields[index] : .null }
}
