public import QuakeModel

/// Where the summary feeds lie.
public struct FeedEndpoint: Hashable, Sendable {
    /// The address of the directory that holds the feeds, without a slash at its end.
    public let base: String

    /// The feeds under `base`; by default those of earthquake.usgs.gov.
    public init(base: String = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary") {
        var trimmed = Substring(base)
        while trimmed.last == "/" { trimmed.removeLast() }
        self.base = String(trimmed)
    }

    /// The address of `feed` in GeoJSON.
    public func url(for feed: FeedName) -> String {
        "\(base)/\(feed).geojson"
    }
}
