import GRDB
import QuakeModel

/// Rebuilds what a quake was after any change whose successors are all in the history.
///
/// Need: an insert keeps no copy of its values, so that a cache of a million quakes is not twice as large. ``QuakeRewind`` says how
/// the state after a change follows from those that came later.
struct StateRebuilder {
    private let current: SQLStatement
    private let later: SQLStatement
    private let path: String

    init(_ db: Database, path: String) throws {
        self.path = path
        current = try SQLStatement(db, "SELECT \(QuakeColumns.list()) FROM quakes WHERE key = ?", isShared: false)
        later = try SQLStatement(
            db, "SELECT id, kind, before FROM changes WHERE quake = ? AND id > ? ORDER BY id", isShared: false)
    }

    /// The state of the quake under `key` right after `change`; nil when it was not in the cache then.
    func state(of key: Int64, after change: Int64) throws -> Quake? {
        later.bind(1, key)
        later.bind(2, change)
        defer { later.reset() }
        var rewind = QuakeRewind(key: key)
        while !rewind.isComplete, try later.step() { try rewind.take(later, path: path) }
        return try rewind.state(current)
    }
}
