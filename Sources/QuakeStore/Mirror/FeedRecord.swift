/// A record of the last requests to a source, such as a feed, and of the responses.
package struct FeedRecord: Hashable, Sendable, Codable {
    /// The name of a feed, such as `all_week`, or the URL or file of another source.
    package var name: String
    /// The URL of the last request.
    package var url: String?
    /// The `generated` time of the newest snapshot applied.
    package var generated: Timestamp?
    /// The source time of the newest snapshot applied: `generated`, but no later than the time of the response.
    /// Documents are ordered by source time.
    package var sourceTime: Timestamp?
    /// The ETag of the newest snapshot applied.
    package var etag: String?
    /// The Last-Modified date of the newest snapshot applied.
    package var lastModified: String?
    /// The time of the last successful response, even one with nothing new. For the event service, the time of the last
    /// request for all changes.
    package var checked: Timestamp?
    /// The time at which a snapshot was last applied.
    package var applied: Timestamp?
    /// The number of features in the newest snapshot applied.
    package var featureCount: Int?
    /// The pause that the source has requested.
    package var pause: Pause?
    /// The last failure, in words; nil after a later success.
    package var error: String?
    /// The time of the last failure.
    package var errorTime: Timestamp?

    /// A server's request not to be contacted for a while.
    package struct Pause: Hashable, Sendable, Codable {
        package var end: Timestamp
        /// The status code of the response: 429 or 503.
        package var status: Int

        package init(end: Timestamp, status: Int) {
            self.end = end
            self.status = status
        }
    }

    /// The time of the last request or the last applied document; nil if there was none.
    package var lastAsked: Timestamp? { [checked, applied, errorTime].compactMap { $0 }.max() }
    /// The last time the feed responded successfully or one of its documents was applied. Nil for the event service,
    /// which is not a feed.
    package var lastSuccess: Timestamp? { isService ? nil : [checked, applied].compactMap { $0 }.max() }
    /// Whether the record is about an event service, which is not a feed.
    package var isService: Bool { name.hasPrefix(SourceName.servicePrefix) }

    /// Creates the record of a feed that has not been requested yet.
    package init(name: String) { self.name = name }
}

extension SourceRecords {
    /// Returns the record of the feed called `name`; nil if it was never requested.
    package func feed(named name: String) throws -> FeedRecord? {
        try session.connection.first(FeedRecord.select + " WHERE name = ?", name, read: FeedRecord.init(row:))
    }

    /// Returns the records of all feeds ever requested, ordered by name.
    package func feeds() throws -> [FeedRecord] { try FeedRecord.all(in: session.connection) }

    package func save(_ record: FeedRecord) throws { try updateFeed(record.name) { $0 = record } }

    /// Changes the record of the feed called `name` without an entry in the history. Outside a transaction, does not
    /// wait for the disk: a power failure may undo the change, until a later transaction waits for the disk or the last
    /// context closes.
    package func updateFeed(_ name: String, _ change: (inout FeedRecord) -> Void) throws {
        func write() throws {
            try session.inTransaction(.writing) {
                var record = try feed(named: name) ?? FeedRecord(name: name)
                change(&record)
                try record.write(to: session.connection, listedKeys: nil)
            }
        }
        // Inside a transaction, SQLite's setting `synchronous` cannot change, and the transaction waits for the disk
        // anyway.
        guard session.nesting.depth == 0 else { return try write() }
        try session.connection.withoutWaitingForDisk(write)
    }
}

extension FeedRecord {
    static let select = """
        SELECT name, url, generated, etag, last_modified, checked, applied, features, not_before, pause_status, error,
            error_time, source_time
        FROM feeds
        """

    /// Returns the records of all feeds ever requested, ordered by name.
    static func all(in database: Database) throws -> [FeedRecord] {
        try database.all(
            select + " WHERE name <> ? ORDER BY name", SourceName.staleNotice, read: FeedRecord.init(row:))
    }

    init(row: Statement) {
        self.init(name: row.text(0))
        url = row.textOrNil(1)
        generated = row.timestampOrNil(2)
        etag = row.textOrNil(3)
        lastModified = row.textOrNil(4)
        checked = row.timestampOrNil(5)
        applied = row.timestampOrNil(6)
        featureCount = row.integerOrNil(7).map(Int.init)
        if let end = row.timestampOrNil(8), let status = row.integerOrNil(9) {
            pause = Pause(end: end, status: Int(status))
        }
        error = row.textOrNil(10)
        errorTime = row.timestampOrNil(11)
        sourceTime = row.timestampOrNil(12)
    }

    /// Writes the record. If `listedKeys` is nil, the stored keys stay the same.
    func write(to database: Database, listedKeys: ListedKeys?) throws {
        for sql in [FeedRecord.update, CheckedTable.feeds.insertion()] {
            try database.run(
                sql, name, url, generated?.milliseconds, etag, lastModified, checked?.milliseconds,
                applied?.milliseconds, featureCount, pause?.end.milliseconds, pause?.status, error,
                errorTime?.milliseconds, sourceTime?.milliseconds, listedKeys)
            if database.changedRows > 0 { return }
        }
    }

    /// The statement that raises the source time of the deleted quake under the key `?2` to `?1`, the source time of
    /// the newest snapshot of a feed that listed the quake.
    static let carry = CheckedTable.departed.update(
        [("source_time", "max(source_time, ifnull(?1, 0))")], where: "quake = ?2")

    private static let update = CheckedTable.feeds.update(
        CheckedTable.feeds.columns.enumerated().dropFirst().map { index, column in
            (column, column == "roster" ? "coalesce(?\(index + 1), roster)" : "?\(index + 1)")
        }, where: "name = ?1")
}
