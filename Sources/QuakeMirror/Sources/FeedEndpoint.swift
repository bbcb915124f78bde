/// The server folder that contains the summary feeds.
public struct FeedEndpoint: Hashable, Sendable {
    /// The URL of the folder, without a trailing slash.
    public let base: String

    /// Creates the endpoint at `base`, which is the USGS server by default.
    public init(base: String = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary") {
        var trimmed = Substring(base)
        while trimmed.last == "/" { trimmed.removeLast() }
        self.base = String(trimmed)
    }

    /// Returns the URL of `feed` in GeoJSON.
    package func url(for feed: FeedName) -> String { "\(base)/\(feed).geojson" }
}
