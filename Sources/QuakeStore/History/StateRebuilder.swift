import GRDB
import QuakeModel

/// Rebuilds what a quake was after any change whose successors are all in the history.
///
/// Need: an insert keeps no copy of its values, so that a cache of a million quakes is not twice as large. The state after a change is
/// the oldest full state that came later (the tombstone of a deletion, or else the current row) with the values before
/// each update in between put back, newest first.
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
        var updates: [RecordedValues] = []
        var base: Quake?
        walk: while try later.step() {
            switch ChangeKind(code: later.integer(1)) {
            case .update: updates.append(try RecordedValues(keptAs: later.text(2), in: path))
            case .delete:
                base = try RecordedValues(keptAs: later.text(2), in: path).tombstone
                break walk
            case .insert, nil: return nil
            }
        }
        if base == nil {
            current.bind(1, key)
            defer { current.reset() }
            guard try current.step() else { return nil }
            base = current.quake(from: 0)
        }
        guard var quake = base else { return nil }
        for update in updates.reversed() { update.restore(into: &quake) }
        return quake
    }
}
