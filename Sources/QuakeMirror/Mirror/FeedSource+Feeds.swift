/// The most common feeds. For the others, see ``/QuakeMirror/FeedSource/summary(_:)``.
///
/// Only the feeds of all quakes can show that a quake was deleted: see ``RefreshReport/countsAbsences``. If you only
/// need large quakes, mirror `FeedSource.allWeek` and query the cache with a filter.
extension FeedSource {
    /// All quakes of the last hour.
    public static var allHour: FeedSource { .summary(FeedName(.all, .hour)) }
    /// All quakes of the last day.
    public static var allDay: FeedSource { .summary(FeedName(.all, .day)) }
    /// All quakes of the last 7 days.
    public static var allWeek: FeedSource { .summary(FeedName(.all, .week)) }
    /// All quakes of the last 30 days.
    public static var allMonth: FeedSource { .summary(FeedName(.all, .month)) }
    /// Significant quakes of the last day. Refreshing from this feed never deletes a quake.
    public static var significantDay: FeedSource { .summary(FeedName(.significant, .day)) }
    /// Significant quakes of the last 30 days. Refreshing from this feed never deletes a quake.
    public static var significantMonth: FeedSource { .summary(FeedName(.significant, .month)) }
}
