import QuakeModel

/// Rebuilds the state of a quake after any change whose successors are all in the history: an insert keeps no copy of
/// its values, so that a cache of a million quakes is not twice as large.
struct StateRebuilder {
    private let current: Statement
    private let later: Statement
    private let path: String

    init(_ database: Database) throws {
        path = database.path
        current = try database.prepare("SELECT \(QuakeColumns.list()) FROM quakes WHERE key = ?")
        later = try database.prepare("SELECT id, kind, before FROM changes WHERE quake = ? AND id > ? ORDER BY id")
    }

    /// The state of the quake under `key` right after `change`; nil when it was not in the cache then.
    func state(of key: QuakeKey, after change: ChangeID) throws -> Quake? {
        try later.bindAll(key, change)
        defer { later.reset() }
        var rewind = QuakeRewind(key: key)
        while !rewind.isComplete, try later.step() { try rewind.take(later, path: path) }
        return try rewind.state(current)
    }
}

/// Computes the state of one quake before some changes, which are taken oldest first: the first full state after them
/// (a tombstone, otherwise the present row) with the values before each update put back, newest first.
struct QuakeRewind {
    let key: QuakeKey
    /// Values before each update, oldest first.
    private var updates: [RecordedValues] = []
    private var tombstone: Quake?
    /// Whether the first change made the quake, so that it was not there before.
    private(set) var isAbsent = false
    /// Whether later changes make no difference.
    private(set) var isComplete = false

    init(key: QuakeKey) { self.key = key }

    /// Takes the next change, of which `row` holds the kind in column 1 and the values it kept in column 2.
    mutating func take(_ row: Statement, path: String) throws {
        switch ChangeKind(code: row.integer(1)) {
        case .update: updates.append(try RecordedValues(keptAs: row.text(2), in: path))
        case .delete:
            tombstone = try RecordedValues(keptAs: row.text(2), in: path).tombstone
            isComplete = true
        case .insert:
            isAbsent = true
            isComplete = true
        case nil: throw StoreError.corrupt(path: path, reason: "a change of quake \(key) has an unknown kind")
        }
    }

    /// The state; nil where there was none. `present` selects the row of a key as it is now.
    func state(_ present: Statement) throws -> Quake? {
        guard !isAbsent, var quake = try tombstone ?? row(present) else { return nil }
        for update in updates.reversed() { update.restore(into: &quake) }
        return quake
    }

    private func row(_ present: Statement) throws -> Quake? {
        try present.bind(1, key)
        defer { present.reset() }
        return try present.step() ? present.quake(from: 0) : nil
    }
}
