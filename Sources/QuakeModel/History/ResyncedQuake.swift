/// A quake in the cache, delivered after ``HistoryEvent/dropEverything(_:)``.
public struct ResyncedQuake: Hashable, Sendable {
    public var stored: StoredQuake
    /// Why the quake is not recent, judged by the time of the newest snapshot; nil for a recent quake.
    package var timeliness: Timeliness?

    package init(stored: StoredQuake, timeliness: Timeliness? = nil) {
        self.stored = stored
        self.timeliness = timeliness
    }
}
