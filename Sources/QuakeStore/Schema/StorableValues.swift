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
        switch property {
        case .net: Quake.isPlainID(net)
        case .code: Quake.isPlainID(code)
        case .ids: ids.isCanonical
        case .sources: sources.isCanonical
        case .types: productTypes.isCanonical
        case .time: Timestamp.representable.contains(originTime)
        case .updated: Timestamp.representable.contains(updated)
        case .lon: (-180...180).contains(hypocenter.longitude)
        case .lat: (-90...90).contains(hypocenter.latitude)
        case .depth: hypocenter.depthKilometers.map(Hypocenter.possibleDepths.contains) ?? true
        case .mag: magnitude?.isFinite ?? true
        case .cdi: communityIntensity?.isFinite ?? true
        case .mmi: instrumentalIntensity?.isFinite ?? true
        case .dmin: nearestStationDegrees?.isFinite ?? true
        case .rms: residualSeconds?.isFinite ?? true
        case .gap: azimuthalGap?.isFinite ?? true
        case .extra: extra.map(JSONObject.isOne) ?? true
        case .magType: isStorable(magnitudeType)
        case .place: isStorable(place)
        case .type: isStorable(eventType)
        case .status: isStorable(status)
        case .alert: isStorable(alert)
        case .title: isStorable(publishedTitle)
        case .url: isStorable(publishedURL)
        case .detail: isStorable(publishedDetail)
        case .id, .felt, .tsunami, .sig, .nst, .tz: true
        }
    }

    /// C programs that read the cache would see only what stands before a zero byte.
    private func isStorable(_ text: String?) -> Bool {
        text.map { !$0.hasZeroByte } ?? true
    }
}

extension PublishedSet {
    fileprivate var isCanonical: Bool { PublishedSet(text) == self && !text.hasZeroByte }
}

/// Any JSON object.
private struct JSONObject: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Name.self)
    }

    static func isOne(_ text: String) -> Bool {
        (try? JSONDecoder().decode(JSONObject.self, from: Data(text.utf8))) != nil
    }
}
