import QuakeModel

/// A feature whose values were put into a row: id, longitude, latitude, depth, then the properties in the order of
/// ``PropertyKey``. See ``FeatureRowWriter``.
struct FeatureRow: Decodable {
    /// Nil when something is wrong with a value: what it is, ``GeoJSONFeature`` tells from the feature itself.
    let quake: Quake?

    init(from decoder: any Decoder) throws {
        quake = try? FeatureRow.quake(in: decoder.unkeyedContainer())
    }

    private static func quake(in row: any UnkeyedDecodingContainer) throws -> Quake {
        var row = row
        let id = try row.decode(String.self)
        let hypocenter = try Hypocenter(&row)
        var properties = RowPropertyReader(row)
        return try Quake(id: id, hypocenter: hypocenter, properties: &properties)
    }
}
