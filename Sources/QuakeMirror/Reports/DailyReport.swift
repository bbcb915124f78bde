/// The result of a daily request, which a refresh without a named source sends.
public enum DailyReport: Hashable, Sendable {
    /// The backfilled parts of the catalog were updated.
    case catalogUpdate(BackfillReport)
    /// The event service reported the quakes that it has deleted lately, and was asked about the ids in question.
    case deletions(RefreshReport)
}
