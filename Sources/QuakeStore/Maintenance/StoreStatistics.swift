import Glibc
import QuakeSystem

/// The size of a cache and the period that it covers.
package struct StoreStatistics: Hashable, Sendable, Codable {
    /// The random id assigned when the cache was created.
    package var storeID: String
    package var created: Timestamp
    /// The version of the file's schema.
    package var schemaVersion: Int
    package var quakes: Int
    /// The oldest origin time.
    package var earliest: Timestamp?
    /// The newest origin time.
    package var latest: Timestamp?
    /// The number of transactions in the retained history.
    package var transactions: Int
    /// The number of changes in the retained history.
    package var changes: Int
    package var fileBytes: Int64
    /// The size of the write-ahead log in bytes.
    package var logBytes: Int64
}

extension StoreMaintenance {
    /// Returns counts and sizes of the whole cache. In a pinned context the counts are those of its generation, but the
    /// sizes are current.
    package func statistics() throws -> StoreStatistics {
        try context.snapshot { try context.source().overlays.isEmpty ? presentStatistics() : pastStatistics() }
    }

    private func presentStatistics() throws -> StoreStatistics {
        try context.database().storeRow(
            """
            SELECT id, created, (SELECT count(*) FROM transactions), (SELECT count(*) FROM changes),
                (SELECT count(*) FROM quakes), (SELECT min(time) FROM quakes), (SELECT max(time) FROM quakes), ?
            FROM store
            """, Schema.version(of: context.database()), read: statistics)
    }

    private func pastStatistics() throws -> StoreStatistics {
        let history = context.history.readable(
            try context.history.changeIDs(after: context.history.floor().number, through: context.newestReadable))
        let ends = try [QuakeSortKey.Order.forward, .reverse].map { order in
            try context.fetch(QuakeDescriptor(order: order, limit: 1)).first?.quake.originTime.milliseconds
        }
        return try context.database().storeRow(
            """
            SELECT id, created, (SELECT count(*) FROM transactions WHERE number <= ? \(context.history.readableOnly)),
                (SELECT count(*) FROM changes c WHERE \(history.condition)), ?, ?, ?, ?
            FROM store
            """, context.newestReadable, history.ids.lowerBound, history.ids.upperBound, try context.fetchCount(),
            ends[0], ends[1], Schema.version(of: context.database()),
            read: statistics)
    }

    private func statistics(_ row: Statement) -> StoreStatistics {
        StoreStatistics(
            storeID: row.text(0), created: row.timestamp(1), schemaVersion: Int(row.integer(7)),
            quakes: Int(row.integer(4)), earliest: row.timestampOrNil(5), latest: row.timestampOrNil(6),
            transactions: Int(row.integer(2)), changes: Int(row.integer(3)), fileBytes: fileSize(context.cache.path),
            logBytes: fileSize(FileLocation.resolved(context.cache.path) + "-wal"))
    }
}

private func fileSize(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
}
