/// Counts of quakes by hour, day, month or year, in UTC.
package struct OriginTimeCounts: Sendable {
    /// The length of a span.
    package enum Unit: String, Sendable {
        /// The unit for quakes within three days.
        case hour
        /// The unit for quakes within 100 days.
        case day
        /// A week that starts on Monday. ``OriginTimeCounts/unit`` never has this value.
        case week
        /// The unit for quakes within 20 years.
        case month
        /// The unit for longer periods.
        case year
    }

    /// One hour, day, month or year.
    package struct Span: Hashable, Sendable {
        package let start: Timestamp
        /// The number of quakes with an origin time in the span.
        package let count: Int
    }

    private var days: [Timestamp: Int] = [:]
    /// The counts by hour; nil once there are more than 100 different hours.
    private var hours: [Timestamp: Int]? = [:]

    package init() {}

    /// Adds the origin time of a quake. Years outside 0000 to 9999 are clamped to that range.
    package mutating func add(_ time: Timestamp) {
        let time = min(max(time, Timestamp.representable.lowerBound), Timestamp.representable.upperBound)
        days[Unit.day.start(of: time), default: 0] += 1
        hours?[Unit.hour.start(of: time), default: 0] += 1
        if let count = hours?.count, count > 100 { hours = nil }
    }

    /// The length of the spans, chosen by the time from the first quake to the last.
    package var unit: Unit {
        guard let first = days.keys.min(), let last = days.keys.max() else { return .day }
        let length = (last.milliseconds - first.milliseconds) / Unit.dayLength
        if length < 3, hours != nil { return .hour }
        return length < 100 ? .day : length < 7_306 ? .month : .year
    }

    /// All spans from the first quake to the last, including those without quakes.
    package var spans: [Span] {
        let unit = unit
        var counts: [Timestamp: Int] = [:]
        for (start, count) in unit == .hour ? hours ?? [:] : days { counts[unit.start(of: start), default: 0] += count }
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
        return sequence(first: first) { $0 < last ? unit.next(after: $0) : nil }
            .map { Span(start: $0, count: counts[$0] ?? 0) }
    }
}

extension OriginTimeCounts.Unit {
    fileprivate static let dayLength: Int64 = 86_400_000

    /// The maximum length in milliseconds. For months and years, the length includes an extra day, so that the start of
    /// a span plus this length always lies in the next span.
    private var maximumMilliseconds: Int64 {
        switch self {
        case .hour: 3_600_000
        case .day: Self.dayLength
        case .week: 7 * Self.dayLength
        case .month: 32 * Self.dayLength
        case .year: 367 * Self.dayLength
        }
    }

    /// Returns the start of the span that contains `moment`, in UTC.
    package func start(of moment: Timestamp) -> Timestamp {
        switch self {
        case .hour, .day, .week:
            // 1970 began on a Thursday.
            let past = (moment.milliseconds - (self == .week ? 4 * Self.dayLength : 0)) % maximumMilliseconds
            return moment - .milliseconds(past < 0 ? past + maximumMilliseconds : past)
        case .month: return Timestamp(iso8601: moment.dayWords.prefix(7) + "-01") ?? moment
        case .year: return Timestamp(iso8601: moment.dayWords.prefix(4) + "-01-01") ?? moment
        }
    }

    /// Returns the start of the span that follows the span starting at `start`.
    package func next(after start: Timestamp) -> Timestamp {
        self.start(of: start + .milliseconds(maximumMilliseconds))
    }

    /// Returns the label of the span that contains `moment`: `2021-07-22 14:00`, `2021-07-22` (Monday for a week),
    /// `2021-07` or `2021`.
    package func label(of moment: Timestamp) -> String {
        let words = start(of: moment).minuteWords
        return switch self {
        case .hour: words
        case .day, .week: String(words.prefix(10))
        case .month: String(words.prefix(7))
        case .year: String(words.prefix(4))
        }
    }
}
