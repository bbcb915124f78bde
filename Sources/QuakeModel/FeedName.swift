/// One of the twenty summary feeds of earthquake.usgs.gov: a magnitude band over a period.
public struct FeedName: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Which quakes a feed lists.
    public enum Threshold: String, CaseIterable, Sendable, Codable {
        /// Those that USGS selected as significant.
        case significant
        /// Magnitude 4.5 and above; the next two likewise.
        case magnitude45 = "4.5"
        case magnitude25 = "2.5"
        case magnitude10 = "1.0"
        case all

        /// The quakes of which a feed of this band lists every one; nil if no condition selects them. USGS rounds
        /// magnitudes to tenths before it compares them.
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

    /// How far back from `generated` a feed reaches, by origin time.
    public enum Period: String, CaseIterable, Sendable, Comparable, Codable {
        case hour, day, week, month

        /// The length of the window: 3,600, 86,400, 604,800 or 2,592,000 seconds (rule 6).
        public var window: Duration {
            switch self {
            case .hour: .seconds(3600)
            case .day: .seconds(86_400)
            case .week: .seconds(604_800)
            case .month: .seconds(2_592_000)
            }
        }

        /// Whether the first window is shorter.
        public static func < (left: Period, right: Period) -> Bool { left.window < right.window }
    }

    /// Which quakes the feed lists.
    public let band: Threshold
    /// How far back it reaches.
    public let period: Period

    /// The feed of `band` over `period`.
    public init(_ band: Threshold, _ period: Period) { (self.band, self.period) = (band, period) }

    /// The feed with the name USGS gives it, such as `all_week` or `4.5_day`; nil for any other text.
    public init?(_ name: some StringProtocol) {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let band = Threshold(rawValue: String(parts[0])),
            let period = Period(rawValue: String(parts[1]))
        else { return nil }
        self.init(band, period)
    }

    /// The name USGS gives it, such as `all_week`.
    public var description: String { "\(band.rawValue)_\(period.rawValue)" }

    public static var allCases: [FeedName] {
        Threshold.allCases.flatMap { band in Period.allCases.map { FeedName(band, $0) } }
    }

    /// Whether a quake missing from this feed may be gone: only the `all` feeds select by time alone (rule 7).
    public var isComplete: Bool { band == .all }
}

/// A feed is coded as its name.
extension FeedName: Codable {
    /// Reads the name. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let feed = FeedName(name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(name) is not a feed")
        }
        self = feed
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The names under which a cache remembers sources that are neither feeds nor addresses nor paths.
package enum SourceName {
    /// Begins the name of the event service at an address, asked about single quakes and for windows of backfills.
    package static let servicePrefix = "event service "
    package static let standardInput = "standard input"
}
