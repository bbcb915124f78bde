extension FeedName {
    /// Parses the address of a summary feed, using only the last part: `…/summary/all_week.geojson`.
    package init?(address: String) {
        guard let last = address.split(separator: "?").first?.split(separator: "/").last, last.hasSuffix(".geojson")
        else { return nil }
        self.init(last.dropLast(".geojson".count))
    }
}
