/// One step from a version of the schema to the next. A released step never changes, because caches that took it remain.
struct SchemaStep: Sendable {
    /// Changes the tables of a cache; the second argument is the present time.
    let run: @Sendable (Database, Timestamp) throws -> Void

    /// The steps from an empty file to the present schema, in order.
    static let all = [createTables]

    /// Creates the tables, indexes, triggers and views of schema version 1.
    private static let createTables = SchemaStep { database, now in
        try SchemaObjects.create(database, at: now)
    }
}

extension Database {
    /// Adds a column to a table, whose rows then hold the column's default. Each row's checksum moves by the difference,
    /// so that earlier damage stays detectable.
    ///
    /// - Parameters:
    ///   - column: the definition of the new column, such as `remark TEXT`.
    ///   - before: the table as the steps so far have left it.
    ///   - after: the table with the new column.
    func addColumn(_ column: String, to before: CheckedTable, making after: CheckedTable) throws {
        try execute(
            """
            ALTER TABLE \(before.name) ADD COLUMN \(column);
            UPDATE \(before.name) SET checksum = moved_checksum(
                checksum, \(CheckedTable.checksum(of: before.columns)), \(CheckedTable.checksum(of: after.columns)))
            """)
    }
}
