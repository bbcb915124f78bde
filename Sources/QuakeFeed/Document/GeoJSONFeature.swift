import FoundationEssentials
import QuakeModel

/// A feature as the feed writes it, decoded by JSONDecoder.
///
/// Written by hand: synthesized decoding is a fifth slower, and does not name a wrong member.
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
            try feature.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties))
        let geometry = try feature.nestedContainer(keyedBy: GeometryMember.self, forKey: .geometry)
        var coordinates = try geometry.nestedUnkeyedContainer(forKey: .coordinates)
        quake = try Quake(id: id, hypocenter: Hypocenter(&coordinates), properties: &properties)
    }
}

/// The members of a feature's `properties` that this program understands.
///
/// In the order in which the feed writes them; rows (``FeatureRow``) have the same order.
enum PropertyKey: String, CodingKey, CaseIterable {
    case mag, place, time, updated, tz, url, detail, felt, cdi, mmi, alert, status, tsunami, sig, net, code, ids,
        sources, types, nst, dmin, rms, gap, magType, type, title

    /// The index in ``allCases`` of the member whose name is `bytes`, nil for an unknown one.
    ///
    /// - Parameter guess: the index to try first. Members mostly come in order, so the guess is mostly right.
    static func position(of bytes: Slice<UnsafeRawBufferPointer>, guess: Int = 0) -> Int? {
        guard let name = packed(bytes) else { return nil }
        let names = packedNames
        return guess < names.count && names[guess] == name ? guess : names.firstIndex(of: name)
    }

    private static let packedNames = allCases.compactMap { packed($0.rawValue.utf8) }

    /// A name of up to seven bytes, and its length, as one number. No known name is longer.
    private static func packed(_ name: some Collection<UInt8>) -> UInt64? {
        guard (1...7).contains(name.count) else { return nil }
        var number = UInt64(name.count)
        for byte in name { number = number << 8 | UInt64(byte) }
        return number
    }
}

/// Reads the members of one feature's properties, each once, in the order of ``PropertyKey``. Null means missing.
protocol PropertyReader {
    mutating func text(_ key: PropertyKey) throws -> String?
    mutating func number(_ key: PropertyKey) throws -> Double?
    /// An integer, which may be written as a float: `5.0`.
    mutating func integer(_ key: PropertyKey) throws -> Int64?
}

/// Reads the members of a GeoJSON object, by their names.
private struct KeyedPropertyReader: PropertyReader {
    private let container: KeyedDecodingContainer<PropertyKey>

    init(_ container: KeyedDecodingContainer<PropertyKey>) {
        self.container = container
    }

    func text(_ key: PropertyKey) throws -> String? {
        try container.decodeIfPresent(String.self, forKey: key)
    }

    func number(_ key: PropertyKey) throws -> Double? {
        try container.decodeIfPresent(Double.self, forKey: key)
    }

    func integer(_ key: PropertyKey) throws -> Int64? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: key)
        } catch {
            // The decoder reports 5.5 as damaged JSON and does not name the member.
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a whole number")
        }
    }
}
