/// A table whose rows carry a checksum of their values, in the column `checksum`.
///
/// A bit that a disk or a memory flipped shows, even in a value that never changed. All SQL that writes such a table is
/// made here; the checksum is computed by SQL, of the values that are bound, and an update moves it by the difference,
/// so that a row that was damaged stays so (decision 0151).
struct CheckedTable {
    let name: String
    /// Every column but the checksum, in the order in which they are bound and make up the checksum.
    let columns: [String]
    /// The column that names a row in a finding.
    let key: String

    init(_ name: String, key: String, _ columns: String) {
        self.name = name
        self.key = key
        self.columns = columns.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// Inserts a row, its values bound in the order of ``columns``.
    ///
    /// - Parameter alternative: what to do where the row exists, such as `OR REPLACE`.
    func insertion(_ alternative: String = "") -> String {
        let values = columns.indices.map { "?\($0 + 1)" }
        return """
            INSERT \(alternative) INTO \(name) (\(columns.joined(separator: ", ")), checksum)
            VALUES (\(values.joined(separator: ", ")), \(CheckedTable.checksum(of: values)))
            """
    }

    /// Gives columns other values, which are SQL expressions.
    func update(_ changes: [(String, String)], where condition: String) -> String {
        let after = columns.enumerated().map { index, column in
            guard let value = changes.first(where: { $0.0 == column })?.1 else { return column }
            return index < 32 ? value : CheckedTable.notConstant(value)
        }
        let assignments = changes.map { "\($0) = \($1)" }.joined(separator: ", ")
        return """
            UPDATE \(name) SET \(assignments), checksum = moved_checksum(
                checksum, \(CheckedTable.checksum(of: columns)), \(CheckedTable.checksum(of: after)))
            WHERE \(condition)
            """
    }

    /// `value` as an expression that SQLite does not compute ahead of the statement. As the 33rd or a later argument of
    /// a function that is called twice, such a value was seen replaced by the first call's (SQLite 3.40).
    private static func notConstant(_ value: String) -> String { "iif(checksum IS NULL, NULL, \(value))" }

    /// Selects the key of each row, and what is wrong with it, of those with which something is.
    var faults: String {
        """
        SELECT key, fault FROM (
            SELECT \(key) AS key, row_fault(checksum, \(columns.joined(separator: ", "))) AS fault FROM \(name) NOT INDEXED)
        WHERE fault <> 0
        """
    }

    private static func checksum(of values: [String]) -> String {
        "row_checksum(\(values.joined(separator: ", ")))"
    }
}

extension CheckedTable {
    static let store = CheckedTable(
        "store", key: "id",
        "singleton, id, created, floor, floor_fingerprint, floor_time, floor_moved, floor_author, floor_published, epoch"
    )
    static let quakes = CheckedTable(
        "quakes", key: "key", QuakeColumns.list() + ", key, last_change, hash, confirmed")
    static let aliases = CheckedTable("aliases", key: "alias", "alias, quake")
    static let departed = CheckedTable("departed", key: "quake", "quake, confirmed, reason, merged_into")
    static let transactions = CheckedTable(
        "transactions", key: "number",
        """
        number, time, fingerprint, author, context, pid, host, program, url, generated, etag, sha256, features,
        previous, last_change, inserted, updated, deleted
        """)
    static let changes = CheckedTable(
        "changes", key: "id", "id, txn, quake, kind, reason, before, after, merged_into")
    static let consumers = CheckedTable("consumers", key: "name", "name, token, number, seen")
    static let feeds = CheckedTable(
        "feeds", key: "name",
        """
        name, url, generated, etag, last_modified, checked, applied, features, not_before, pause_status, error, error_time,
        roster
        """)
    static let doubts = CheckedTable(
        "doubts", key: "quake", "quake, kind, first, last, sightings, news, name, awaits")
    static let claims = CheckedTable(
        "claimed", key: "since", "source, since, until, as_of, open_ended, conditions")
    /// The claims of a cache of version 1.
    static let firstClaims = CheckedTable(
        "claims", key: "since",
        """
        source, since, until, as_of, open_ended, min_mag, max_mag, min_depth, max_depth, west, south, east, north, lat,
        lon, radius, types
        """)
    static let unreadable = CheckedTable("unreadable", key: "id", "id, since, until, reason")
    static let takenBack = CheckedTable("taken_back", key: "txn", "txn, taken")
    static let details = CheckedTable("details", key: "quake", "quake, asked, updated")

    /// All tables that a cache of a version of the layout may have.
    static func all(inVersion version: Int) -> [CheckedTable] {
        [
            store, quakes, aliases, departed, transactions, changes, consumers, feeds, doubts,
            version < 2 ? firstClaims : claims, unreadable, takenBack, details,
        ] + SolutionKind.allCases.map { $0.rows(inVersion: version) }
    }
}
