import FoundationEssentials

/// A feature as written in the feed, decoded by JSONDecoder.
///
/// The decoding is handwritten, because synthesized decoding is a fifth slower and does not name the faulty member.
struct GeoJSONFeature: Decodable {
    let quake: Quake

    private enum Member: String, CodingKey {
        case id, properties, geometry
    }

    private enum GeometryMember: String, CodingKey {
        case coordinates
    }

    init(from decoder: any Decoder) throws {
        let feature = try decoder.container(keyedBy: Member.self)
        guard let id = try feature.decodeIfPresent(String.self, forKey: .id) else { throw FeatureDefect.missing("id") }
        var properties = KeyedPropertyReader(
            container: try feature.nestedContainer(keyedBy: QuakeProperty.self, forKey: .properties))
        let geometry = try feature.nestedContainer(keyedBy: GeometryMember.self, forKey: .geometry)
        var coordinates = try geometry.nestedUnkeyedContainer(forKey: .coordinates)
        quake = try Quake(id: id, hypocenter: Hypocenter(&coordinates), properties: &properties)
    }
}

extension QuakeProperty {
    /// Returns the index in ``inFeatures`` of the member whose name is `bytes`; nil for an unknown member.
    ///
    /// - Parameter guess: the index to try first. It is usually right, because members usually come in the same order.
    static func position(of bytes: Slice<UnsafeRawBufferPointer>, guess: Int = 0) -> Int? {
        guard let name = packed(bytes) else { return nil }
        let names = packedNames
        return guess < names.count && names[guess] == name ? guess : names.firstIndex(of: name)
    }

    private static let packedNames = inFeatures.map { packed($0.rawValue.utf8) }

    /// Returns a name as one number; nil unless the name has 1 to 16 bytes and does not begin with a zero byte, as is
    /// the case for every known name. Different names therefore have different numbers.
    private static func packed(_ name: some Collection<UInt8>) -> UInt128? {
        guard name.count <= 16, let first = name.first, first != 0 else { return nil }
        var number: UInt128 = 0
        for byte in name { number = number << 8 | UInt128(byte) }
        return number
    }
}

/// Reads the members of a GeoJSON object by their names.
private struct KeyedPropertyReader: PropertyReader {
    let container: KeyedDecodingContainer<QuakeProperty>
    let members = QuakeProperty.inFeatures

    func text(_ key: QuakeProperty) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }

    func number(_ key: QuakeProperty) throws -> Double? { try container.decodeIfPresent(Double.self, forKey: key) }

    func integer(_ key: QuakeProperty) throws -> Int64? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: key)
        } catch {
            // The decoder reports 5.5 as corrupted JSON and does not name the member.
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a whole number")
        }
    }
}
