public import QuakeModel
import QuakeStore

/// The net effect of a transaction, given as the local keys of the affected quakes.
public struct SavedChanges: Hashable, Sendable {
    /// The transaction's entry in the history.
    public var transaction: HistoryTransaction
    /// The quakes that did not exist before.
    public var inserted: [QuakeKey]
    /// The quakes whose values changed.
    public var updated: [QuakeKey]
    /// The quakes that were deleted.
    public var deleted: [QuakeKey]
}

extension SavedChanges {
    /// Computes the net effect of a transaction on each quake.
    init(of entry: HistoryTransaction, in history: StoreHistory) throws {
        self.init(transaction: entry, inserted: [], updated: [], deleted: [])
        for touched in try history.touchedQuakes(ofTransaction: entry.number) {
            switch (touched.existedBefore, touched.existsAfter) {
            case (false, true): inserted.append(touched.key)
            case (true, true): updated.append(touched.key)
            case (true, false): deleted.append(touched.key)
            case (false, false): break
            }
        }
    }
}
