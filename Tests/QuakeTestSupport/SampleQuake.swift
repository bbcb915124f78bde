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
