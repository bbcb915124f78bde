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
        (self.writer, self.usesEpochTime) = (writer, usesEpochTime)
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

    package func null() { put { $0.append(literal: "null") } }

    /// Writes a value, or null.
    package func value(_ value: (any RecordValue)?) {
        if let value { value.write(to: self) } else { null() }
    }

    /// Writes the value of a property in the same form as the quake formats.
    package func value(_ value: QuakeValue, of property: QuakeProperty) {
        let encoding = FieldEncoding(property, usesEpochTime: usesEpochTime)
        put { writer in value.withField { writer.append(json: $0, encoding) } }
    }

    /// Writes a value and ends its line.
    package func line(_ value: any RecordValue) throws(OutputError) {
        self.value(value)
        try endLine()
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

    func put(_ body: (ByteWriter) -> Void) {
        separate()
        body(writer)
        needsComma = true
    }

    private func separate() { if needsComma { writer.append(byte: UInt8(ascii: ",")) } }
}

extension JSONWriter {
    package func member(_ name: String, _ value: (any RecordValue)?) {
        key(name)
        self.value(value)
    }

    package func members(_ record: Record) { for (name, value) in record.members { member(name, value) } }

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

    /// Writes a member whose value is `quake` as an object of `properties`.
    package func member(_ name: String, _ quake: Quake, properties: some Sequence<QuakeProperty>) {
        object(name) { members(properties, of: quake) }
    }
}
