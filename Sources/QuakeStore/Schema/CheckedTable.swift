/// A table whose rows contain a checksum of their values in the column `checksum`.
///
/// The checksum reveals a bit flipped on disk or in memory, even in a value that never changed. All SQL that writes to
/// such a table is generated here. SQL computes the checksum from the bound values. An update adjusts the old checksum
/// by the difference, so a damaged row remains recognizable.
struct CheckedTable {
    let name: String
    /// All columns except the checksum, in the order in which they are bound and checksummed.
    let columns: [String]
    /// The column that identifies a row in a finding.
    let key: String
    /// The statement that creates the table. Caches store its text, so a released text never changes.
    let definition: String

    /// - Parameters:
    ///   - columns: the columns with their types, in table order.
    ///   - bound: the column names in binding order, if it differs.
    ///   - constraint: a table constraint.
    init(
        _ name: String, key: String, _ columns: String, bound: String? = nil, constraint: String? = nil,
        options: String = "STRICT"
    ) {
        let definitions = Self.parts(of: columns)
        (self.name, self.key) = (name, key)
        self.columns = bound.map(Self.parts) ?? definitions.map { String($0.prefix { $0 != " " }) }
        let lines = definitions + ["checksum INTEGER NOT NULL"] + [constraint].compactMap(\.self)
        definition = "CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n) \(options);"
    }

    private static func parts(of list: String) -> [String] {
        list.split(separator: ",").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    }

    /// Returns the statement that inserts a row whose values are bound in the order of ``columns``.
    ///
    /// - Parameter alternative: the conflict clause, such as `OR REPLACE`.
    func insertion(_ alternative: String = "") -> String {
        let values = columns.indices.map { "?\($0 + 1)" }
        return """
            INSERT \(alternative) INTO \(name) (\(columns.joined(separator: ", ")), checksum)
            VALUES (\(values.joined(separator: ", ")), \(CheckedTable.checksum(of: values)))
            """
    }

    /// Returns the statement that assigns SQL expressions to columns.
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

    /// Returns `value` as an expression that SQLite cannot evaluate in advance. When one function was called twice,
    /// SQLite 3.40 was seen to reuse the first call's values for the 33rd and later arguments.
    private static func notConstant(_ value: String) -> String { "iif(checksum IS NULL, NULL, \(value))" }

    /// A query for the key and the fault of each damaged row.
    var faults: String {
        """
        SELECT key, fault FROM (
            SELECT \(key) AS key, row_fault(checksum, \(columns.joined(separator: ", "))) AS fault FROM \(name) NOT INDEXED)
        WHERE fault <> 0
        """
    }

    private static func checksum(of values: [String]) -> String { "row_checksum(\(values.joined(separator: ", ")))" }
}

