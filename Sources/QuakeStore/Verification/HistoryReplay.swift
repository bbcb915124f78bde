/// Checks that the retained history leads to the current rows. Transactions must follow one another and count their
/// changes correctly; each quake's changes must follow one another; the row before each update and deletion must be
/// stored; and a quake's row must name the quake's last change.
extension CacheChecks {
    func replayHistory() throws {
        log.count(\.quakes, try count(of: "quakes"))
        log.count(\.transactions, try count(of: "transactions"))
        log.count(\.changes, try count(of: "changes"))
        try checkTransactions()
        try checkChanges()
    }

    func count(of table: String) throws -> Int { Int(try database.integer("SELECT count(*) FROM \(table)") ?? 0) }

    private func checkTransactions() throws {
        try database.forEach(
            """
            SELECT number FROM (
                SELECT *, lag(number, 1, (SELECT floor FROM store)) OVER (ORDER BY number) AS expected,
                    inserted + updated + deleted AS counted FROM transactions)
            WHERE previous IS NOT expected OR counted <> (
                SELECT count(*) FROM changes WHERE id > last_change - counted AND id <= last_change AND txn = number)
            """
        ) {
            log.add(
                .values,
                "transaction \($0.integer(0)) does not follow the previous one, or its number of changes is wrong")
        }
    }

    private func checkChanges() throws {
        try database.forEach(
            """
            SELECT id, quake FROM (
                SELECT c.id, c.quake, txn, kind, b.change, q.last_change, lag(kind) OVER changes AS earlier,
                    lead(c.id) OVER changes AS later
                FROM changes c INDEXED BY changes_by_quake LEFT JOIN rows_before b ON b.change = c.id
                    LEFT JOIN quakes q ON q.key = c.quake
                WINDOW changes AS (PARTITION BY c.quake ORDER BY c.id))
            WHERE kind NOT IN (0, 1, 2) OR (kind = 0) <> (change IS NULL) OR txn NOT IN (SELECT number FROM transactions)
                OR later IS NULL AND last_change IS NOT iif(kind = 2, NULL, id)
                OR iif(earlier IS NULL AND (SELECT floor FROM store) > 0, 0, (kind = 0) <> (coalesce(earlier, 2) = 2))
            """
        ) { log.add(.values, "change \($0.integer(0)) contradicts the history or the row of quake \($0.integer(1))") }
        // If a quake's last change was trimmed, the quake's row names a change older than the first retained one.
        try database.forEach(
            """
            SELECT key, last_change FROM quakes q WHERE last_change >= coalesce((SELECT min(id) FROM changes),
                (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'changes'), 1)
                AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.id = q.last_change AND c.quake = q.key)
            """
        ) { log.add(.values, "quake \($0.integer(0)) refers to change \($0.integer(1)), which is not one of its own") }
    }
}
