/// One of the twenty summary feeds of earthquake.usgs.gov, defined by a magnitude band and a period.
public struct FeedName: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The magnitude band of a feed.
    public enum Band: String, CaseIterable, Sendable, Codable {
        /// Quakes that USGS selected as significant.
        case significant
        /// Quakes of magnitude 4.5 and above.
        case magnitude45 = "4.5"
        case magnitude25 = "2.5"
        case magnitude10 = "1.0"
        case all

        /// The filter for the quakes in a feed of this band; nil if no filter can select the same quakes. USGS rounds
        /// magnitudes to tenths before comparing them.
        package var conditions: QuakeFilter? {
            switch self {
            case .significant: nil
            case .magnitude45: QuakeFilter(minimumMagnitude: 4.45)
            case .magnitude25: QuakeFilter(minimumMagnitude: 2.45)
            case .magnitude10: QuakeFilter(minimumMagnitude: 0.95)
            case .all: QuakeFilter()
            }
        }
    }

    /// The length of time that a feed covers, ending when the feed was generated.
    public enum Period: String, CaseIterable, Sendable, Comparable, Codable {
        case hour, day, week, month

        /// The length of the period: 3,600, 86,400, 604,800 or 2,592,000 seconds (rule 6).
        package var window: Duration {
            switch self {
            case .hour: .seconds(3600)
            case .day: .seconds(86_400)
            case .week: .seconds(604_800)
            case .month: .seconds(2_592_000)
            }
        }

        /// Whether `left` is the shorter period.
        public static func < (left: Period, right: Period) -> Bool { left.window < right.window }
    }

    public let band: Band
    public let period: Period

    public init(_ band: Band, _ period: Period) {
        self.band = band
        self.period = period
    }

    /// Creates the feed with the given USGS name, such as `all_week` or `4.5_day`; nil for any other text.
    public init?(_ name: some StringProtocol) {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let band = Band(rawValue: String(parts[0])),
            let period = Period(rawValue: String(parts[1]))
        else { return nil }
        self.init(band, period)
    }

    /// The USGS name, such as `all_week`.
    public var description: String { "\(band.rawValue)_\(period.rawValue)" }

    public static var allCases: [FeedName] {
        Band.allCases.flatMap { band in Period.allCases.map { FeedName(band, $0) } }
    }

    /// Whether the absence of a quake from this feed can mean that the quake was deleted. Only the `all` feeds select
    /// quakes by time alone (rule 7).
    package var isComplete: Bool { band == .all }
}

/// A feed is encoded as its name.
extension FeedName: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let feed = FeedName(name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(name) is not a feed")
        }
        self = feed
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
