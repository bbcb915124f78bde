/// A value in a record, which can be written as JSON and as comma-separated values.
package protocol RecordValue: Sendable {
    func write(to json: JSONWriter)
    /// Encodes the value in the same form in which ``write(to:)`` writes it.
    func encodeRecord(to encoder: any Encoder) throws
    /// The text in a comma-separated cell; nil if the value cannot be written there.
    var cell: String? { get }
}

extension RecordValue {
    package var cell: String? { nil }
}

extension String: RecordValue {
    package func write(to json: JSONWriter) {
        var text = self
        text.withUTF8 { json.value(.text($0)) }
    }
    package var cell: String? { self }
}

extension RecordValue where Self: BinaryInteger {
    package func write(to json: JSONWriter) { json.value(.integer(Int64(clamping: self))) }
    package var cell: String? { "\(self)" }
}
extension Int: RecordValue {}
extension Int64: RecordValue {}

extension RecordValue where Self: RawRepresentable<Int64> {
    package func write(to json: JSONWriter) { rawValue.write(to: json) }
    package var cell: String? { "\(rawValue)" }
}
extension QuakeKey: RecordValue {}

extension Double: RecordValue {
    /// A number that JSON cannot express becomes null.
    package func write(to json: JSONWriter) { json.value(.real(self)) }
    package var cell: String? { PlainNumber.text(self) }
}

extension Bool: RecordValue {
    package func write(to json: JSONWriter) { json.put(self ? "true" : "false") }
    package var cell: String? { "\(self)" }
}

extension Timestamp: RecordValue {
    package func write(to json: JSONWriter) { json.moment(self) }
    package var cell: String? { iso8601 }
}

extension QuakeValue: RecordValue {
    package func write(to json: JSONWriter) { withField { json.value($0) } }

    /// Returns this value for use in a record; an integer becomes a moment if `isTime` is true.
    package func recordValue(isTime: Bool) -> (any RecordValue)? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .integer(let number): isTime ? Timestamp(milliseconds: number) : number
        case .real(let number): number
        }
    }
}

extension Quake: RecordValue {
    package func write(to json: JSONWriter) { json.object { json.members(QuakeProperty.allCases, of: self) } }
}

extension Array: RecordValue where Element: RecordValue {
    package func write(to json: JSONWriter) { json.array { for element in self { json.value(element) } } }
}
