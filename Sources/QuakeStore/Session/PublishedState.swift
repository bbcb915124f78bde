/// A position in the history by time of publication: the state according to the snapshots published up to a moment.
///
/// An import of archived snapshots may apply them within a minute, and not in order of publication. A quake is
/// therefore rewound to its state before the first change that was published after the moment. Rule 10 of mirroring.md
/// keeps the changes to each quake in order of publication, so nothing published before the moment is lost. If a newer
/// snapshot was applied first, the changes of older snapshots were never made and cannot be shown.
struct PublishedState: Hashable {
    /// The last time of publication that the position contains.
    let moment: Timestamp
    let firstLater: TransactionNumber
    /// The newest transaction when the position was chosen. The position contains no later transaction.
    let head: TransactionNumber

    /// A query for the transactions and their times of publication. A transaction with a snapshot was published at the
    /// snapshot's `generated` time. Any other transaction counts as published at the same time as the newest snapshot
    /// before it, even if that snapshot was trimmed; if there is no snapshot before it, the time is null.
    static let transactions = """
        SELECT number, generated, coalesce(generated, newest, purged) AS published FROM (
            SELECT number, generated, max(generated) OVER (ORDER BY number) AS newest,
                (SELECT floor_published FROM store) AS purged
            FROM main.transactions)
        """

    /// A query for the numbers of the transactions that the position does not contain.
    var laterTransactions: String {
        """
        SELECT number FROM (\(PublishedState.transactions))
        WHERE published > \(moment.milliseconds) OR number > \(head)
        """
    }

    /// The condition for rows of `transactions` that the position contains. Only transactions without a snapshot need a
    /// scan of the whole table.
    var containsTransaction: String {
        """
        (number < \(firstLater) OR number <= \(head) AND (generated <= \(moment.milliseconds)
            OR generated IS NULL AND number NOT IN (\(laterTransactions))))
        """
    }

    /// The condition for a row `c` of `changes` that the position does not contain.
    var excludes: String {
        """
        EXISTS (SELECT 1 FROM main.changes later WHERE later.quake = c.quake AND later.id <= c.id
            AND later.txn IN (\(laterTransactions)))
        """
    }
}
