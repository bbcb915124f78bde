/// The public view of the history. For an update, it contains the old and new values of the properties that differ; for
/// an insert or a deletion, the values that are not null.
enum ChangesView {
    static let query = """
        SELECT
            c.id AS change_id, c.txn AS "transaction", t.time AS time, t.author AS author, t.context AS context,
            t.generated AS published,
            CASE c.kind WHEN 0 THEN iif(c.reason = 'undone', 'undo', 'insert') WHEN 1 THEN 'update' ELSE 'delete' END
                AS op,
            c.reason AS reason, c.quake AS quake,
            CASE WHEN c.kind = 2 THEN b.net || b.code WHEN n.id IS NULL THEN q.net || q.code ELSE a.net || a.code END
                AS id,
            CASE WHEN c.kind > 0 THEN \(differing("old")) END AS before,
            CASE WHEN c.kind < 2 THEN \(differing("new")) END AS after, c.merged_into AS merged_into
        FROM changes c JOIN transactions t ON t.number = c.txn LEFT JOIN quakes q ON q.key = c.quake
            LEFT JOIN rows_before b ON b.change = c.id
            LEFT JOIN changes n ON n.id = (SELECT min(id) FROM changes WHERE quake = c.quake AND id > c.id)
            LEFT JOIN rows_before a ON a.change = n.id
        """

    /// Returns SQL for the properties that differ between the rows before and after a change, with their values in
    /// `column` (`old` or `new`). A REAL is printed with 17 digits if 15 digits would yield a different number. The
    /// text of `extra` is an object already.
    private static func differing(_ column: String) -> String {
        """
        (
                SELECT '{' || group_concat('"' || name || '":' || CASE
                    WHEN name = 'extra' AND \(column) IS NOT NULL THEN \(column)
                    WHEN typeof(\(column)) <> 'real' THEN json_quote(\(column))
                    WHEN json_extract(printf('%!.15g', \(column)), '$') = \(column) THEN printf('%!.15g', \(column))
                    ELSE printf('%!.17g', \(column)) END, ',') || '}'
                FROM (\(values)) WHERE old IS NOT new)
        """
    }

    /// The name, old value, and new value of each property.
    private static let values = QuakeProperty.stored.map { property in
        let name = property.rawValue
        return "SELECT '\(name)' AS name, b.\(name) AS old, iif(n.id IS NULL, q.\(name), a.\(name)) AS new"
    }.joined(separator: " UNION ALL ")
}
