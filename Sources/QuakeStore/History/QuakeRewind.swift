import QuakeModel

/// What the changes of one quake, taken oldest first, say of its state before them: the first full state that came later
/// (the tombstone of a deletion, or else the present row) with the values before each update put back, newest first.
struct QuakeRewind {
    let key: Int64
    /// Values before each update, oldest first.
    private var updates: [RecordedValues] = []
    private var tombstone: Quake?
    /// Whether the first change made the quake, so that it was not there before.
    private(set) var isAbsent = false
    /// Whether later changes say no more.
    private(set) var isComplete = false

    init(key: Int64) { self.key = key }

    /// Takes the next change, of which `row` holds the kind in column 1 and the values it kept in column 2.
    mutating func take(_ row: SQLStatement, path: String) throws {
        switch ChangeKind(code: row.integer(1)) {
        case .update: updates.append(try RecordedValues(keptAs: row.text(2), in: path))
        case .delete:
            tombstone = try RecordedValues(keptAs: row.text(2), in: path).tombstone
            isComplete = true
        case .insert:
            isAbsent = true
            isComplete = true
        case nil: throw StoreError.corrupt(path: path, reason: "a change of quake \(key) is of no known kind")
        }
    }

    /// The state; nil where there was none. `present` selects the row of a key as it is now.
    func state(_ present: SQLStatement) throws -> Quake? {
        guard !isAbsent, var quake = try tombstone ?? row(present) else { return nil }
        for update in updates.reversed() { update.restore(into: &quake) }
        return quake
    }

    private func row(_ present: SQLStatement) throws -> Quake? {
        present.bind(1, key)
        defer { present.reset() }
        return try present.step() ? present.quake(from: 0) : nil
    }
}
