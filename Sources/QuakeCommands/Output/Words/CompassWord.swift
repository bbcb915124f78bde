enum CompassWord {
    private static let words = [
        "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
    ]

    /// Returns the compass direction nearest to `degrees`, which are clockwise from north.
    static func of(degrees: Double) -> String {
        guard degrees.isFinite else { return "" }
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return words[Int(((turned < 0 ? turned + 360 : turned) / 22.5).rounded()) % words.count]
    }
}
