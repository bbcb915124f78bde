/// The last warning that the data is stale. The cache keeps the warning, outside the history, because it is given only
/// once a day but each refresh started by cron is a separate process.
package struct StaleNotice: Hashable, Sendable {
    /// The warning, as a sentence.
    package var words: String
    /// The time of the warning.
    package var time: Timestamp

    package init(words: String, time: Timestamp) {
        self.words = words
        self.time = time
    }
}

extension SourceRecords {
    /// Returns the last warning; nil if there was none, or if the data has been up to date since then.
    package func staleNotice() throws -> StaleNotice? {
        guard let record = try feed(named: SourceName.staleNotice), let words = record.error,
            let time = record.errorTime
        else { return nil }
        return StaleNotice(words: words, time: time)
    }

    /// Records `notice`; nil records that the data is up to date.
    package func save(_ notice: StaleNotice?) throws {
        try updateFeed(SourceName.staleNotice) { record in
            record.error = notice?.words
            record.errorTime = notice?.time
        }
    }
}
