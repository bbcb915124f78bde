import QuakeModel

/// Walks the changes of a range in their order, each with the states before and after it. A state is rebuilt from later
/// changes once; the recorded values then lead from change to change.
final class ChangeCursor {
    private let statement: Statement
    private let rebuilder: StateRebuilder
    private let path: String

    private static let first = Int32(9)
    /// States kept at a time. When they are too many they are dropped, and rebuilt where needed.
    private static let mostStates = 500
    /// The state after the last change that was read, of quakes with more changes.
    private var states: [QuakeKey: Quake] = [:]

    /// The changes of `scope`, or only those of the quake under `key`, with or without inserts.
    init(_ database: Database, in scope: ChangeScope, ofQuake key: QuakeKey? = nil, withInserts: Bool = true) throws {
        path = database.path
        rebuilder = try StateRebuilder(database)
        statement = try database.prepare(
            """
            SELECT c.id, c.txn, c.quake, c.kind, c.reason, c.before, c.merged_into, q.last_change, c.after,
                \(QuakeColumns.list(prefix: "q."))
            FROM changes c LEFT JOIN quakes q ON q.key = c.quake
            WHERE \(scope.condition) \(key == nil ? "" : "AND c.quake = ?")
                \(withInserts ? "" : "AND c.kind <> \(ChangeKind.insert.code)")
            ORDER BY c.id
            """)
        try statement.bindAll(scope.ids.lowerBound, scope.ids.upperBound)
        if let key { try statement.bind(3, key) }
    }

    /// Turns a cursor of one quake to that under `key`: preparing a cursor takes longer than reading most quakes.
    func turn(to key: QuakeKey) throws {
        states.removeAll(keepingCapacity: true)
        statement.reset()
        try statement.bind(3, key)
    }

    /// The next change; nil after the last one.
    func next() throws -> HistoryChange? { try statement.step() ? change() : nil }

    private func change() throws -> HistoryChange {
        let id = statement.change(0)
        let key = statement.key(2)
        guard let reason = ChangeReason(rawValue: statement.text(4)) else { throw damage(id) }
        let effect: HistoryChange.Effect
        switch ChangeKind(code: statement.integer(3)) {
        case .insert: effect = .insert(try stateAfter(id, key))
        case .update:
            guard let recorded = RecordedValues(json: statement.text(5)) else { throw damage(id) }
            let after = try stateAfter(id, key, following: states[key])
            var before = after
            recorded.restore(into: &before)
            effect = .update(before: before, after: after, changed: recorded.properties)
        case .delete:
            guard let recorded = RecordedValues(json: statement.text(5)) else { throw damage(id) }
            states[key] = nil
            effect = .delete(tombstone: recorded.tombstone, mergedInto: statement.keyOrNil(6))
        case nil: throw damage(id)
        }
        return HistoryChange(
            id: id, transaction: statement.transaction(1), reason: reason, quakeKey: key, effect: effect)
    }

    /// The state after `change`: the present row, or that after the change before with the values recorded, or rebuilt.
    private func stateAfter(_ change: ChangeID, _ key: QuakeKey, following earlier: Quake? = nil) throws -> Quake {
        if statement.integerOrNil(7) == change.rawValue {
            states[key] = nil
            return statement.quake(from: ChangeCursor.first)
        }
        let state: Quake
        if var earlier {
            guard let recorded = RecordedValues(json: statement.text(8)) else { throw damage(change) }
            recorded.restore(into: &earlier)
            state = earlier
        } else {
            guard let rebuilt = try rebuilder.state(of: key, after: change) else { throw damage(change) }
            state = rebuilt
        }
        if states.count >= ChangeCursor.mostStates { states.removeAll() }
        states[key] = state
        return state
    }

    private func damage(_ change: ChangeID) -> StoreError {
        .corrupt(path: path, reason: "change \(change) cannot be read")
    }
}
