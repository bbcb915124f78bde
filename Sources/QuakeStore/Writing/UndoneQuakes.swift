/// The quakes of an undone transaction.
public struct UndoneQuakes: Hashable, Sendable {
    /// The number of quakes that are again as they were before the transaction.
    public var restored: Int
    /// The number of quakes left as they are, because something else has changed them since then, or has changed a
    /// quake joined with them by a merge, a split or a moved id.
    public var leftAsTheyAre: Int

    package init(restored: Int, leftAsTheyAre: Int) {
        self.restored = restored
        self.leftAsTheyAre = leftAsTheyAre
    }
}
