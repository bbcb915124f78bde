import FoundationEssentials
import QuakeModel

extension Quake {
    /// Throws where a value could not be stored, or would be read back as another one: SQLite has no NaN, JSON no
    /// infinity, and one value of this kind would make the history unreadable.
    func requireStorable() throws(StoreError) {
        for property in QuakeProperty.compared where !isStorable(property) {
            let value: String =
                switch self[property] {
                case .null: "null"
                case .integer(let integer): String(integer)
                case .real(let real): String(real)
                case .text(let text): text
                }
            throw .unstorable(id: id, property: property, value: value)
        }
    }

    private func isStorable(_ property: QuakeProperty) -> Bool {
        switch (property, self[property]) {
        case (_, .null): true
        case (.net, .text(let text)), (.code, .text(let text)): Quake.isPlainID(text)
        case (.extra, .text(let text)): JSONObject.isOne(text)
        // C programs that read the cache would see only what stands before a zero byte.
        case (_, .text(let text)): !text.hasZeroByte && (!property.row.isSet || PublishedSet(text).text == text)
        case (.lon, .real(let degrees)): (-180...180).contains(degrees)
        case (.lat, .real(let degrees)): (-90...90).contains(degrees)
        case (.depth, .real(let depth)): Hypocenter.possibleDepths.contains(depth)
        case (_, .real(let number)): number.isFinite
        case (_, .integer(let integer)):
            property.kind != .time || Timestamp.representable.contains(Timestamp(milliseconds: integer))
        }
    }
}

/// Any JSON object.
private struct JSONObject: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Name.self) }

    static func isOne(_ text: String) -> Bool {
        (try? JSONDecoder().decode(JSONObject.self, from: Data(text.utf8))) != nil
    }
}