/// The tables. Times are epoch milliseconds.
extension CheckedTable {
    /// `floor_published` is the newest `generated` time of the purged transactions.
    static let store = CheckedTable(
        "store", key: "id",
        """
        singleton INTEGER PRIMARY KEY CHECK (singleton = 1), id TEXT NOT NULL, created INTEGER NOT NULL,
        floor INTEGER NOT NULL DEFAULT 0, floor_fingerprint INTEGER NOT NULL DEFAULT 0, floor_time INTEGER,
        floor_moved INTEGER, floor_author TEXT, floor_published INTEGER
        """)
    /// `confirmed` is the `generated` time of the newest snapshot that decided the row. `hash` is the feature's hash; 0
    /// if unknown.
    static let quakes = CheckedTable(
        "quakes", key: "key",
        """
        key INTEGER PRIMARY KEY AUTOINCREMENT, last_change INTEGER NOT NULL, hash INTEGER NOT NULL DEFAULT 0,
        confirmed INTEGER NOT NULL DEFAULT 0, \(QuakeColumns.definitions)
        """, bound: QuakeColumns.list() + ", key, last_change, hash, confirmed", constraint: "UNIQUE (net, code)")
    static let aliases = CheckedTable(
        "aliases", key: "alias", "alias TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, quake INTEGER NOT NULL",
        options: "STRICT, WITHOUT ROWID")
    /// `confirmed` is the `generated` time of the newest snapshot that decided the row.
    static let departed = CheckedTable(
        "departed", key: "quake",
        "quake INTEGER PRIMARY KEY, confirmed INTEGER NOT NULL, reason TEXT NOT NULL, merged_into INTEGER")
    /// `undoes` is the number of the transaction that this one undoes. `taken` is the data, besides the changes, that
    /// an undo restores (``TakenBack``). `previous` is the number of the previous transaction, which may be lower by
    /// more than 1, because a restore skips numbers.
    static let transactions = CheckedTable(
        "transactions", key: "number",
        """
        number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
        author TEXT NOT NULL, context TEXT, pid INTEGER NOT NULL, host TEXT NOT NULL, program TEXT NOT NULL, url TEXT,
        generated INTEGER, etag TEXT, features INTEGER, undoes INTEGER, taken TEXT, previous INTEGER NOT NULL,
        last_change INTEGER NOT NULL, inserted INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
        deleted INTEGER NOT NULL DEFAULT 0
        """)
    static let changes = CheckedTable(
        "changes", key: "id",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT, txn INTEGER NOT NULL, quake INTEGER NOT NULL, kind INTEGER NOT NULL,
        reason TEXT NOT NULL, merged_into INTEGER
        """)
    /// The values of the quake before each update and deletion. The values after a change are the values before the
    /// quake's next change or, if there is none, those in the present row.
    static let rowsBefore = CheckedTable(
        "rows_before", key: "change", "change INTEGER PRIMARY KEY, \(QuakeColumns.definitions)",
        bound: QuakeColumns.list() + ", change")
    static let consumers = CheckedTable(
        "consumers", key: "name",
        "name TEXT PRIMARY KEY, token TEXT NOT NULL, number INTEGER NOT NULL, seen INTEGER NOT NULL")
    /// `source_time` is `generated`, but no later than the response that brought the snapshot.
    static let feeds = CheckedTable(
        "feeds", key: "name",
        """
        name TEXT PRIMARY KEY, url TEXT, generated INTEGER, etag TEXT, last_modified TEXT, checked INTEGER,
        applied INTEGER, features INTEGER, not_before INTEGER, pause_status INTEGER, error TEXT, error_time INTEGER,
        source_time INTEGER, roster BLOB
        """)
    /// `name` is the place name claimed by an unconfirmed change; `awaits` is whether an absence awaits the event
    /// service.
    static let doubts = CheckedTable(
        "doubts", key: "quake",
        """
        quake INTEGER NOT NULL, kind TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        sightings INTEGER NOT NULL, news INTEGER, name TEXT, awaits INTEGER NOT NULL DEFAULT 0
        """, constraint: "PRIMARY KEY (quake, kind)", options: "STRICT, WITHOUT ROWID")
    /// The origin times that backfills requested; `conditions` is an object as in ``QuakeFilter/claimMembers``.
    static let parts = CheckedTable(
        "parts", key: "since", "since INTEGER NOT NULL, until INTEGER NOT NULL, conditions TEXT NOT NULL")
    /// The origin times for which the cache is complete as of a moment.
    static let covered = CheckedTable(
        "covered", key: "since",
        """
        since INTEGER NOT NULL, until INTEGER NOT NULL, conditions TEXT NOT NULL, as_of INTEGER NOT NULL,
        source TEXT NOT NULL
        """)
    /// The ids about which the event service must be asked. `raised` is the time of the document that raised the
    /// question, by its source; `last_answer` is when the last of the `unsettled_answers` arrived.
    static let questions = CheckedTable(
        "questions", key: "id",
        """
        id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL,
        reason TEXT NOT NULL, raised INTEGER NOT NULL, unsettled_answers INTEGER NOT NULL DEFAULT 0,
        last_answer INTEGER
        """, options: "STRICT, WITHOUT ROWID")
    static let details = CheckedTable(
        "details", key: "quake", "quake INTEGER PRIMARY KEY, asked INTEGER NOT NULL, updated INTEGER NOT NULL")
    /// The versions of solutions, by kind, in order of publication. Versions that delete solutions have no properties.
    static let products = CheckedTable(
        "products", key: "quake",
        """
        quake INTEGER NOT NULL, position INTEGER NOT NULL, product TEXT NOT NULL, source TEXT NOT NULL,
        code TEXT NOT NULL, published INTEGER NOT NULL, weight INTEGER NOT NULL, properties TEXT
        """, constraint: "PRIMARY KEY (quake, position)", options: "STRICT, WITHOUT ROWID")

    static let all = [
        store, quakes, aliases, departed, transactions, changes, rowsBefore, consumers, feeds, doubts, parts, covered,
        questions, details, products,
    ]
}
