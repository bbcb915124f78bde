import GRDB
import QuakeModel

extension QuakeContext {
    /// The net effect per quake of a range: what it was before its first change against what it is after its last.
    ///
    /// insert and update are an insert, insert and delete are nothing, updates unite with the first values before and the last
    /// after, and lose what came back; update and delete are a delete, delete and insert an update. In the order of the
    /// last change of each quake, whose id and transaction the net effect carries.
    func deliverNetEffects(
        _ descriptor: HistoryDescriptor, after start: Int64, head: HistoryToken, _ body: (HistoryEvent) throws -> Void
    ) throws {
        let relevance = Relevance(descriptor)
        var count = 0
        let range = try changeIDs(after: start, through: head.number)
        try database { db in
            let rebuilder = try StateRebuilder(db, path: store.path)
            let statement = try SQLStatement(
                db,
                """
                SELECT c.id, c.txn, c.quake, c.reason, c.merged_into, g.first, c.kind FROM changes c JOIN (
                    SELECT quake, min(id) AS first, max(id) AS last FROM changes WHERE id >= ? AND id < ? GROUP BY quake
                ) g ON c.id = g.last ORDER BY c.id
                """, isShared: false)
            statement.bind(1, range.lowerBound)
            statement.bind(2, range.upperBound)
            defer { statement.reset() }
            var transactions: [Int64: HistoryTransaction] = [:]
            while try statement.step() {
                let (last, key) = (statement.integer(0), statement.integer(2))
                let number = statement.integer(1)
                let before = try rebuilder.state(of: key, after: statement.integer(5) - 1)
                let after = try rebuilder.state(of: key, after: last)
                guard let reason = ChangeReason(rawValue: statement.text(3)),
                    let effect = HistoryChange.Effect(
                        from: before, to: after, mergedInto: statement.integerOrNil(4))
                else { continue }
                let transaction: HistoryTransaction
                if let known = transactions[number] {
                    transaction = known
                } else {
                    guard let next = try self.transaction(number) else { throw StoreError.noTransaction(number) }
                    transactions = [number: next]
                    transaction = next
                }
                let change = HistoryChange(
                    id: last, transaction: number, reason: reason, quakeKey: key, effect: effect)
                guard relevance.accepts(transaction), let relevant = relevance.judge(change, in: transaction) else {
                    continue
                }
                try body(.change(relevant))
                count += 1
            }
        }
        try body(.end(HistoryEnd(token: head, head: head, floor: try floor().number, hasMore: false, count: count)))
    }
}

extension HistoryChange.Effect {
    /// What leads from one state to the other; nil when nothing does.
    init?(from before: Quake?, to after: Quake?, mergedInto survivor: Int64?) {
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
