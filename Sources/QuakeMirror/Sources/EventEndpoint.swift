/// The URL of an event service.
public struct EventEndpoint: Hashable, Sendable {
    /// The URL for queries, without parameters.
    public let base: String

    /// Creates an endpoint with the URL `base`, which is the USGS service by default.
    public init(base: String = "https://earthquake.usgs.gov/fdsnws/event/1/query") { self.base = base }

    /// Whether the service runs on this machine, as a copy or test server does.
    package var isOnThisMachine: Bool {
        let host = TransportRequest.host(of: base)
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Returns the GeoJSON URL for the quake with the id `id`, which need not be its preferred id.
    package func url(forID id: String) -> String { url(with: "eventid=\(EventEndpoint.escaped(id))&format=geojson") }

    /// Returns the GeoJSON URL for the same quake as ``url(forID:)``, with every version of its products.
    package func url(forVersionsOfID id: String) -> String {
        url(with: "format=geojson&eventid=\(EventEndpoint.escaped(id))&includesuperseded=true&includedeleted=false")
    }

    /// Returns the URL of the query with these parameters.
    func url(with parameters: String) -> String { "\(base)\(base.contains("?") ? "&" : "?")\(parameters)" }

    /// Rejects a base that is not the URL of a query, because responses with status 404 from any other URL would look
    /// like unknown quakes.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    package func requireQuery() throws(FeedError) {
        guard EventEndpoint.isQuery(base) else {
            throw .unusableQuery(
                "\(WebAddress.redacted(base)) is not the URL of an event service. The URL must end with /query.")
        }
    }

    /// Returns whether `url` is the URL of an event service query.
    package static func isQuery(_ url: String) -> Bool { url.prefix { $0 != "?" }.hasSuffix("/query") }

    /// Returns whether `url` requests quakes or their number from an event service.
    static func isRequest(_ url: String) -> Bool {
        isQuery(url) || url.contains("://") && url.prefix { $0 != "?" }.hasSuffix("/count")
    }

    /// Returns the URL for counting quakes with these parameters: `count` replaces `query`.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    func countURL(with parameters: String) throws(FeedError) -> String {
        try requireQuery()
        let parts = base.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let keys = parts.count > 1 ? "?\(parts[1])&" : "?"
        return "\(parts[0].dropLast("query".count))count\(keys)\(parameters)"
    }

    /// Percent-encodes the value of a parameter, except for ASCII letters, digits and `-_.` (RFC 3986, 2.1).
    static func escaped(_ id: String) -> String {
        id.utf8.map { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": String(Unicode.Scalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
