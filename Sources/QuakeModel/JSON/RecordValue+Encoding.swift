import FoundationEssentials

// In a record, a value is encoded in the form in which `write(to:)` writes it. This may differ from the `Codable` form
// of its type.

extension RecordValue where Self: Encodable {
    package func encodeRecord(to encoder: any Encoder) throws { try encode(to: encoder) }
}

extension Double {
    package func encodeRecord(to encoder: any Encoder) throws { try (isFinite ? self : nil).encode(to: encoder) }
}

extension Timestamp {
    package func encodeRecord(to encoder: any Encoder) throws { try iso8601.encode(to: encoder) }
}

extension QuakeValue {
    package func encodeRecord(to encoder: any Encoder) throws {
        try EncodedRecord(value: recordValue(isTime: false)).encode(to: encoder)
    }
}

extension Quake {
    package func encodeRecord(to encoder: any Encoder) throws { try encode(QuakeProperty.allCases, to: encoder) }

    func encode(_ properties: some Sequence<QuakeProperty>, to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: QuakeProperty.self)
        for property in properties {
            switch (self[property], FieldEncoding(property)) {
            case (.text(let words), .set):
                try members.encode(
                    words.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }, forKey: property)
            case (.text(let json), .embeddedJSON):
                guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else {
                    throw EncodingError.invalidValue(
                        json, .init(codingPath: encoder.codingPath + [property], debugDescription: "not JSON"))
                }
                try members.encode(value, forKey: property)
            case (let value, _):
                try members.encode(
                    EncodedRecord(value: value.recordValue(isTime: property.kind == .time)), forKey: property)
            }
        }
    }
}

extension Array where Element: RecordValue {
    package func encodeRecord(to encoder: any Encoder) throws {
        try map { EncodedRecord(value: $0) }.encode(to: encoder)
    }
}

extension Record {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encodeRecord(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members {
            try container.encode(EncodedRecord(value: value), forKey: Name(stringValue: name))
        }
    }
}

/// Wraps a value in a record, or null, so that an encoder accepts it.
struct EncodedRecord: Encodable {
    let value: (any RecordValue)?

    func encode(to encoder: any Encoder) throws {
        if let value { return try value.encodeRecord(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
