extension QuakeContext {
    /// The maximum number of quakes to count.
    private static let countedRows = 20_000

    /// Returns the number of quakes in each region, among the 20,000 newest quakes. A quake at a border counts in both
    /// regions.
    package func regions() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var parts: [String: Int] = [:]
        _ = try session.database().all(
            "SELECT place, lon FROM (SELECT place, lon FROM quakes ORDER BY time DESC LIMIT ?) WHERE place IS NOT NULL",
            Self.countedRows
        ) { row in parts[Region.partAfterLastComma(of: row.text(0), longitude: row.real(1)), default: 0] += 1 }
        for (part, count) in parts {
            for name in Region.names(ofPart: part) { counts[name, default: 0] += count }
        }
        return counts
    }
}
