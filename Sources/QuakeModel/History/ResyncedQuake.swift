/// A quake in the cache, delivered after ``HistoryEvent/dropEverything(_:)``.
public struct ResyncedQuake: Hashable, Sendable {
    public var stored: StoredQuake
    /// The reason the quake is not news, based on the time of the newest snapshot; nil if it is news.
    package var timeliness: Timeliness?

    package init(stored: StoredQuake, timeliness: Timeliness? = nil) {
        self.stored = stored
        self.timeliness = timeliness
    }
}
