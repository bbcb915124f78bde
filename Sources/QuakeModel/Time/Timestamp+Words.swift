/// Moments in UTC for people. Text for other time zones is created where output is written.
extension Timestamp {
    /// The moment to the second: `2021-07-22 20:39:44`.
    package var secondWords: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            let end = writeISO8601(into: buffer) - ".000Z".utf8.count
            buffer[end - "T00:00:00".utf8.count] = UInt8(ascii: " ")
            return end
        }
    }

    /// The moment to the minute: `2021-07-22 20:39`.
    package var minuteWords: String { String(secondWords.dropLast(":00".count)) }
    /// The moment to the second, with its zone: `2021-07-22 20:39:44 UTC`.
    package var momentWords: String { "\(secondWords) UTC" }
    /// The day: `2021-07-22`.
    package var dayWords: String { String(iso8601.prefix(10)) }

    /// The moment in UTC, to the minute, or the date alone at midnight: `2025-05-04 13:53 UTC`, `2025-05-04`.
    package var shortWords: String { milliseconds.isMultiple(of: 86_400_000) ? dayWords : "\(minuteWords) UTC" }
}
