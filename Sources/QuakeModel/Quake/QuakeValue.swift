/// The value of a property: null, an integer, a real number or text.
///
/// Two strings are equal only if their bytes are equal: é as one Unicode scalar differs from é as two.
public enum QuakeValue: Hashable, Sendable, Codable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    package init(_ value: Int64?) { self = value.map(QuakeValue.integer) ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Double?) { self = value.map(QuakeValue.real) ?? .null }
    package init(_ value: String?) { self = value.map(QuakeValue.text) ?? .null }

    /// The integer; nil for other kinds.
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The real or integer value as a floating-point number; nil for other kinds.
    public var realValue: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .null, .text: nil
        }
    }

    /// The text; nil for other kinds.
    public var textValue: String? { if case .text(let value) = self { value } else { nil } }
}

extension QuakeValue {
    /// Whether both values have the same kind and content.
    public static func == (left: QuakeValue, right: QuakeValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}

extension QuakeValue: CustomStringConvertible {
    /// The value as written in machine-readable formats, without quotes: `4.5`, `mww`, `null`.
    public var description: String {
        switch self {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): PlainNumber.text(number)
        case .text(let text): text
        }
    }
}
