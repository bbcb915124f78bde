import GRDB
import QuakeModel

extension QuakeContext {
    /// The net effect per quake of a range: what it was before its first change against what it is after its last.
    ///
    /// insert and update are an insert, insert and delete are nothing, updates unite with the first values before and the last
    /// after, and lose what came back; update and delete are a delete, delete and insert an update. In the order of the
    /// last change of each quake, whose id and transaction the net effect carries. One that several authors had a hand in
    /// matters when the work of any of them does.
    func deliverNetEffects(
        _ descriptor: HistoryDescriptor, after start: Int64, head: HistoryToken, _ body: (HistoryEvent) throws -> Void
    ) throws {
        let relevance = Relevance(descriptor)
        var count = 0
        let range = try changeIDs(after: start, through: head.number)
        try database { db in
            let rebuilder = try StateRebuilder(db, path: store.path)
            var transaction: HistoryTransaction?
            try forEachNetEffect(db, in: range) { row in
                let (last, number, key) = (row.integer(0), row.integer(1), row.integer(2))
                let first = row.integer(5)
                if relevance.asksForAuthors,
                    try !authors(ofQuake: key, from: first, through: last).contains(where: relevance.accepts(author:))
                {
                    return
                }
                guard
                    let effect = HistoryChange.Effect(
                        from: try rebuilder.state(of: key, after: first - 1),
                        to: try rebuilder.state(of: key, after: last), mergedInto: row.integerOrNil(4))
                else { return }
                let reason = try reason(of: effect, quake: key, from: first, through: last)
                if transaction?.number != number { transaction = try self.transaction(number) }
                guard let transaction else { throw StoreError.noTransaction(number) }
                let change = HistoryChange(
                    id: last, transaction: number, reason: reason, quakeKey: key, effect: effect)
                guard let seen = relevance.judge(change, in: transaction) else { return }
                try body(
                    .change(
                        RelevantChange(
                            change: change, crossing: seen.crossing, transaction: transaction,
                            timeliness: seen.timeliness, token: nil)))
                count += 1
            }
        }
        try body(.end(HistoryEnd(token: head, head: head, floor: try floor().number, hasMore: false, count: count)))
    }

    private func forEachNetEffect(
        _ db: Database, in range: Range<Int64>, _ body: (SQLStatement) throws -> Void
    ) throws {
        // The sign keeps SQLite from walking the whole index by quake for the sake of the grouping.
        let statement = try SQLStatement(
            db,
            """
            SELECT c.id, c.txn, c.quake, c.reason, c.merged_into, g.first, c.kind FROM (
                SELECT min(id) AS first, max(id) AS last FROM changes WHERE id >= ? AND id < ? GROUP BY +quake
            ) g CROSS JOIN changes c ON c.id = g.last ORDER BY c.id
            """, isShared: false)
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    /// The reason of the newest change of the effect's own kind; an update that a deletion and a return add up to is a revision.
    private func reason(
        of effect: HistoryChange.Effect, quake key: Int64, from first: Int64, through last: Int64
    ) throws -> ChangeReason {
        try database { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT reason FROM changes WHERE quake = ? AND id BETWEEN ? AND ? AND kind = ? ORDER BY id DESC
                    """,
                arguments: [key, first, last, effect.kind.code])
        }.flatMap(ChangeReason.init(rawValue:)) ?? .revised
    }

    private func authors(ofQuake key: Int64, from first: Int64, through last: Int64) throws -> [String] {
        try database { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT t.author FROM changes c JOIN transactions t ON t.number = c.txn
                    WHERE c.quake = ? AND c.id BETWEEN ? AND ?
                    """,
                arguments: [key, first, last])
        }
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
