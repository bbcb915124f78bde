/// The members of a feature's `properties` that this program does not know, copied byte for byte. Numbers keep all
/// their digits, and nothing is decoded.
enum UnknownProperties {
    /// Returns the unknown members as one JSON object with sorted keys and no whitespace between tokens; nil if there
    /// are none. If a member occurs twice, the last occurrence counts. Malformed members, such as one with the number
    /// `01`, and members nested more than 99 levels deep are left out.
    static func json(in bytes: UnsafeRawBufferPointer) -> String? {
        var members: [String: String] = [:]
        var outer = JSONSkipper(bytes, at: 0)
        try? outer.skipContainer { key, skipper in
            guard key.count == 10, skipper.bytes[key].elementsEqual("properties".utf8) else { return }
            var inner = skipper
            inner.skipSpace()
            guard inner.take(ASCIIByte.colon), inner.current == ASCIIByte.openBrace else { return }
            try? inner.skipContainer { key, inner in
                inner.skipSpace()
                // A string that is not followed by a colon is a value.
                guard inner.take(ASCIIByte.colon), QuakeProperty.position(of: inner.bytes[key]) == nil else { return }
                let start = inner.position
                guard (try? inner.skipValue()) != nil else { return }
                let value = inner.bytes[start..<inner.position]
                guard isJSON(inner.bytes[key.lowerBound - 1...key.upperBound]), isJSON(value) else { return }
                let name = String(decoding: inner.bytes[key], as: UTF8.self)
                members[name] = String(decoding: compacted(value), as: UTF8.self)
            }
            skipper = inner
        }
        guard !members.isEmpty else { return nil }
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return "{" + sorted.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns whether `value` is JSON that a stored object can contain.
    private static func isJSON(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        JSONGrammar.isValue(UnsafeRawBufferPointer(rebasing: value), depth: 1)
    }

    /// Returns `value` without whitespace between its tokens.
    private static func compacted(_ value: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var result: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in value where isInString || !ASCIIByte.isSpace(byte) {
            result.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == ASCIIByte.backslash {
                isEscaped = isInString
            } else if byte == ASCIIByte.quote {
                isInString.toggle()
            }
        }
        return result
    }
}
