/// Writes compact JSON, one value at a time, and adds the commas. Unless the caller passes a buffer, the writer
/// collects the bytes until ``drain(_:)`` is called.
///
/// ```swift
/// json.object {
///     json.member("kind", "end")
///     json.member("count", count)
/// }
/// ```
///
/// The output is safe to show in a terminal; see ``JSONText``.
package final class JSONWriter {
    private let output: ByteBuffer
    /// Whether the output is part of a script element. If so, text cannot end the element, and unsafe characters become
    /// U+FFFD.
    private let isInMarkup: Bool
    private var needsComma = false

    package init(into output: ByteBuffer = ByteBuffer(), isInMarkup: Bool = false) {
        self.output = output
        self.isInMarkup = isInMarkup
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

    /// Writes the name of a member. The value must follow.
    package func key(_ name: JSONName) {
        separate()
        name.bytes.withUnsafeBufferPointer { output.append($0) }
        needsComma = false
    }

    /// Writes the name of a member. The value must follow.
    package func key(_ name: String) {
        var name = name
        name.withUTF8 { text($0) }
        output.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a value, or null.
    package func value(_ value: (any RecordValue)?) {
        if let value { value.write(to: self) } else { put("null") }
    }

    /// Writes the value of a field.
    @inline(never) package func value(_ field: FieldValue, _ encoding: FieldEncoding = .plain) {
        switch (field, encoding) {
        case (.integer(let milliseconds), .moment): moment(Timestamp(milliseconds: milliseconds))
        case (.integer(let milliseconds), .local(let words)): value(words(Timestamp(milliseconds: milliseconds)))
        case (.integer(let number), _): put(upTo: NumberText.capacity) { NumberText.write(number, to: $0) }
        case (.real(let number), _) where number.isFinite:
            put(upTo: NumberText.capacity) { NumberText.write(number, to: $0) }
        case (.text(let json), .embeddedJSON): put(JSONText.onOneLine(String(decoding: json, as: UTF8.self)))
        case (.text(let words), .set):
            array { words.forEachWord { text($0) } }
        case (.text(let bytes), _): text(bytes)
        case (.real, _), (.null, _): put("null")
        }
    }

    /// Writes a JSON value, or the members of an object, unchanged.
    package func put(_ json: String) {
        separate()
        output.append(json)
        needsComma = true
    }

    /// Writes text between records. The next record begins without a comma.
    package func putOutsideRecords(_ text: String) {
        output.append(text)
        needsComma = false
    }

    /// Passes the collected bytes to `body`, then discards them.
    package func drain<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        defer { output.removeAll() }
        return body(output.bytes)
    }

    func moment(_ moment: Timestamp) {
        put(upTo: 34) { start in
            start[0] = UInt8(ascii: "\"")
            let end = 1 + moment.writeISO8601(into: UnsafeMutableBufferPointer(start: start + 1, count: 32))
            start[end] = UInt8(ascii: "\"")
            return end + 1
        }
    }

    private func text(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        output.append(UInt8(ascii: "\""))
        if isPlain(text) {
            output.append(text)
        } else {
            let text = String(decoding: text, as: UTF8.self)
            let shown = isInMarkup ? TerminalText.sanitized(text) : text
            output.append(JSONText.escaped(shown, inMarkup: isInMarkup))
        }
        output.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Whether `text` needs no escapes. There is no early exit, so the compiler can test 16 bytes at a time.
    private func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var isPlain = true
        for byte in text {
            isPlain = byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x3C && byte != 0x5C && isPlain
        }
        return isPlain
    }

    /// Writes a value: `write` stores at most `capacity` bytes in the given memory, and returns their number.
    @inline(__always) private func put(upTo capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        separate()
        output.append(upTo: capacity, write)
        needsComma = true
    }

    private func begin(_ bracket: UInt8) {
        separate()
        output.append(bracket)
        needsComma = false
    }

    private func end(_ bracket: UInt8) {
        output.append(bracket)
        needsComma = true
    }

    @inline(__always) private func separate() { if needsComma { output.append(UInt8(ascii: ",")) } }
}

extension JSONWriter {
    package func member(_ name: String, _ value: (any RecordValue)?) {
        key(name)
        self.value(value)
    }

    package func members(_ record: Record) { for (name, value) in record.members { member(name, value) } }

    package func object<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try object(body)
    }

    package func array<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try array(body)
    }

    /// Writes a member for each of `properties`, with the feed's own name and the value in `quake`.
    package func members(_ properties: some Sequence<QuakeProperty>, of quake: Quake) {
        for property in properties {
            key(property.rawValue)
            quake[property].withField { value($0, FieldEncoding(property)) }
        }
    }
}
