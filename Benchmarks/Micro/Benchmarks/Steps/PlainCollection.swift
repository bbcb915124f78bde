/// A GeoJSON document of quakes as one writes it in a minute: every published property, all code synthesized.
struct PlainCollection: Decodable {
    let features: [PlainFeature]
}

/// One of its features; an object of a JSON listing, too.
struct PlainFeature: Codable, Equatable {
    let id: String
    let properties: Properties
    let geometry: Geometry

    struct Geometry: Codable, Equatable {
        let coordinates: [Double?]
    }

    struct Properties: Codable, Equatable {
        let mag: Double?
        let place: String?
        let time: Int64
        let updated: Int64
        let tz: Int64?
        let url: String?
        let detail: String?
        let felt: Int64?
        let cdi: Double?
        let mmi: Double?
        let alert: String?
        let status: String?
        let tsunami: Int64?
        let sig: Int64?
        let net: String
        let code: String
        let ids: String?
        let sources: String?
        let types: String?
        let nst: Int64?
        let dmin: Double?
        let rms: Double?
        let gap: Double?
        let magType: String?
        let type: String?
        let title: String?
    }
}
