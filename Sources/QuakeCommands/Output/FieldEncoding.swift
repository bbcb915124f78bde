import QuakeModel

/// How the value of a property is written, beyond what its kind of number or text says.
enum FieldEncoding {
    /// Numbers as numbers, text as text.
    case plain
    /// Epoch milliseconds, written as ISO 8601.
    case moment
    /// Text that is itself a JSON object.
    case embeddedJSON

    /// The encoding of `property`; moments stay epoch milliseconds where `usesEpochTime`.
    init(_ property: QuakeProperty, usesEpochTime: Bool) {
        self =
            switch property.kind {
            case .time: usesEpochTime ? .plain : .moment
            case .text: property == .extra ? .embeddedJSON : .plain
            case .integer, .real: .plain
            }
    }
}
