extension StoreHistory {
    /// Delivers the net effect on each quake in a range: the difference between its states before its first change and
    /// after its last.
    ///
    /// An insert and a delete cancel out; a delete and an insert become an update; updates are combined, without values
    /// that were reverted. Net effects are sorted by each quake's last change, whose id and transaction they carry. A
    /// quake is relevant if the descriptor accepts any of the transactions that changed it.
    func deliverNetEffects(
        _ descriptor: HistoryDescriptor, in scope: ChangeScope, _ span: HistorySpan,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        let relevance = Relevance(descriptor, ignoring: context.ignoredTransactions)
        var (count, skipped) = (0, SkippedChanges())
        let rebuilder = try StateRebuilder(context.database())
        var transaction: HistoryTransaction?
        try forEachNetEffect(in: scope) { row in
            let (last, number, key, first) = (row.change(0), row.transaction(1), row.key(2), row.change(4))
            if relevance.choosesTransactions,
                try !writers(ofQuake: key, from: first, through: last, span.head.storeID)
                    .contains(where: relevance.accepts(author:token:))
            {
                return
            }
            guard
                let effect = HistoryChange.Effect(
                    from: try rebuilder.state(of: key, after: first.previous),
                    to: try rebuilder.state(of: key, after: last), mergedInto: row.keyOrNil(3))
            else { return }
            let reason = try reason(of: effect, quake: key, from: first, through: last)
            if transaction?.number != number { transaction = try self.transaction(number) }
            guard let transaction else { throw StoreError.noTransaction(number) }
            let change = HistoryChange(id: last, transaction: number, reason: reason, quakeKey: key, effect: effect)
            let learned = descriptor.maximumOriginAge == nil ? nil : try time(of: first)
            let isUndo = try effect.kind == .insert && isUndo(first)
            guard let seen = relevance.judge(change, in: transaction, learned: learned, isUndo: isUndo) else { return }
            if let quake = seen.tooOld { return skipped.add(quake) }
            try body(
                .change(
                    RelevantChange(
                        change: seen.change, crossing: seen.crossing, transaction: transaction,
                        timeliness: seen.timeliness, token: nil)))
            count += 1
        }
        try body(
            .end(
                HistoryEnd(
                    token: span.end, head: span.head, floor: span.floor, hasMore: false, count: count,
                    skipped: skipped)))
    }

    /// Whether `change` undid a deletion.
    private func isUndo(_ change: ChangeID) throws -> Bool {
        try context.database().integer(
            "SELECT 1 FROM changes WHERE id = ? AND reason = ? AND kind = ?", change, ChangeReason.undone.rawValue,
            ChangeKind.insert.code) != nil
    }

    /// Returns the time at which the cache learned of a change.
    private func time(of change: ChangeID) throws -> Timestamp? {
        try context.database().first(
            "SELECT t.time FROM changes c JOIN transactions t ON t.number = c.txn WHERE c.id = ?", change
        ) { $0.timestamp(0) }
    }

    private func forEachNetEffect(in scope: ChangeScope, _ body: (Statement) throws -> Void) throws {
        // The plus sign before `c.quake` keeps SQLite from grouping the rows by a scan of the whole index on `quake`.
        try context.forEach(
            QuakeQuery(
                """
                SELECT c.id, c.txn, c.quake, c.merged_into, g.first FROM (
                    SELECT min(c.id) AS first, max(c.id) AS last FROM changes c WHERE \(scope.condition) GROUP BY +c.quake
                ) g CROSS JOIN changes c ON c.id = g.last ORDER BY c.id
                """, [.integer(scope.ids.lowerBound.rawValue), .integer(scope.ids.upperBound.rawValue)]), body)
    }

    /// Returns the reason of the newest change of the effect's kind; `revised` if a quake was deleted and returned.
    private func reason(
        of effect: HistoryChange.Effect, quake key: QuakeKey, from first: ChangeID, through last: ChangeID
    ) throws -> ChangeReason {
        try context.database().first(
            "SELECT reason FROM changes WHERE quake = ? AND id BETWEEN ? AND ? AND kind = ? ORDER BY id DESC LIMIT 1",
            key, first, last, effect.kind.code
        ) { ChangeReason(rawValue: $0.text(0)) }.flatMap(\.self) ?? .revised
    }

    private func writers(
        ofQuake key: QuakeKey, from first: ChangeID, through last: ChangeID, _ storeID: String
    ) throws -> [(author: String, token: HistoryToken)] {
        try context.database().all(
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

extension HistoryChange.Effect {
    /// Creates the effect that leads from one state to the other; nil if nothing differs.
    init?(from before: Quake?, to after: Quake?, mergedInto survivor: QuakeKey?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let after?): self = .insert(after)
        case (let before?, nil): self = .delete(tombstone: before, mergedInto: survivor)
        case (let before?, let after?):
            let changed = after.differences(from: before)
            guard !changed.isEmpty else { return nil }
            self = .update(before: before, after: after, changed: changed)
        }
    }
}
