/// The encoding of a property's value, if the value's type alone does not determine it.
package enum FieldEncoding {
    case plain
    /// Epoch milliseconds, written as ISO 8601.
    case moment
    /// Epoch milliseconds, written as local time in a time zone.
    case local((Timestamp) -> String)
    /// Text that is a JSON object and was validated when it was read.
    case embeddedJSON
    /// A set of words: separated by spaces in CSV and TSV, an array in JSON, and in its published form in GeoJSON.
    case set

    package init(_ property: QuakeProperty) {
        self =
            switch property.kind {
            case .time: .moment
            case .text: property == .extra ? .embeddedJSON : property.traits.isSet ? .set : .plain
            case .integer, .real: .plain
            }
    }
}
