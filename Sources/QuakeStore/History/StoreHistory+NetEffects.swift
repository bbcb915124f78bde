extension StoreHistory {
    /// Delivers the net effect of a range of changes on each quake: the difference between the quake's state before its
    /// first change in the range and its state after its last one.
    ///
    /// An insert and a delete cancel out; a delete and an insert become an update; updates are combined, without values
    /// that were reverted. Net effects are sorted by each quake's last change, whose id and transaction they carry. A
    /// quake is relevant if the descriptor accepts any of the transactions in the range that changed it.
    func deliverNetEffects(
        _ relevance: RelevanceRules, in scope: ChangeScope, endingAt end: HistoryEnd,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        var end = end
        let rebuilder = try StateRebuilder(session.database())
        var transaction: HistoryTransaction?
        try forEachNetEffect(in: scope) { row in
            let last = row.change(0)
            let number = row.transaction(1)
            let key = row.key(2)
            let first = row.change(4)
            if relevance.choosesTransactions,
                try !writers(ofQuake: key, from: first, through: last, end.newest.storeID)
                    .contains(where: relevance.accepts(author:token:))
            {
                return
            }
            guard
                let effect = HistoryChange.Effect(
                    from: try rebuilder.state(of: key, after: first.previous),
                    to: try rebuilder.state(of: key, after: last), mergedInto: row.keyOrNil(3))
            else { return }
            if case .update(_, _, let changed) = effect, changed.isEmpty { return }
            let reason = try reason(of: effect, quake: key, from: first, through: last)
            if transaction?.number != number { transaction = try self.transaction(number) }
            guard let transaction else { throw StoreError.noTransaction(number) }
            let change = HistoryChange(id: last, transaction: number, reason: reason, quakeKey: key, effect: effect)
            // Whether the first change undid a deletion.
            let isUndo = row.integer(5) == ChangeKind.insert.code && row.text(6) == ChangeReason.undone.rawValue
            guard
                let (seen, tooOld) = relevance.judge(
                    change, in: transaction, recorded: row.timestampOrNil(7), isUndo: isUndo)
            else { return }
            if let tooOld { return end.skipped.add(tooOld) }
            try body(.change(seen))
            end.count += 1
        }
        try body(.end(end))
    }

    /// Calls `body` with a row for each quake in `scope`: the quake's last change in `scope`, and the id, kind, reason
    /// and time of the quake's first change in `scope`.
    private func forEachNetEffect(in scope: ChangeScope, _ body: (Statement) throws -> Void) throws {
        // The plus sign before `c.quake` keeps SQLite from scanning the whole index on `quake` to group the rows.
        let statement = try session.database().prepare(
            """
            SELECT c.id, c.txn, c.quake, c.merged_into, f.id, f.kind, f.reason, t.time FROM (
                SELECT min(c.id) AS first, max(c.id) AS last FROM changes c WHERE \(scope.condition) GROUP BY +c.quake
            ) g CROSS JOIN changes c ON c.id = g.last CROSS JOIN changes f ON f.id = g.first
                LEFT JOIN transactions t ON t.number = f.txn ORDER BY c.id
            """)
        try statement.forEach(scope.ids.lowerBound, scope.ids.upperBound, body: body)
    }

    /// Returns the reason of the quake's last change in the range that has the same kind (insert, update or delete) as
    /// the effect; `revised` if no change has that kind, because the quake was deleted and returned.
    private func reason(
        of effect: HistoryChange.Effect, quake key: QuakeKey, from first: ChangeID, through last: ChangeID
    ) throws -> ChangeReason {
        try session.database().first(
            "SELECT reason FROM changes WHERE quake = ? AND id BETWEEN ? AND ? AND kind = ? ORDER BY id DESC LIMIT 1",
            key, first, last, effect.kind.code
        ) { ChangeReason(rawValue: $0.text(0)) }.flatMap(\.self) ?? .revised
    }

    private func writers(
        ofQuake key: QuakeKey, from first: ChangeID, through last: ChangeID, _ storeID: String
    ) throws -> [(author: String, token: HistoryToken)] {
        try session.database().all(
            """
            SELECT DISTINCT t.author, t.number, t.fingerprint FROM changes c JOIN transactions t ON t.number = c.txn
            WHERE c.quake = ? AND c.id BETWEEN ? AND ?
            """, key, first, last
        ) { row in
            let fingerprint = UInt32(truncatingIfNeeded: row.integer(2))
            return (row.text(0), HistoryToken(storeID: storeID, number: row.transaction(1), fingerprint: fingerprint))
        }
    }
}
