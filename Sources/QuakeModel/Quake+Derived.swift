extension Quake {
    /// The title the feed builds from magnitude and place: `M 4.5 - 8 km E of Fox`, `M ? - …`.
    ///
    /// The magnitude is rounded half up to one decimal, as the feed does (4.35 → 4.4). For events other than
    /// earthquakes the feed also names the type; such titles are kept as published.
    public var derivedTitle: String { "M \(Self.titleMagnitude(magnitude)) - \(place ?? "")" }

    /// The address of the event page.
    public var derivedURL: String { Self.eventPages + id }

    /// The address of the detail feed.
    public var derivedDetail: String { Self.detailFeeds + id + Self.detailSuffix }

    /// What stands before the id in the address of an event page.
    public static let eventPages = "https://earthquake.usgs.gov/earthquakes/eventpage/"
    /// What stands before the id in the address of a detail feed.
    public static let detailFeeds = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/"
    /// What stands behind the id in the address of a detail feed.
    public static let detailSuffix = ".geojson"

    /// The title as published.
    public var title: String { publishedTitle ?? derivedTitle }

    /// The address of the event page as published.
    public var url: String { publishedURL ?? derivedURL }

    /// The address of the detail feed as published.
    public var detail: String { publishedDetail ?? derivedDetail }

    /// The magnitude as titles write it: one decimal, `?` where there is none.
    public static func titleMagnitude(_ magnitude: Double?) -> String {
        guard let magnitude else { return "?" }
        // Half up on the decimal digits: 4.35 is a little less than 4.35 in binary, so shift before rounding.
        let tenths = (abs(magnitude) * 10 + 1e-9).rounded(.toNearestOrAwayFromZero)
        let sign = magnitude < 0 && tenths > 0 ? "-" : ""
        // No quake is near this, but a number from outside may be.
        guard let whole = Int64(exactly: tenths) else { return "\(magnitude)" }
        return "\(sign)\(whole / 10).\(whole % 10)"
    }
}
