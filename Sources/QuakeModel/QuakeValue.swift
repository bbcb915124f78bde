/// The value of one property, of whichever kind.
///
/// Texts are the same when their bytes are: é as one scalar or as two is a change of what was published.
public enum QuakeValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// An integer, or null.
    public init(_ value: Int64?) { self = value.map(QuakeValue.integer) ?? .null }
    /// A number, or null.
    public init(_ value: Double?) { self = value.map(QuakeValue.real) ?? .null }
    /// A text, or null.
    public init(_ value: String?) { self = value.map(QuakeValue.text) ?? .null }

    /// The integer, when it is one.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, also of an integer.
    public var realValue: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .null, .text: nil
        }
    }

    /// The text, when it is one.
    public var textValue: String? {
        if case .text(let value) = self { value } else { nil }
    }
}

extension QuakeValue {
    /// Whether both are of one kind and hold the same.
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
