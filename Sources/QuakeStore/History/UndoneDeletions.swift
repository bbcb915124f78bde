import QuakeModel

/// Deletions that were undone before anything else happened to their quakes: a purge and its undo, a merge and its undo.
///
/// A reader who sees both halves of one sees nothing, because nothing is different afterward. One who saw the deletion
/// alone sees the quake return by an `undo`, and not as one that is new.
struct UndoneDeletions {
    /// What a change is to a reader of a range.
    enum Part {
        /// Any other change.
        case none
        /// Half of an undone deletion whose other half the range has too.
        case bothRead
        /// The return of a quake whose deletion lies before the range.
        case undo
    }

    private let database: Database
    private let ids: Range<ChangeID>

    /// Those that a reader of the changes `ids` sees.
    init(_ database: Database, in ids: Range<ChangeID>) { (self.database, self.ids) = (database, ids) }

    func part(_ change: HistoryChange) throws -> Part {
        switch change.kind {
        case .insert where change.reason == .undone:
            let deletion = try database.integer(
                "SELECT max(id) FROM changes WHERE quake = ? AND id < ?", change.quakeKey, change.id)
            return deletion.map { $0 >= ids.lowerBound.rawValue } == true ? .bothRead : .undo
        case .delete:
            let isUndone = try database.first(
                "SELECT id, kind, reason FROM changes WHERE quake = ? AND id > ? ORDER BY id LIMIT 1",
                change.quakeKey, change.id
            ) { next in
                next.integer(0) < ids.upperBound.rawValue && next.integer(1) == ChangeKind.insert.code
                    && next.text(2) == ChangeReason.undone.rawValue
            }
            return isUndone == true ? .bothRead : .none
        default: return .none
        }
    }
}
