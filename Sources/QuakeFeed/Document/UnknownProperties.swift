import FoundationEssentials

/// The members of a feature's `properties` that this program does not know: kept, not lost.
struct UnknownProperties: Decodable {
    /// One JSON object with sorted keys; nil when there are none.
    let json: String?

    private enum Member: String, CodingKey {
        case properties
    }

    init(from decoder: any Decoder) throws {
        let feature = try decoder.container(keyedBy: Member.self)
        var members = try feature.decode([String: JSONValue].self, forKey: .properties)
        for key in PropertyKey.allCases { members[key.rawValue] = nil }
        guard !members.isEmpty else {
            json = nil
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(members), as: UTF8.self)
    }

    /// Whether the `properties` of the feature in `bytes` have a member that this program does not know, read off the
    /// bytes. Nearly none have, and asking the decoder for all its keys costs more than a quarter of decoding them.
    static func isAny(in bytes: UnsafeRawBufferPointer) -> Bool {
        var isAny = false
        var outer = JSONSkipper(bytes, at: 0)
        try? outer.skipContainer { key, skipper in
            guard key.count == 10, skipper.bytes[key].elementsEqual("properties".utf8) else { return }
            var inner = skipper
            inner.skipSpace()
            guard inner.take(JSONByte.colon), inner.current == JSONByte.openBrace else { return }
            try? inner.skipContainer { key, inner in
                inner.skipSpace()
                // A string that no colon follows is a value.
                if inner.take(JSONByte.colon), !KnownNames.contains(inner.bytes[key]) { isAny = true }
            }
            skipper = inner
        }
        return isAny
    }
}

/// The names of the known members as bytes, by their length.
private enum KnownNames {
    private static let byLength: [[[UInt8]]] = {
        var names: [[[UInt8]]] = Array(repeating: [], count: 16)
        for key in PropertyKey.allCases { names[key.rawValue.utf8.count].append(Array(key.rawValue.utf8)) }
        return names
    }()

    static func contains(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        name.count < byLength.count && byLength[name.count].contains { $0.elementsEqual(name) }
    }
}

/// Any JSON value, for what is carried along without being understood.
private enum JSONValue: Codable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let boolean): try container.encode(boolean)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}
