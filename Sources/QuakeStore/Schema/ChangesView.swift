import QuakeModel

/// The public view of the history. Of an update it gives the properties that differ, before and after, which it finds
/// by comparing the row before the change with that before the next one, or with the present row.
enum ChangesView {
    static let definition = """
        CREATE VIEW changes_v1 AS SELECT
            c.id AS change_id, c.txn AS "transaction", t.time AS time, t.author AS author, t.context AS context,
            t.generated AS generated, CASE c.kind WHEN 0 THEN 'insert' WHEN 1 THEN 'update' ELSE 'delete' END AS op,
            c.reason AS reason, c.quake AS quake,
            coalesce(q.net || q.code, c.before ->> 'net' || (c.before ->> 'code')) AS id,
            CASE c.kind WHEN 1 THEN \(differing(in: "c.before")) ELSE c.before END AS before,
            CASE c.kind WHEN 1 THEN \(differing(in: "s.next")) END AS after, c.merged_into AS merged_into
        FROM changes c JOIN transactions t ON t.number = c.txn LEFT JOIN quakes q ON q.key = c.quake;
        """

    /// The values in which the row before an update and the next differ, as they are in `row`.
    private static func differing(in row: String) -> String {
        """
        (
                SELECT '{' || group_concat('"' || p.value || '":' || coalesce(\(row) -> p.value, 'null'), ',') || '}'
                FROM (SELECT coalesce((SELECT n.before FROM changes n WHERE n.quake = c.quake AND n.id > c.id
                    ORDER BY n.id LIMIT 1), \(present)) AS next) s, json_each('[\(names)]') p
                WHERE (c.before ->> p.value) IS NOT (s.next ->> p.value))
        """
    }

    private static let names = QuakeProperty.stored.map { "\"\($0.rawValue)\"" }.joined(separator: ",")

    private static let present =
        "json_object("
        + QuakeProperty.stored.map { property in
            let column = "q.\(property.rawValue)"
            return "'\(property.rawValue)', \(property.kind == .real ? number(column) : column)"
        }.joined(separator: ", ") + ")"

    /// A real in JSON, which `json_object` itself would round to 15 digits.
    private static func number(_ column: String) -> String {
        """
        json(CASE WHEN CAST(printf('%!.15g', \(column)) AS REAL) = \(column) THEN printf('%!.15g', \(column)) \
        WHEN \(column) IS NOT NULL THEN printf('%!.17g', \(column)) END)
        """
    }
}
