/// The steps from one version of the layout to the next. A new cache takes them too, so that it has the same objects as
/// one that was upgraded, with the same text.
enum SchemaUpgrade {
    /// Brings a cache of version `found` to `version`, within the caller's transaction.
    static func run(_ database: Database, from found: Int, to version: Int = Schema.version) throws {
        for (number, step) in steps where found < number && number <= version { try database.execute(step) }
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Each version after the first, and what makes it of the one before.
    private static let steps = [(2, toVersion2), (3, toVersion3)]

    /// Each window of a backfill is proved by a count of its own from now on.
    private static let toVersion2 = """
        DROP TABLE windows;
        \(CheckedTable.claims.definition)
        \(claimsMoved);
        DROP TABLE claims;
        \(CheckedTable.takenBack.definition)
        \(CheckedTable.unreadable.definition)
        """

    /// How many stations a magnitude is computed from, and which networks computed location and magnitude: columns of
    /// the CSV feeds of USGS.
    private static var toVersion3: String {
        let before = SolutionKind.origins.rows(inVersion: 2).columns
        let new = SolutionKind.newInVersion3
        let shown = SolutionKind.origins.fields(inVersion: 2)
        let added = new.map { "ALTER TABLE origins ADD COLUMN \($0.columnDefinition);" }.joined(separator: "\n")
        let after = before + new.map { _ in "NULL" }
        return """
            \(added)
            UPDATE origins SET checksum = moved_checksum(
                checksum, row_checksum(\(before.joined(separator: ", "))), row_checksum(\(after.joined(separator: ", "))));
            DROP VIEW solutions_v1;
            \(SchemaObjects.solutionsView(shown.map(\.rawValue) + ["quake"] + new.map(\.rawValue)))
            """
    }

    /// The conditions of a claim of version 1, which had a column for each.
    static let conditionsOfVersion1 = """
        json_patch('{}', json_object(
            'min_mag', min_mag, 'max_mag', max_mag, 'min_depth', min_depth, 'max_depth', max_depth,
            'bbox', iif(west IS NULL, NULL, json_array(west, south, east, north)),
            'near', iif(lat IS NULL, NULL, json_array(lat, lon)), 'radius_km', radius,
            'type', iif(types = '', NULL, json('[' || replace(json_quote(types), ',', '","') || ']'))))
        """

    /// Keeps damage visible: the checksum of a row moves with its values.
    private static var claimsMoved: String {
        let columns = CheckedTable.claims.columns
        let before = CheckedTable.firstClaims.columns.joined(separator: ", ")
        let after = columns.dropLast() + [conditionsOfVersion1]
        return """
            INSERT INTO claimed (\(columns.joined(separator: ", ")), checksum)
            SELECT \(after.joined(separator: ", ")), moved_checksum(
                checksum, row_checksum(\(before)), row_checksum(\(after.joined(separator: ", ")))) FROM claims
            """
    }
}

extension Database {
    /// Whether the cache has `table`: one of an older version, which is only read, may not.
    func has(_ table: CheckedTable) throws -> Bool {
        try integer("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", table.name) != nil
    }
}
