/// The members of a feature's `properties` that this program does not know, copied byte for byte. Numbers keep all
/// their digits, and deep nesting costs nothing.
enum UnknownProperties {
    /// Returns the unknown members as one JSON object with sorted keys and no whitespace between tokens; nil if there
    /// are none. If a member occurs twice, the last occurrence counts. A malformed member, such as one with the number
    /// `01`, is left out, because the object must be valid JSON.
    static func json(in bytes: UnsafeRawBufferPointer) -> String? {
        var members: [String: String] = [:]
        var outer = JSONSkipper(bytes, at: 0)
        try? outer.skipContainer { key, skipper in
            guard key.count == 10, skipper.bytes[key].elementsEqual("properties".utf8) else { return }
            var inner = skipper
            inner.skipSpace()
            guard inner.take(JSONByte.colon), inner.current == JSONByte.openBrace else { return }
            try? inner.skipContainer { key, inner in
                inner.skipSpace()
                // A string that is not followed by a colon is a value.
                guard inner.take(JSONByte.colon), QuakeProperty.position(of: inner.bytes[key]) == nil else { return }
                let start = inner.position
                guard (try? inner.skipValue()) != nil else { return }
                let name = String(decoding: inner.bytes[key], as: UTF8.self)
                let value = String(decoding: compacted(inner.bytes[start..<inner.position]), as: UTF8.self)
                if JSONText.isObject("{\"\(name)\":\(value)}") { members[name] = value }
            }
            skipper = inner
        }
        guard !members.isEmpty else { return nil }
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return "{" + sorted.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns `value` without whitespace between its tokens.
    private static func compacted(_ value: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var result: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in value where isInString || !JSONByte.isSpace(byte) {
            result.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == JSONByte.backslash {
                isEscaped = isInString
            } else if byte == JSONByte.quote {
                isInString.toggle()
            }
        }
        return result
    }
}
