extension QuakeWriter {
    /// Saves `record` and the keys of the quakes listed in its snapshot, in the same transaction as the snapshot's
    /// changes.
    package func save(_ record: FeedRecord, listedKeys: ListedKeys) throws {
        try writing { try record.write(to: database, listedKeys: listedKeys) }
    }

    /// Removes `keys` from the lists of all feeds, and clears the feeds' ETags and Last-Modified dates. The next
    /// document that lists such a quake, even an older file, then restores the quake. Stores the time at which each
    /// deleted quake was last confirmed in the table `departed`, so that an undo can restore that time.
    func unlist(_ keys: Set<QuakeKey>) throws {
        guard !keys.isEmpty else { return }
        for var record in try database.all(FeedRecord.select, read: FeedRecord.init(row:)) {
            record.etag = nil
            record.lastModified = nil
            let listed = try listedKeys(ofFeed: record.name)
            for key in listed?.keys ?? [] where keys.contains(key) {
                try database.run(FeedRecord.carry, record.sourceTime?.milliseconds, key)
            }
            try record.write(
                to: database, listedKeys: listed.map { ListedKeys($0.keys.filter { !keys.contains($0) }) })
        }
    }

    /// Returns the source time and the listed quakes of each feed's newest snapshot.
    package func listedKeys() throws -> [(sourceTime: Timestamp, keys: ListedKeys)] {
        try database.all(
            "SELECT source_time, roster FROM feeds WHERE source_time IS NOT NULL AND roster IS NOT NULL"
        ) { ($0.timestamp(0), ListedKeys(packed: $0.blob(1))) }
    }

    /// Returns the quakes listed in the newest snapshot of the feed called `name`; nil if none was applied.
    package func listedKeys(ofFeed name: String) throws -> ListedKeys? {
        try database.first("SELECT roster FROM feeds WHERE name = ? AND roster IS NOT NULL", name) {
            ListedKeys(packed: $0.blob(0))
        }
    }
}
