/// The JSON value of a condition of a covered range.
package enum FilterValue: Hashable, Sendable {
    case number(Double)
    case numbers([Double])
    case words([String])
}

extension FilterValue: RecordValue {
    package func write(to json: JSONWriter) {
        switch self {
        case .number(let number): json.value(number)
        case .numbers(let numbers): json.value(numbers)
        case .words(let words): json.value(words)
        }
    }

    package func encodeRecord(to encoder: any Encoder) throws {
        switch self {
        case .number(let number): try number.encodeRecord(to: encoder)
        case .numbers(let numbers): try numbers.encodeRecord(to: encoder)
        case .words(let words): try words.encodeRecord(to: encoder)
        }
    }
}
