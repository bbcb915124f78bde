import QuakeModel

/// Builds JSON records member by member, compact, in the order of the calls. Commas are its business.
///
/// ```swift
/// json.object {
///     json.member("kind", "end")
///     json.member("count", count)
/// }
/// try json.endLine()
/// ```
final class JSONWriter {
    private let writer: ByteWriter
    private let usesEpochTime: Bool
    private var needsComma = false

    /// A builder onto `writer`; moments are written as epoch milliseconds where `usesEpochTime`.
    init(_ writer: ByteWriter, usesEpochTime: Bool = false) {
        self.writer = writer
        self.usesEpochTime = usesEpochTime
    }

    /// Writes an object whose members `body` writes.
    func object<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        begin(UInt8(ascii: "{"))
        try body()
        end(UInt8(ascii: "}"))
    }

    /// Writes an array whose elements `body` writes.
    func array<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        begin(UInt8(ascii: "["))
        try body()
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member; its value comes next.
    func key(_ name: String) {
        separate()
        writer.append(jsonString: name)
        writer.append(byte: UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes null.
    func null() { put { writer.append(literal: "null") } }

    /// Writes a text, or null.
    func value(_ text: String?) {
        guard let text else { return null() }
        put { writer.append(jsonString: text) }
    }

    /// Writes an integer, or null.
    func value(_ number: (some BinaryInteger)?) {
        guard let number else { return null() }
        put { writer.append(integer: Int64(clamping: number)) }
    }

    /// Writes a number; null for none, and for one JSON has no word for.
    func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        put { writer.append(real: number) }
    }

    /// Writes true, false or null.
    func value(_ truth: Bool?) {
        guard let truth else { return null() }
        put { writer.append(literal: truth ? "true" : "false") }
    }

    /// Writes a moment in the form chosen for moments, or null.
    func value(_ moment: Timestamp?) {
        value(moment.map { QuakeValue.integer($0.milliseconds) } ?? .null, of: .time)
    }

    /// Writes the value of a property as the quake formats do.
    func value(_ value: QuakeValue, of property: QuakeProperty) {
        let encoding = FieldEncoding(property, usesEpochTime: usesEpochTime)
        put { value.withField { writer.append(json: $0, encoding) } }
    }

    /// Ends the record's line, and writes out what was collected once it is enough.
    func endLine() throws(OutputError) {
        writer.append(byte: UInt8(ascii: "\n"))
        needsComma = false
        try writer.flushIfFull()
    }

    /// Ends an element of an array whose brackets and commas are the caller's, and writes out what was collected once it is
    /// enough.
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
