/// One step from a version of the schema to the next. A released step never changes, because caches that it upgraded
/// still exist.
struct SchemaStep: Sendable {
    /// Changes the tables of a cache.
    let run: @Sendable (Database) throws -> Void

    /// The steps from an empty file to the present schema, in order.
    static let all = [createTables]

    private static let createTables = SchemaStep { try SchemaObjects.createVersion1(in: $0) }
}

extension Database {
    /// Adds a column to a table. The existing rows get the column's default value, and their checksums are adjusted so
    /// that earlier damage stays detectable.
    ///
    /// - Parameters:
    ///   - column: the definition of the new column, such as `remark TEXT`.
    ///   - table: the table as the program now reads and writes it. It may have columns that only later steps add.
    func addColumn(_ column: String, to table: CheckedTable) throws {
        let before = try presentColumns(of: table)
        try execute("ALTER TABLE \(table.name) ADD COLUMN \(column)")
        let after = try presentColumns(of: table)
        try execute(
            """
            UPDATE \(table.name) SET checksum = moved_checksum(
                checksum, \(CheckedTable.checksum(of: before)), \(CheckedTable.checksum(of: after)))
            """)
    }

    /// The checksummed columns that the table has so far, in the order of the checksum.
    private func presentColumns(of table: CheckedTable) throws -> [String] {
        let present = Set(try all("SELECT name FROM pragma_table_info(?)", table.name) { $0.text(0) })
        return table.columns.filter(present.contains)
    }
}
