extension Timestamp {
    /// The time as text for a query, without fractions of a second, which the service ignores.
    var wholeSecondText: String { String(iso8601.prefix { $0 != "." && $0 != "Z" }) }

    /// This time, rounded up to a whole second.
    package var nextWholeSecond: Timestamp {
        let rest = milliseconds % 1000
        return rest == 0 ? self : Timestamp(milliseconds: milliseconds - rest + (rest > 0 ? 1000 : 0))
    }
}
