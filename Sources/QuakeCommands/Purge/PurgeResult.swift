import QuakeModel
import QuakeOutput

struct PurgeResult {
    var quakes: Int?
    var transaction: TransactionNumber?
    var transactions: Int?
    var changes: Int?
    var floor: TransactionNumber?
    var dryRun: Bool

    var deletesSomething: Bool { (quakes ?? 0) + (transactions ?? 0) > 0 }

    var question: String {
        if let transactions {
            return "Delete \(transactions.counted("transaction")) of the history? This cannot be undone."
        }
        return "Delete \((quakes ?? 0).counted("quake"))?"
    }

    var line: String {
        let verb = dryRun ? "would delete" : "deleted"
        if let quakes { return "\(verb) \(quakes.counted("quake"))" }
        if let transactions, let changes, let floor {
            return "\(verb) \(transactions.counted("transaction")) with \(changes.counted("change")); "
                + "history now starts after transaction \(floor)"
        }
        return "deleted nothing"
    }

    func record(token: HistoryToken) -> Record {
        [
            "dry_run": dryRun, "quakes": quakes, "transaction": transaction, "transactions": transactions,
            "changes": changes, "floor": floor, "token": token.description,
        ]
    }
}
