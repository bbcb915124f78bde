/// The answer to a request that refreshes without a source send once a day.
public enum DailyReport: Hashable, Sendable {
    /// The backfilled parts of the catalog were updated.
    case catalogUpdate(BackfillReport)
    /// The event service reported the quakes that it has deleted lately, and was asked about the ids in question.
    case deletions(RefreshReport)
}
