import GRDB
public import QuakeModel

extension QuakeContext {
    /// What is known of the feed called `name`; nil when it was never asked.
    public func feed(named name: String) throws -> FeedRecord? {
        try database { db in
            let statement = try SQLStatement(db, FeedRows.select + " WHERE name = ?")
            statement.bind(1, name)
            defer { statement.reset() }
            return try statement.step() ? FeedRows.record(statement) : nil
        }
    }

    /// Every feed that was ever asked, by name.
    public func feeds() throws -> [FeedRecord] {
        try database { db in
            let statement = try SQLStatement(db, FeedRows.select + " ORDER BY name")
            defer { statement.reset() }
            var records: [FeedRecord] = []
            while try statement.step() { records.append(FeedRows.record(statement)) }
            return records
        }
    }

    /// Keeps `record`, outside history: how a feed answered is no change of any quake.
    ///
    /// A power cut may lose it until something else is kept or the last context closes: not worth a wait for the disk of its own.
    public func save(_ record: FeedRecord) throws {
        try withoutWaitingForDisk {
            try inTransaction(begin: "BEGIN IMMEDIATE", keep: { _ in true }) {
                try database { try FeedRows.write(record, listedKeys: nil, to: $0) }
            }
        }
    }

    /// Runs `body`, whose transaction is written to the log and synced with whatever is synced next, at the latest when the
    /// last connection to the cache closes.
    private func withoutWaitingForDisk<Success>(_ body: () throws -> Success) throws -> Success {
        // The level cannot be changed inside a transaction, which has its own.
        guard depth == 0 else { return try body() }
        return try releasingPin {
            try database { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            let outcome = Result(catching: body)
            try database { try $0.execute(sql: Connection.waitForDisk) }
            return try outcome.get()
        }
    }
}

extension QuakeWriter {
    /// Keeps `record` and whom its snapshot listed, in the same transaction as the changes it led to.
    public func save(_ record: FeedRecord, listedKeys: ListedKeys) throws {
        try connection.translatingErrors { try FeedRows.write(record, listedKeys: listedKeys, to: db) }
    }

    /// The feeds whose newest snapshot is newer than `moment`: its `generated` and whom it listed.
    public func listedKeys(
        newerThan moment: Timestamp
    ) throws -> [(feed: String, generated: Timestamp, roster: ListedKeys)] {
        try connection.translatingErrors {
            let statement = try SQLStatement(
                db, "SELECT name, generated, roster FROM feeds WHERE generated > ? AND roster IS NOT NULL")
            statement.bind(1, moment.milliseconds)
            defer { statement.reset() }
            var rosters: [(String, Timestamp, ListedKeys)] = []
            while try statement.step() {
                rosters.append(
                    (
                        statement.text(0), Timestamp(milliseconds: statement.integer(1)),
                        ListedKeys(packed: statement.blob(2))
                    ))
            }
            return rosters
        }
    }

    /// Whom the newest snapshot of the feed called `name` listed; nil when none was applied.
    public func listedKeys(ofFeed name: String) throws -> ListedKeys? {
        try connection.translatingErrors {
            let statement = try SQLStatement(db, "SELECT roster FROM feeds WHERE name = ? AND roster IS NOT NULL")
            statement.bind(1, name)
            defer { statement.reset() }
            return try statement.step() ? ListedKeys(packed: statement.blob(0)) : nil
        }
    }
}

/// The rows of `feeds`.
private enum FeedRows {
    static let select = """
        SELECT name, url, generated, etag, last_modified, checked, applied, features, not_before, error, error_time
        FROM feeds
        """

    static func record(_ row: SQLStatement) -> FeedRecord {
        func moment(_ column: Int32) -> Timestamp? { row.integerOrNil(column).map(Timestamp.init(milliseconds:)) }
        var record = FeedRecord(name: row.text(0))
        record.url = row.textOrNil(1)
        record.generated = moment(2)
        record.etag = row.textOrNil(3)
        record.lastModified = row.textOrNil(4)
        record.checked = moment(5)
        record.applied = moment(6)
        record.featureCount = row.integerOrNil(7).map(Int.init)
        record.notBefore = moment(8)
        record.error = row.textOrNil(9)
        record.errorTime = moment(10)
        return record
    }

    static func write(_ record: FeedRecord, listedKeys: ListedKeys?, to db: Database) throws {
        let statement = try SQLStatement(
            db,
            """
            INSERT INTO feeds (name, url, generated, etag, last_modified, checked, applied, features, not_before,
                error, error_time, roster) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (name) DO UPDATE SET url = ?2, generated = ?3, etag = ?4, last_modified = ?5, checked = ?6,
                applied = ?7, features = ?8, not_before = ?9, error = ?10, error_time = ?11,
                roster = coalesce(?12, roster)
            """)
        statement.bind(1, record.name)
        statement.bind(2, record.url)
        statement.bind(3, record.generated?.milliseconds)
        statement.bind(4, record.etag)
        statement.bind(5, record.lastModified)
        statement.bind(6, record.checked?.milliseconds)
        statement.bind(7, record.applied?.milliseconds)
        statement.bind(8, record.featureCount.map(Int64.init))
        statement.bind(9, record.notBefore?.milliseconds)
        statement.bind(10, record.error)
        statement.bind(11, record.errorTime?.milliseconds)
        if let listedKeys { statement.bind(12, blob: listedKeys.packed) }
        try statement.run()
    }
}
