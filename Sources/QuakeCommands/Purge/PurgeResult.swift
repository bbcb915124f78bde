import QuakeStore

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
            return "Delete \(transactions.counted("transaction")) from the history? This cannot be undone."
        }
        return "Delete \((quakes ?? 0).counted("quake"))?"
    }

    var line: String {
        let verb = dryRun ? "would delete" : "deleted"
        if let quakes, quakes > 0 { return "\(verb) \(quakes.counted("quake"))" }
        if let transactions, transactions > 0, let changes, let floor {
            return "\(verb) \(transactions.counted("transaction")) with \(changes.counted("change")); "
                + "history \(dryRun ? "would then start" : "now starts") after transaction \(floor)"
        }
        return "nothing to delete"
    }

    func record(token: HistoryToken) -> Record {
        [
            "dry_run": dryRun, "quakes": quakes, "transaction": transaction, "transactions": transactions,
            "changes": changes, "purged_through": floor, "token": token.description,
        ]
    }
}

/// The quakes that a purge would delete, newest first, as `quakes list` shows them.
struct PurgePreview {
    static let limit = 20

    let filter: QuakeFilter
    /// The number of quakes that the filter accepts.
    let count: Int

    /// Writes the list and the number of further quakes; nothing if the filter accepts no quakes.
    func write(from context: QuakeContext, _ style: OutputStyle, _ environment: CommandEnvironment) throws {
        guard count > 0 else { return }
        let rendering = OutputFormat.table.rendering(of: nil)
        let reader = FieldReader(rendering.fields, DisplayStyle())
        let renderer = rendering.renderer(environment.standardOutput.writerForPeople, style)
        renderer.begin()
        let descriptor = QuakeDescriptor(filter: filter, sortedBy: [QuakeSortKey(.time)], limit: Self.limit)
        try context.forEachRow(descriptor, fields: reader.properties) { try renderer.row($0.field(at:)) }
        if count > Self.limit { renderer.writer.append("… and \((count - Self.limit).grouped) more\n") }
        try renderer.end()
    }
}
