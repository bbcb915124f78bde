public import FoundationEssentials
import Glibc

/// A moment in UTC, counted as the feed counts it: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Negative values lie before 1970; the event service publishes quakes back to the 18th century.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// The moment `milliseconds` after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The present, by the system's clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The moments a four-digit year can write, 0000-01-01 up to and including 9999-12-31.
    public static let representable =
        Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// Whether the first moment lies before the second.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The time from the second moment to the first.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds.saturatingDifference(right.milliseconds))
    }

    /// The moment that much later.
    public static func + (moment: Timestamp, elapsed: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.saturatingSum(elapsed.wholeMilliseconds))
    }

    /// The moment that much earlier.
    public static func - (moment: Timestamp, elapsed: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.saturatingDifference(elapsed.wholeMilliseconds))
    }
}

extension Duration {
    /// The whole milliseconds of this duration, the rest cut off.
    public var wholeMilliseconds: Int64 {
        let (milliseconds, overflows) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return components.seconds < 0 ? .min : .max }
        return milliseconds.saturatingSum(components.attoseconds / 1_000_000_000_000_000)
    }
}

/// A damaged cache may hold any number: a result without room is the last number that has.
extension Int64 {
    /// The sum, or the number nearest to it.
    package func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the number nearest to it.
    package func saturatingDifference(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC, with milliseconds: `2021-07-22T20:39:44.040Z`.
    public var description: String { iso8601 }
}

extension Timestamp {
    /// The whole millisecond nearest to `date`. A date that 64 bits cannot count in milliseconds becomes the first or
    /// the last moment they can, and one that is not a number the first.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
}

extension Date {
    public init(_ moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }
}
