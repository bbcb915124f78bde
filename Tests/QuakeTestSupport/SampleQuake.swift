public import QuakeModel

extension Timestamp {
    /// The time shown by the tests' clocks: 2026-03-14T12:00:00Z.
    public static let sample = Timestamp(milliseconds: 1_773_489_600_000)
}

extension Quake {
    /// Creates a sample quake. `id` begins with its network's two letters.
    public init(
        sample id: String,
        at hypocenter: Hypocenter = Hypocenter(longitude: -155.3, latitude: 19.4, depthKilometers: 8.1),
        time: Timestamp = .sample, updated: Timestamp = .sample, magnitude: Double? = 4.6,
        place: String? = "5 km S of Pāhola"
    ) {
        self.init(
            net: String(id.prefix(2)), code: String(id.dropFirst(2)), originTime: time, updated: updated,
            hypocenter: hypocenter)
        self.magnitude = magnitude
        self.place = place
    }
}

extension Quake {
    /// A quake as listed in the feed of 2021.
    public static func inAlaska(
        _ code: String = "70000abc", magnitude: Double? = 4.5, place: String? = "8 km E of Fox, Alaska"
    ) -> Quake {
        var quake = Quake(
            sample: "us" + code, at: Hypocenter(longitude: -147.25, latitude: 64.875, depthKilometers: 8.43),
            time: Timestamp(milliseconds: 1_626_986_384_040), updated: Timestamp(milliseconds: 1_626_990_000_000),
            magnitude: magnitude, place: place)
        quake.magnitudeType = "ml"
        quake.status = "reviewed"
        quake.eventType = "earthquake"
        quake.tsunami = false
        quake.significance = 312
        return quake
    }
}

extension Quake {
    /// The quake with every uncertainty.
    public var withUncertainties: Quake {
        var quake = self
        (quake.horizontalErrorKilometers, quake.depthErrorKilometers, quake.magnitudeError) = (6.25, 1.7, 0.052)
        (quake.magnitudeStationCount, quake.locationSource, quake.magnitudeSource) = (31, "us", "hv")
        return quake
    }
}
