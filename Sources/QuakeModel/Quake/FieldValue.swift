/// The value of a property in the current row of a query. Its text is not copied.
///
/// The bytes of `text` are UTF-8 and belong to the row, so they are valid only until the function that received the
/// value returns. A list of a million quakes can thus be printed without creating a `String`.
package enum FieldValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
}

extension FieldValue {
    /// The text; nil for other kinds.
    package var text: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The number as a finite floating-point number; nil for other kinds, and for infinity and NaN.
    package var number: Double? {
        switch self {
        case .real(let value) where value.isFinite: value
        case .integer(let value): Double(value)
        case .real, .text, .null: nil
        }
    }
}

extension QuakeValue {
    /// Calls `body` with this value as a field.
    package func withField<Result>(_ body: (FieldValue) throws -> Result) rethrows -> Result {
        switch self {
        case .null: return try body(.null)
        case .integer(let value): return try body(.integer(value))
        case .real(let value): return try body(.real(value))
        case .text(var text): return try text.withUTF8 { try body(.text($0)) }
        }
    }

    /// Copies a field's value, so that it remains valid after the query moves to another row.
    package init(copying field: FieldValue) {
        self =
            switch field {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
            }
    }
}
