public import QuakeModel

extension Timestamp {
    /// The moment at which the tests' clocks stand: 2026-03-14T12:00:00Z.
    public static let sample = Timestamp(milliseconds: 1_773_489_600_000)
}

extension Quake {
    /// A quake to try things on. `id` begins with two letters of its network.
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
