import QuakeModel

/// Deletions that were undone before anything else happened to their quakes, such as a purge and its undo.
struct UndoneDeletions {
    private let database: Database
    private let rebuilder: StateRebuilder
    /// Where the history ends that counts.
    private let end: ChangeID

    init(_ database: Database, before end: ChangeID) throws {
        (self.database, self.end) = (database, end)
        rebuilder = try StateRebuilder(database)
    }

    /// Whether `change` is a deletion that was undone, and left the quake as it was.
    func contains(_ change: HistoryChange) throws -> Bool {
        guard change.kind == .delete else { return false }
        let undo = try database.first(
            "SELECT id, kind, reason FROM changes WHERE quake = ? AND id > ? AND id < ? ORDER BY id LIMIT 1",
            change.quakeKey, change.id, end
        ) { next in
            next.integer(1) == ChangeKind.insert.code && next.text(2) == ChangeReason.undone.rawValue
                ? next.change(0) : nil
        }.flatMap(\.self)
        guard let undo else { return false }
        return try rebuilder.state(of: change.quakeKey, after: undo) == change.before
    }
}
