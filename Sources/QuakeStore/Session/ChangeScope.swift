/// A selection of changes: a range of ids, perhaps limited to the changes that a published state contains or lacks.
struct ChangeScope {
    var ids: Range<ChangeID>
    /// Include only changes that this state does not contain.
    var after: PublishedState?
    /// Include only changes that this state contains.
    var within: PublishedState?

    /// The condition for rows `c` of `changes`, with the two bounds of the ids as its parameters.
    var condition: String {
        "c.id >= ? AND c.id < ?" + (after.map { " AND \($0.excludes)" } ?? "")
            + (within.map { " AND NOT \($0.excludes)" } ?? "")
    }
}
