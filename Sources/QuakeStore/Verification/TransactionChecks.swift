import QuakeModel

/// Checks that each transaction follows the one that it names, with a higher number, and has the changes that it
/// counts, numbered without a gap. Between two transactions a restore leaves numbers out.
struct TransactionChecks {
    let database: Database
    let log: FindingLog

    /// A transaction whose changes are being counted.
    private struct Entry {
        var number: Int64
        var lastChange: Int64
        /// The id that its next change must have.
        var expected: Int64
        /// Inserts, updates and deletions that it claims.
        var claimed: [Int64]
        var found: [Int64] = [0, 0, 0]
    }

    func run() throws {
        let floor = try database.integer("SELECT floor FROM store") ?? 0
        let transactions = try database.prepare(
            """
            SELECT number, fingerprint, last_change, inserted, updated, deleted, previous FROM transactions
            ORDER BY number
            """)
        let changes = try database.prepare("SELECT id, txn, kind, reason FROM changes NOT INDEXED ORDER BY id")
        var number = floor
        var hasChange = try changes.step()
        var lastChange: Int64 = 0
        while try transactions.step() {
            log.count(\.transactions)
            if transactions.integer(0) <= number || transactions.integer(6) != number {
                log.add(.transactions, "transaction \(transactions.integer(0)) follows transaction \(number)")
            }
            number = transactions.integer(0)
            if UInt32(exactly: transactions.integer(1)) == nil {
                log.add(.transactions, "the fingerprint of transaction \(number) is out of range")
            }
            let claimed = (3...5).map { transactions.integer($0) }
            let last = transactions.integer(2)
            var entry = Entry(
                number: number, lastChange: last, expected: last &- claimed.reduce(0, &+) &+ 1, claimed: claimed)
            let isBehind = entry.expected > lastChange && claimed.allSatisfy { $0 >= 0 }
            while hasChange, changes.integer(0) <= entry.lastChange {
                take(changes, &entry)
                hasChange = try changes.step()
            }
            if !isBehind || entry.found != entry.claimed || entry.expected != last &+ 1 {
                log.add(.transactions, "transaction \(number) does not have as many changes as it records")
            }
            lastChange = last
        }
        while hasChange {
            log.add(.transactions, "change \(changes.integer(0)) belongs to no transaction")
            hasChange = try changes.step()
        }
    }

    private func take(_ change: Statement, _ entry: inout Entry) {
        let id = change.integer(0)
        if id != entry.expected {
            log.add(.transactions, "change \(id) is in the place of change \(entry.expected)")
        }
        entry.expected = id &+ 1
        if change.integer(1) != entry.number {
            log.add(
                .transactions, "change \(id) names transaction \(change.integer(1)), but is stored in \(entry.number)")
        }
        if ChangeReason(rawValue: change.text(3)) == nil {
            log.add(.transactions, "change \(id) has an unknown reason")
        }
        guard ChangeKind(code: change.integer(2)) != nil else {
            return log.add(.transactions, "change \(id) has an unknown kind")
        }
        entry.found[Int(change.integer(2))] += 1
    }
}
