/// Where the event service answers for single quakes.
public struct EventEndpoint: Hashable, Sendable {
    /// The address of the query, without parameters.
    public let base: String

    /// The service at `base`; by default that of earthquake.usgs.gov.
    public init(base: String = "https://earthquake.usgs.gov/fdsnws/event/1/query") {
        self.base = base
    }

    /// The address that answers for the quake with any of whose ids is `id`, in GeoJSON.
    public func url(forID id: String) -> String {
        "\(base)\(base.contains("?") ? "&" : "?")eventid=\(EventEndpoint.escaped(id))&format=geojson"
    }

    /// An id comes from the network: whatever is no letter or digit is written as a percent escape (RFC 3986, 2.1).
    private static func escaped(_ id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": text.unicodeScalars.append(scalar)
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
