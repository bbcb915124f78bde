/// A quake is encoded as an object with the feed's names for its properties (``QuakeProperty``): times as milliseconds
/// and sets as published, without members for missing values. The title and the URLs are included only if the published
/// text differs from the derived text. `id` is added for other readers; decoding ignores it.
extension Quake: Codable {
    /// Decodes a quake, ignoring unknown members. Throws `DecodingError` if the value is not an encoded quake.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: QuakeProperty.self)
        self.init(
            net: try members.decode(String.self, forKey: .net), code: try members.decode(String.self, forKey: .code),
            originTime: try members.decode(Timestamp.self, forKey: .time),
            updated: try members.decode(Timestamp.self, forKey: .updated),
            hypocenter: Hypocenter(
                longitude: try members.decode(Double.self, forKey: .lon),
                latitude: try members.decode(Double.self, forKey: .lat), depthKilometers: nil))
        for property in QuakeProperty.stored where members.contains(property) {
            self[stored: property] = try QuakeValue(members, property)
        }
    }

    /// Encodes the quake's properties in their stored form, which differs from the JSON output of `quakes list`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: QuakeProperty.self)
        try members.encode(id, forKey: .id)
        for property in QuakeProperty.stored {
            switch self[stored: property] {
            case .null: break
            case .integer(let value): try members.encode(value, forKey: property)
            case .real(let value): try members.encode(value, forKey: property)
            case .text(let value): try members.encode(value, forKey: property)
            }
        }
    }
}

extension QuakeProperty: CodingKey {}

extension QuakeValue {
    fileprivate init(_ members: KeyedDecodingContainer<QuakeProperty>, _ property: QuakeProperty) throws {
        switch property.kind {
        case .integer, .time: self.init(try members.decodeIfPresent(Int64.self, forKey: property))
        case .real: self.init(try members.decodeIfPresent(Double.self, forKey: property))
        case .text: self.init(try members.decodeIfPresent(String.self, forKey: property))
        }
    }
}
