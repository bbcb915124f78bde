// Moments in UTC for people. Words for another time zone are made in QuakeOutput.

extension Timestamp {
    /// The moment to the second: `2021-07-22 20:39:44`.
    package var secondWords: String {
        String(iso8601.dropLast(".000Z".count)).split(separator: "T").joined(separator: " ")
    }

    /// The moment to the minute: `2021-07-22 20:39`.
    package var minuteWords: String { String(secondWords.dropLast(":00".count)) }

    /// The moment to the second, with its zone: `2021-07-22 20:39:44 UTC`.
    package var momentWords: String { "\(secondWords) UTC" }

    /// The day: `2021-07-22`.
    package var dayWords: String { String(iso8601.prefix(10)) }
}
