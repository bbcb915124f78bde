/// Iterates over a range of changes in order, with the states before and after each change.
final class ChangeCursor {
    private let statement: Statement
    private let rebuilder: StateRebuilder
    private let path: String

    /// The first column of the values before the change, and the first column of the quake's present values.
    private static let (before, present) = (Int32(8), Int32(8 + QuakeColumns.names.count))

    /// Creates a cursor over the changes in `scope` that satisfy the SQL `condition`. If `key` is given, other quakes
    /// are skipped.
    init(_ database: Database, in scope: ChangeScope, ofQuake key: QuakeKey? = nil, where condition: String = "1")
        throws
    {
        path = database.path
        rebuilder = try StateRebuilder(database)
        statement = try database.prepare(
            """
            SELECT c.id, c.txn, c.quake, c.kind, c.reason, b.change, c.merged_into, q.last_change,
                \(QuakeColumns.list(prefix: "b.")), \(QuakeColumns.list(prefix: "q."))
            FROM changes c LEFT JOIN rows_before b ON b.change = c.id LEFT JOIN quakes q ON q.key = c.quake
            WHERE \(scope.condition) \(key == nil ? "" : "AND c.quake = ?") AND \(condition)
            ORDER BY c.id
            """)
        try statement.bindAll(scope.ids.lowerBound, scope.ids.upperBound)
        try key?.bind(to: statement, at: 3)
    }

    /// Restarts the cursor at the first change of another quake. Preparing a new cursor would take longer than reading
    /// the changes of most quakes.
    func restart(forQuake key: QuakeKey) throws {
        statement.reset()
        try key.bind(to: statement, at: 3)
    }

    /// Returns the next change; nil after the last one.
    func next() throws -> HistoryChange? { try statement.step() ? change() : nil }

    private func change() throws -> HistoryChange {
        let id = statement.change(0)
        let key = statement.key(2)
        let kind = ChangeKind(code: statement.integer(3))
        let before = statement.isNull(5) ? nil : statement.quake(from: ChangeCursor.before)
        let isPresent = statement.integerOrNil(7) == id.rawValue
        let after =
            kind == .delete
            ? nil
            : isPresent ? statement.quake(from: ChangeCursor.present) : try rebuilder.state(of: key, after: id)
        guard let reason = ChangeReason(rawValue: statement.text(4)),
            let effect = HistoryChange.Effect(from: before, to: after, mergedInto: statement.keyOrNil(6)),
            effect.kind == kind
        else { throw StoreError.corrupt(path: path, reason: "change \(id) cannot be read") }
        return HistoryChange(
            id: id, transaction: statement.transaction(1), reason: reason, quakeKey: key, effect: effect)
    }
}

extension HistoryChange.Effect {
    /// Creates the effect that leads from one state to the other; nil if the quake exists in neither.
    init?(from before: Quake?, to after: Quake?, mergedInto survivor: QuakeKey?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let after?): self = .insert(after)
        case (let before?, nil): self = .delete(tombstone: before, mergedInto: survivor)
        case (let before?, let after?):
            self = .update(before: before, after: after, changed: after.differences(from: before))
        }
    }
}
