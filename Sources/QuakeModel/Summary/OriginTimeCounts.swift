/// Quakes by hour, day, month or year, in UTC.
public struct OriginTimeCounts: Sendable {
    /// How long a span is.
    public enum Unit: String, Sendable {
        /// For up to three days.
        case hour
        /// For up to 100 days.
        case day
        /// For up to 20 years.
        case month
        /// For more.
        case year
    }

    /// One hour, day, month or year.
    public struct Span: Hashable, Sendable {
        /// When it begins.
        public let start: Timestamp
        /// How many quakes began in it.
        public let count: Int
    }

    private var days: [Int64: Int] = [:]
    /// Nil where the times are too far apart for hours.
    private var hours: [Int64: Int]? = [:]

    /// No times yet.
    public init() {}

    /// Adds the origin time of a quake. One whose year does not have four digits counts as the nearest that has.
    public mutating func add(_ time: Timestamp) {
        let time = min(max(time, Timestamp.representable.lowerBound), Timestamp.representable.upperBound)
        days[Self.number(time, length: Self.day), default: 0] += 1
        hours?[Self.number(time, length: Self.hour), default: 0] += 1
        if let count = hours?.count, count > 100 { hours = nil }
    }

    /// How long the spans are.
    public var unit: Unit {
        guard let first = days.keys.min(), let last = days.keys.max() else { return .day }
        if last - first < 3, hours != nil { return .hour }
        return last - first < 100 ? .day : last - first < 7_306 ? .month : .year
    }

    /// All spans from the first quake to the last, including those without quakes.
    public var spans: [Span] {
        switch unit {
        case .hour: spans(hours ?? [:], length: Self.hour)
        case .day: spans(days, length: Self.day)
        case .month: calendarSpans(monthsEach: 1)
        case .year: calendarSpans(monthsEach: 12)
        }
    }

    private func spans(_ counts: [Int64: Int], length: Int64) -> [Span] {
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
        return (first...last).map { Span(start: Timestamp(milliseconds: $0 * length), count: counts[$0] ?? 0) }
    }

    private func calendarSpans(monthsEach: Int) -> [Span] {
        var counts: [Int: Int] = [:]
        for (day, count) in days {
            let parts = Timestamp(milliseconds: day * Self.day).iso8601.split(separator: "-")
            guard parts.count > 2, let year = Int(parts[0]), let month = Int(parts[1]) else { continue }
            counts[(year * 12 + month - 1) / monthsEach, default: 0] += count
        }
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
        return (first...last).compactMap { number in
            let (year, month) = (number * monthsEach).quotientAndRemainder(dividingBy: 12)
            let digits = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
            return Timestamp(iso8601: "\(digits)-\(month < 9 ? "0" : "")\(month + 1)-01")
                .map { Span(start: $0, count: counts[number] ?? 0) }
        }
    }

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000

    private static func number(_ time: Timestamp, length: Int64) -> Int64 {
        let (quotient, rest) = time.milliseconds.quotientAndRemainder(dividingBy: length)
        return rest < 0 ? quotient - 1 : quotient
    }
}
