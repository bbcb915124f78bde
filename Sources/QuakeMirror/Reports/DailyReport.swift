/// The result of a request that a refresh without a named source sends once a day.
public enum DailyReport: Hashable, Sendable {
    /// The backfilled parts of the catalog were updated.
    case catalogUpdate(BackfillReport)
    /// The event service reported the quakes that it has recently deleted, and was asked about ids whose meaning it had
    /// yet to confirm.
    case deletions(RefreshReport)
}
