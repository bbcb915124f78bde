package import QuakeModel

/// Writes compact JSON records member by member, in the order of the calls, and adds the commas.
///
/// ```swift
/// json.object {
///     json.member("kind", "end")
///     json.member("count", count)
/// }
/// try json.endLine()
/// ```
package final class JSONWriter {
    private let writer: ByteWriter
    private let usesEpochTime: Bool
    private var needsComma = false

    /// A JSON writer that appends to `writer`. Moments are ISO 8601, or epoch milliseconds with `usesEpochTime`.
    package init(_ writer: ByteWriter, usesEpochTime: Bool = false) {
        self.writer = writer
        self.usesEpochTime = usesEpochTime
    }

    package func object<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        begin(UInt8(ascii: "{"))
        try body()
        end(UInt8(ascii: "}"))
    }

    package func array<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        begin(UInt8(ascii: "["))
        try body()
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member. Its value must follow.
    package func key(_ name: String) {
        separate()
        writer.append(jsonString: name)
        writer.append(byte: UInt8(ascii: ":"))
        needsComma = false
    }

    package func null() { put { writer.append(literal: "null") } }

    package func value(_ text: String?) {
        guard let text else { return null() }
        put { writer.append(jsonString: text) }
    }

    package func value(_ number: (some BinaryInteger)?) {
        guard let number else { return null() }
        put { writer.append(integer: Int64(clamping: number)) }
    }

    /// Writes a number, or null; numbers that JSON cannot express become null.
    package func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        put { writer.append(real: number) }
    }

    package func value(_ truth: Bool?) {
        guard let truth else { return null() }
        put { writer.append(literal: truth ? "true" : "false") }
    }

    package func value(_ moment: Timestamp?) {
        value(moment.map { QuakeValue.integer($0.milliseconds) } ?? .null, of: .time)
    }

    /// Writes the value of a property in the same form as the quake formats.
    package func value(_ value: QuakeValue, of property: QuakeProperty) {
        let encoding = FieldEncoding(property, usesEpochTime: usesEpochTime)
        put { value.withField { writer.append(json: $0, encoding) } }
    }

    /// Ends the line of a record, and flushes if 64 KB are collected.
    package func endLine() throws(OutputError) {
        writer.append(byte: UInt8(ascii: "\n"))
        needsComma = false
        try writer.flushIfFull()
    }

    /// Ends an element of an array whose brackets and commas the caller writes, and flushes if 64 KB are collected.
    func endElement() throws(OutputError) {
        needsComma = false
        try writer.flushIfFull()
    }

    private func begin(_ bracket: UInt8) {
        separate()
        writer.append(byte: bracket)
        needsComma = false
    }

    private func end(_ bracket: UInt8) {
        writer.append(byte: bracket)
        needsComma = true
    }

    private func put(_ body: () -> Void) {
        separate()
        body()
        needsComma = true
    }

    private func separate() {
        if needsComma { writer.append(byte: UInt8(ascii: ",")) }
    }
}

extension JSONWriter {
    package func member(_ name: String, _ text: String?) {
        key(name)
        value(text)
    }

    package func member<Number: BinaryInteger>(_ name: String, _ number: Number?) {
        key(name)
        value(number)
    }

    package func member(_ name: String, _ number: Double?) {
        key(name)
        value(number)
    }

    package func member(_ name: String, _ truth: Bool?) {
        key(name)
        value(truth)
    }

    package func member(_ name: String, _ moment: Timestamp?) {
        key(name)
        value(moment)
    }

    package func member(_ name: String, _ texts: some Sequence<String>) {
        array(name) { for text in texts { value(text) } }
    }

    package func nullMember(_ name: String) {
        key(name)
        null()
    }

    package func object<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try object(body)
    }

    package func array<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try array(body)
    }

    /// Writes a member for each of `properties`, under the feed's own name, with its value in `quake`.
    package func members(_ properties: some Sequence<QuakeProperty>, of quake: Quake) {
        for property in properties {
            key(property.rawValue)
            value(quake[property], of: property)
        }
    }

    /// Writes a member whose value is `quake` as an object of `properties`, or null without a quake.
    package func member(
        _ name: String, _ quake: Quake?, properties: some Sequence<QuakeProperty> = QuakeProperty.allCases
    ) {
        guard let quake else { return nullMember(name) }
        object(name) { members(properties, of: quake) }
    }
}
