import GRDB
import QuakeModel

extension QuakeContext {
    /// What is about to be saved, from each call of ``save(_:)`` on; ends with the context. Each call gives a stream of its own.
    public var willSave: AsyncStream<[PendingChange]> { broadcast.willSaveStream() }

    /// What each transaction of this context did, after it was committed: saves, refreshes, purges, undos. Ends with the
    /// context. Each call gives a stream of its own.
    ///
    /// What other contexts and processes do is in the history, not here: see ``fetchHistory(_:resyncs:_:)``.
    public var didSave: AsyncStream<SavedChanges> { broadcast.didSaveStream() }

    /// The net effect of a transaction on each quake, when anybody wants to know.
    func savedChanges(of entry: HistoryTransaction?) throws -> SavedChanges? {
        guard let entry, broadcast.hasListeners else { return nil }
        let range = try changeIDs(after: entry.number - 1, through: entry.number)
        var saved = SavedChanges(transaction: entry, inserted: [], updated: [], deleted: [])
        try database { db in
            let statement = try SQLStatement(db, TouchedQuakes.sql, isShared: false)
            statement.bind(1, range.lowerBound)
            statement.bind(2, range.upperBound)
            defer { statement.reset() }
            while try statement.step() {
                let touched = TouchedQuakes(statement)
                switch (touched.existedBefore, touched.existsAfter) {
                case (false, true): saved.inserted.append(touched.key)
                case (true, true): saved.updated.append(touched.key)
                case (true, false): saved.deleted.append(touched.key)
                case (false, false): break
                }
            }
        }
        return saved
    }
}

/// A quake that a range of changes touched, and whether it existed on either side of it.
struct TouchedQuakes {
    var key: Int64
    /// The first and last change of it in the range.
    var first: Int64
    var last: Int64
    var existedBefore: Bool
    var existsAfter: Bool

    /// Yields, for the changes from `?1` up to `?2`, one row a quake.
    static let sql = """
        SELECT g.quake, g.first, g.last, a.kind, b.kind FROM (
            SELECT quake, min(id) AS first, max(id) AS last FROM changes WHERE id >= ? AND id < ? GROUP BY quake
        ) g JOIN changes a ON a.id = g.first JOIN changes b ON b.id = g.last
        """

    init(_ row: SQLStatement) {
        key = row.integer(0)
        first = row.integer(1)
        last = row.integer(2)
        existedBefore = row.integer(3) != ChangeKind.insert.code
        existsAfter = row.integer(4) != ChangeKind.delete.code
    }
}
