/// The value of one property as it lies in a row under a cursor, text not yet copied.
///
/// The bytes of `text` are UTF-8 and belong to the row: they are valid only until the call that handed the value out
/// returns. This is what lets a listing of a million quakes pass from the file to the terminal without a `String`.
public enum FieldValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
}

extension QuakeValue {
    /// Calls `body` with this value as a field.
    public func withField<Result>(_ body: (FieldValue) throws -> Result) rethrows -> Result {
        switch self {
        case .null: return try body(.null)
        case .integer(let value): return try body(.integer(value))
        case .real(let value): return try body(.real(value))
        case .text(var text): return try text.withUTF8 { try body(.text($0)) }
        }
    }
}
