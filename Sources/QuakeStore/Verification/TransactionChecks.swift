import QuakeModel

/// Checks that transactions and changes are numbered without gaps, and that each transaction has the changes it counts.
struct TransactionChecks {
    let database: Database
    let log: FindingLog

    /// A transaction whose changes are being counted.
    private struct Entry {
        var number: Int64
        var lastChange: Int64
        /// Inserts, updates and deletions that it claims.
        var claimed: [Int64]
        var found: [Int64] = [0, 0, 0]
    }

    func run() throws {
        let floor = try database.integer("SELECT floor FROM store") ?? 0
        let transactions = try database.prepare(
            "SELECT number, fingerprint, last_change, inserted, updated, deleted FROM transactions ORDER BY number")
        let changes = try database.prepare("SELECT id, txn, kind, reason FROM changes NOT INDEXED ORDER BY id")
        var number = floor
        var hasChange = try changes.step()
        var expected = hasChange ? changes.integer(0) : nil
        while try transactions.step() {
            log.count(\.transactions)
            if transactions.integer(0) != number + 1 {
                log.add(.transactions, "transaction \(transactions.integer(0)) follows transaction \(number)")
            }
            number = transactions.integer(0)
            if UInt32(exactly: transactions.integer(1)) == nil {
                log.add(.transactions, "the fingerprint of transaction \(number) is out of range")
            }
            var entry = Entry(
                number: number, lastChange: transactions.integer(2), claimed: (3...5).map { transactions.integer($0) })
            while hasChange, changes.integer(0) <= entry.lastChange {
                take(changes, &entry, &expected)
                hasChange = try changes.step()
            }
            if entry.found != entry.claimed || expected.map({ $0 - 1 }) != entry.lastChange {
                log.add(.transactions, "transaction \(number) has not the changes that it counts")
            }
        }
        while hasChange {
            log.add(.transactions, "change \(changes.integer(0)) belongs to no transaction")
            hasChange = try changes.step()
        }
    }

    private func take(_ change: Statement, _ entry: inout Entry, _ expected: inout Int64?) {
        let id = change.integer(0)
        if let next = expected, id != next { log.add(.transactions, "change \(id) follows change \(next - 1)") }
        expected = id + 1
        if change.integer(1) != entry.number {
            log.add(
                .transactions, "change \(id) names transaction \(change.integer(1)), but lies in \(entry.number)")
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
