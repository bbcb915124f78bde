/// The tables. Times are epoch milliseconds.
extension CheckedTable {
    /// One row with the facts about the cache. `floor_published` is the newest `generated` time of the trimmed
    /// transactions.
    static let store = CheckedTable(
        "store", key: "id",
        """
        singleton INTEGER PRIMARY KEY CHECK (singleton = 1), id TEXT NOT NULL, created INTEGER NOT NULL,
        floor INTEGER NOT NULL DEFAULT 0, floor_fingerprint INTEGER NOT NULL DEFAULT 0, floor_time INTEGER,
        floor_moved INTEGER, floor_author TEXT, floor_published INTEGER
        """)
    /// `source_time` is the source time (``FeedRecord/sourceTime``) of the newest document that decided the row. `hash`
    /// is the hash of the feature's bytes; 0 if unknown.
    static let quakes = CheckedTable(
        "quakes", key: "key",
        """
        key INTEGER PRIMARY KEY AUTOINCREMENT, last_change INTEGER NOT NULL, hash INTEGER NOT NULL DEFAULT 0,
        source_time INTEGER NOT NULL DEFAULT 0, \(QuakeColumns.definitions)
        """, bound: QuakeColumns.list() + ", key, last_change, hash, source_time", constraint: "UNIQUE (net, code)")
    static let aliases = CheckedTable(
        "aliases", key: "alias", "alias TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, quake INTEGER NOT NULL",
        options: "STRICT, WITHOUT ROWID")
    /// The deleted quakes. `source_time` is the source time of the newest document that decided the row.
    static let departed = CheckedTable(
        "departed", key: "quake",
        "quake INTEGER PRIMARY KEY, source_time INTEGER NOT NULL, reason TEXT NOT NULL, merged_into INTEGER")
    /// `undoes` is the number of the transaction that this one undoes. `taken` is the data, besides the changes and
    /// `moved_ids`, that an undo restores. `previous` is the number of the previous transaction, which may be lower by
    /// more than 1, because a restore skips numbers.
    static let transactions = CheckedTable(
        "transactions", key: "number",
        """
        number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
        author TEXT NOT NULL, context TEXT, pid INTEGER NOT NULL, host TEXT NOT NULL, program TEXT NOT NULL, url TEXT,
        generated INTEGER, etag TEXT, features INTEGER, undoes INTEGER, taken TEXT, moved_ids TEXT,
        previous INTEGER NOT NULL, last_change INTEGER NOT NULL, inserted INTEGER NOT NULL DEFAULT 0,
        updated INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0
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
    /// `source_time` is `generated`, but no later than the response with the snapshot. `roster` is the packed
    /// ``ListedKeys``.
    static let feeds = CheckedTable(
        "feeds", key: "name",
        """
        name TEXT PRIMARY KEY, url TEXT, generated INTEGER, etag TEXT, last_modified TEXT, checked INTEGER,
        applied INTEGER, features INTEGER, not_before INTEGER, pause_status INTEGER, error TEXT, error_time INTEGER,
        source_time INTEGER, roster BLOB
        """)
    /// `updated` and `place` are values of the feature. `awaits_service` is 1 if only the event service must still
    /// confirm an absence, otherwise 0.
    static let unconfirmedChanges = CheckedTable(
        "unconfirmed_changes", key: "quake",
        """
        quake INTEGER NOT NULL, kind TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        snapshots INTEGER NOT NULL, updated INTEGER, place TEXT, awaits_service INTEGER NOT NULL DEFAULT 0
        """, constraint: "PRIMARY KEY (quake, kind)", options: "STRICT, WITHOUT ROWID")
    /// The origin times that backfills requested; `conditions` is a JSON object of ``QuakeFilter/coverageMembers``.
    static let requestedRanges = CheckedTable(
        "requested_ranges", key: "since",
        "since INTEGER NOT NULL, until INTEGER NOT NULL, conditions TEXT NOT NULL, source TEXT NOT NULL")
    /// The origin times for which the cache is complete as of a moment.
    static let coveredRanges = CheckedTable(
        "covered_ranges", key: "since",
        """
        since INTEGER NOT NULL, until INTEGER NOT NULL, conditions TEXT NOT NULL, as_of INTEGER NOT NULL,
        source TEXT NOT NULL
        """)
    /// The ids in question, about which the event service must still be asked. `raised` is the source time of the
    /// document that put the id in question; `last_answer` is when the last of the `unsettled_answers` arrived.
    static let idsInQuestion = CheckedTable(
        "ids_in_question", key: "id",
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

    /// The tables of schema version 1, which the first ``SchemaStep`` creates.
    static let ofVersion1 = [
        store, quakes, aliases, departed, transactions, changes, rowsBefore, consumers, feeds, unconfirmedChanges,
        requestedRanges, coveredRanges, idsInQuestion, details, products,
    ]
    static let all = ofVersion1
}
