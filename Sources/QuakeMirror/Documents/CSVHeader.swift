/// The first row of a CSV document, which names the columns in any order. Case and underscores are ignored, so that the
/// names of USGS (`horizontalError`) and of `quakes list` (`horizontal_error`) are both known.
struct CSVHeader: Sendable {
    /// The position of each known column in the rows, and its name in the document.
    private(set) var columns: [QuakeProperty: (position: Int, name: String)] = [:]
    /// The number of columns, including unknown ones.
    let count: Int

    /// The properties without which a row is no quake, with the names of their columns in the USGS feeds.
    private static let required: KeyValuePairs<QuakeProperty, String> = [
        .time: "time", .lat: "latitude", .lon: "longitude", .id: "id", .updated: "updated", .net: "net",
    ]

    /// The names of the columns that every document has.
    static let requiredNames = required.map(\.value)

    /// The properties keyed by their folded names, which are in lowercase and have no underscores. All other
    /// properties, such as the lists of ids and the URLs, are read only from GeoJSON.
    private static let properties: [String: QuakeProperty] = {
        let unread: Set<QuakeProperty> = [.code, .ids, .sources, .types, .title, .url, .detail, .extra]
        let names = QuakeProperty.allCases.filter { !unread.contains($0) }.map { (folded($0.rawValue), $0) }
        return Dictionary(uniqueKeysWithValues: names + [("latitude", .lat), ("longitude", .lon)])
    }()

    /// Returns nil if `row` has only one field, because the document is then not CSV.
    ///
    /// - Throws: ``DocumentError`` if a column is repeated, a required column is missing, or no column is known.
    init?(_ row: CSVRow, in bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        guard row.fields.count > 1 else { return nil }
        count = row.fields.count
        for (position, field) in row.fields.enumerated() {
            let name = String(decoding: bytes[field].prefix(100), as: UTF8.self)
            guard let property = Self.properties[Self.folded(name)] else { continue }
            guard columns.updateValue((position, name), forKey: property) == nil else { throw .repeatedColumn(name) }
        }
        guard !columns.isEmpty else { throw .unnamedColumns(required: Self.requiredNames) }
        let missing = Self.required.filter { columns[$0.key] == nil }.map(\.value)
        guard missing.isEmpty else { throw .missingColumns(missing, of: Self.requiredNames) }
    }

    private static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
}
