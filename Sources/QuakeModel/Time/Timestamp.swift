public import FoundationEssentials
import Glibc

/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Negative values are before 1970; the event service publishes quakes from as early as the 18th century.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The current moment according to the system clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The moments with a four-digit year, from 0000-01-01 through 9999-12-31.
    package static let representable =
        Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the time elapsed from `right` to `left`.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds.saturatingDifference(right.milliseconds))
    }

    /// Returns the moment that is `elapsed` after `moment`.
    public static func + (moment: Timestamp, elapsed: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.saturatingSum(elapsed.wholeMilliseconds))
    }

    /// Returns the moment that is `elapsed` before `moment`.
    public static func - (moment: Timestamp, elapsed: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.saturatingDifference(elapsed.wholeMilliseconds))
    }
}

/// Sums and differences that overflow are clamped, because a damaged cache may contain any number.
extension Int64 {
    /// Returns the sum, or the nearest representable number.
    package func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, or the nearest representable number.
    package func saturatingDifference(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

extension Timestamp: CustomStringConvertible {
    public var description: String { iso8601 }
}

extension Timestamp {
    /// Creates a timestamp from `date`, rounded to the nearest millisecond. A date out of range becomes the first or
    /// last possible moment, and an undefined date (NaN) the first.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
}

extension Date {
    public init(_ moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }
}

/// A moment is encoded as its milliseconds.
extension Timestamp: Codable {
    /// Decodes milliseconds since 1970-01-01T00:00:00Z. Throws `DecodingError` for any other value.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }
}
