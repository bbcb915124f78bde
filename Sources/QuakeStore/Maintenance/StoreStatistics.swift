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
        try context.snapshot {
            let database = try context.session.database()
            let history = context.history
            let log = FileLocation.resolved(context.cache.path) + "-wal"
            let ends = try [QuakeSortKey.Order.forward, .reverse].map { order in
                try context.fetch(QuakeDescriptor(order: order, limit: 1)).first?.quake.originTime
            }
            let changes = history.readableChanges(
                in: try history.changeIDs(after: .zero, through: context.session.newestReadable))
            let changeCount = try database.integer(
                "SELECT count(*) FROM changes c WHERE \(changes.condition)", changes.ids.lowerBound,
                changes.ids.upperBound)
            return try database.readStoreRow("SELECT id, created FROM store") { row in
                StoreStatistics(
                    storeID: row.text(0), created: row.timestamp(1), schemaVersion: try database.storedSchemaVersion(),
                    quakes: try context.fetchCount(), earliest: ends[0], latest: ends[1],
                    transactions: try history.counts(after: .zero).transactions, changes: Int(changeCount ?? 0),
                    fileBytes: Int64(FileLocation.status(of: context.cache.path)?.st_size ?? 0),
                    logBytes: Int64(FileLocation.status(of: log)?.st_size ?? 0))
            }
        }
    }
}
