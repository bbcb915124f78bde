/// The JSON value of a condition.
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
}
