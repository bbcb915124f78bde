/// A quake decoded from a ``Record``, as in the output of `quakes list --format json`.
struct RecordedQuake: Decodable {
    private static let required: [QuakeProperty] = [.net, .code, .time, .updated, .lat, .lon]

    let quake: Quake

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: QuakeProperty.self)
        for property in Self.required where try members.decodeNil(forKey: property) {
            throw DecodingError.dataCorruptedError(
                forKey: property, in: members, debugDescription: "null in a property that every quake has")
        }
        var quake = Quake.blank
        try quake.set(QuakeProperty.compared, from: members)
        try quake.set(QuakeProperty.publishedTexts, from: members)
        self.quake = quake
    }
}

extension Quake {
    /// Sets `properties` to the recorded values. Properties must be set before the properties derived from them.
    mutating func set(
        _ properties: some Sequence<QuakeProperty>, from members: KeyedDecodingContainer<QuakeProperty>
    ) throws {
        for property in properties where members.contains(property) {
            let value = try members.recordedValue(of: property)
            // Store a published title or URL only if it differs from the derived one.
            self[stored: property] = .null
            if value != self[property] { self[stored: property] = value }
        }
    }
}

extension KeyedDecodingContainer<QuakeProperty> {
    fileprivate func recordedValue(of property: QuakeProperty) throws -> QuakeValue {
        switch FieldEncoding(property) {
        case .moment: return QuakeValue(try momentIfPresent(property)?.milliseconds)
        case .set:
            let words = try decodeIfPresent([String].self, forKey: property) ?? []
            return .text(words.isEmpty ? "" : ",\(words.joined(separator: ",")),")
        case .embeddedJSON: return QuakeValue(try decodeIfPresent(JSONValue.self, forKey: property)?.compactText())
        case .plain, .local:
            switch property.kind {
            case .integer, .time: return QuakeValue(try decodeIfPresent(Int64.self, forKey: property))
            case .real: return QuakeValue(try decodeIfPresent(Double.self, forKey: property))
            case .text: return QuakeValue(try decodeIfPresent(String.self, forKey: property))
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a moment in ISO 8601 format; nil if it is missing.
    func momentIfPresent(_ key: Key) throws -> Timestamp? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let moment = Timestamp(iso8601: text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not an ISO 8601 time")
        }
        return moment
    }

    func moment(_ key: Key) throws -> Timestamp {
        guard let moment = try momentIfPresent(key) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "null instead of a time")
        }
        return moment
    }
}
