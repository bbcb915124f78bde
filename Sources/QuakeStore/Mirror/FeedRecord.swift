/// What the cache knows about one feed: when it was asked, and what it answered.
public struct FeedRecord: Hashable, Sendable, Codable {
    /// `all_week`, or the address of a source that is not a summary feed.
    public var name: String
    /// The address it was last asked from.
    public var url: String?
    /// The `generated` of the newest snapshot applied.
    public var generated: Timestamp?
    /// The ETag that came with it.
    public var etag: String?
    /// The Last-Modified that came with it.
    public var lastModified: String?
    /// When the source last answered without an error: with a document, or with nothing new. For the event service,
    /// when it was last asked for all changes.
    public var checked: Timestamp?
    /// When a snapshot was last applied.
    public var applied: Timestamp?
    /// Features in the newest snapshot applied.
    public var featureCount: Int?
    /// The pause that the source asked for.
    public var pause: Pause?
    /// The last failure, until the next success.
    public var error: String?
    /// When that failure happened.
    public var errorTime: Timestamp?

    /// A server asked not to be called for a while.
    public struct Pause: Hashable, Sendable, Codable {
        public var end: Timestamp
        /// The status with which the server answered: 429 or 503.
        public var status: Int

        /// A pause up to `end`.
        package init(end: Timestamp, status: Int) { (self.end, self.status) = (end, status) }
    }

    /// When it was last asked, or a document of it applied; nil if never.
    public var lastAsked: Timestamp? { [checked, applied, errorTime].compactMap { $0 }.max() }
    /// Whether it is the event service, which is no feed.
    package var isService: Bool { name.hasPrefix(SourceName.servicePrefix) }

    /// A feed about which nothing is known yet.
    package init(name: String) { self.name = name }
}

extension StoreSources {
    /// What is known about the feed called `name`; nil when it was never asked.
    public func feed(named name: String) throws -> FeedRecord? {
        try context.connection.first(FeedRecord.select + " WHERE name = ?", name, read: FeedRecord.init(row:))
    }

    /// Every feed that was ever asked, by name.
    public func feeds() throws -> [FeedRecord] {
        try context.connection.all(FeedRecord.select + " ORDER BY name", read: FeedRecord.init(row:))
    }

    package func save(_ record: FeedRecord) throws { try note(record.name) { $0 = record } }

    /// Changes what is known about the feed called `name`, outside history: how a feed answered changes no quake. Does
    /// not wait for the disk: a power cut may lose it until something else is saved or the last context closes.
    package func note(_ name: String, _ change: (inout FeedRecord) -> Void) throws {
        func write() throws {
            try context.inTransaction(.writing) {
                var record = try feed(named: name) ?? FeedRecord(name: name)
                change(&record)
                try record.write(to: context.connection, listedKeys: nil)
            }
        }
        // Inside a transaction the setting cannot change, and the transaction waits anyway.
        guard context.depth == 0 else { return try write() }
        try context.connection.withoutWaitingForDisk(write)
    }
}

extension StoreSources {
    /// Forgets the feed called `name`: its answers, its failures and the pause it asked for. Its quakes stay.
    ///
    /// - Returns: false if no feed has this name.
    public func forgetFeed(named name: String) throws -> Bool {
        try context.write { try $0.forgetFeed(named: name) }.result
    }
}

extension QuakeWriter {
    fileprivate func forgetFeed(named name: String) throws -> Bool {
        // The quakes it listed keep the time of their last confirmation themselves.
        if let generated = try database.integer("SELECT generated FROM feeds WHERE name = ?", name),
            let listed = try listedKeys(ofFeed: name)
        {
            try carrySource(of: listed.keys, generated: Timestamp(milliseconds: generated))
        }
        return try writing {
            try database.run("DELETE FROM feeds WHERE name = ?", name)
            return database.changedRows > 0
        }
    }

    /// Saves `record` and the quakes that its snapshot listed, in the same transaction as the changes it led to.
    package func save(_ record: FeedRecord, listedKeys: ListedKeys) throws {
        try writing { try record.write(to: database, listedKeys: listedKeys) }
    }

    /// Forgets that feeds listed the quakes under `keys`, and the validators of their newest documents: the next ones,
    /// and older files, bring back the quakes that they list.
    func unlist(_ keys: Set<QuakeKey>) throws {
        guard !keys.isEmpty else { return }
        for var record in try database.all(FeedRecord.select, read: FeedRecord.init(row:)) {
            (record.etag, record.lastModified) = (nil, nil)
            let listed = try listedKeys(ofFeed: record.name)
            try record.write(
                to: database, listedKeys: listed.map { ListedKeys($0.keys.filter { !keys.contains($0) }) })
        }
    }

    /// The feeds whose newest snapshot is newer than `moment`: its `generated` and the quakes it listed.
    package func listedKeys(
        newerThan moment: Timestamp
    ) throws -> [(generated: Timestamp, keys: ListedKeys)] {
        try database.all(
            "SELECT generated, roster FROM feeds WHERE generated > ? AND roster IS NOT NULL", moment.milliseconds
        ) { ($0.timestamp(0), ListedKeys(packed: $0.blob(1))) }
    }

    /// The quakes that the newest snapshot of the feed called `name` listed; nil when none was applied.
    package func listedKeys(ofFeed name: String) throws -> ListedKeys? {
        try database.first("SELECT roster FROM feeds WHERE name = ? AND roster IS NOT NULL", name) {
            ListedKeys(packed: $0.blob(0))
        }
    }
}

extension FeedRecord {
    fileprivate static let select = """
        SELECT name, url, generated, etag, last_modified, checked, applied, features, not_before, pause_status, error,
            error_time
        FROM feeds
        """

    fileprivate init(row: Statement) {
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
    }

    fileprivate func write(to database: Database, listedKeys: ListedKeys?) throws {
        try write(to: database, FeedRecord.update(withListedKeys: listedKeys != nil), listedKeys)
        if database.changedRows == 0 { try write(to: database, CheckedTable.feeds.insertion(), listedKeys) }
    }

    private func write(to database: Database, _ sql: String, _ listedKeys: ListedKeys?) throws {
        let statement = try database.cached(sql)
        try statement.bindAll(
            name, url, generated?.milliseconds, etag, lastModified, checked?.milliseconds, applied?.milliseconds,
            featureCount, pause?.end.milliseconds, pause?.status, error, errorTime?.milliseconds)
        if let listedKeys { try statement.bind(13, blob: listedKeys.packed) }
        try statement.run()
    }

    /// An UPDATE of every column but the name; without the listed keys, which then stay.
    private static func update(withListedKeys: Bool) -> String {
        let values = CheckedTable.feeds.columns.enumerated().dropFirst().map { ($0.element, "?\($0.offset + 1)") }
        return CheckedTable.feeds.update(withListedKeys ? values : values.dropLast(), where: "name = ?1")
    }
}
