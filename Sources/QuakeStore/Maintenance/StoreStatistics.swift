import Foundation
import GRDB
public import QuakeModel

/// How large a cache is and how far it reaches.
public struct StoreStatistics: Hashable, Sendable {
    /// The id drawn at random when the cache was made.
    public var storeID: String
    /// When the cache was made.
    public var created: Timestamp
    /// The layout of the file.
    public var schemaVersion: Int
    /// Quakes in the cache.
    public var quakes: Int
    /// The oldest origin time.
    public var earliest: Timestamp?
    /// The newest origin time.
    public var latest: Timestamp?
    /// Transactions in the history that is kept.
    public var transactions: Int
    /// Changes in the history that is kept.
    public var changes: Int
    /// Bytes of the file, and of the write-ahead log beside it.
    public var fileBytes: Int64
    /// Bytes of the write-ahead log beside it.
    public var logBytes: Int64
}

extension QuakeContext {
    /// Counts and sizes of the whole cache. In a pinned context the counts are those of its generation; sizes are of now.
    public func statistics() throws -> StoreStatistics {
        if try source() == .past { return try snapshot { try pastStatistics() } }
        return try database { db in
            let statement = try SQLStatement(
                db,
                """
                SELECT id, created, (SELECT count(*) FROM quakes), (SELECT min(time) FROM quakes),
                    (SELECT max(time) FROM quakes), (SELECT count(*) FROM transactions), (SELECT count(*) FROM changes)
                FROM store
                """)
            defer { statement.reset() }
            guard try statement.step() else {
                throw StoreError.corrupt(path: store.path, reason: "it has no store row")
            }
            return StoreStatistics(
                storeID: statement.text(0), created: Timestamp(milliseconds: statement.integer(1)),
                schemaVersion: Schema.version, quakes: Int(statement.integer(2)),
                earliest: statement.integerOrNil(3).map(Timestamp.init(milliseconds:)),
                latest: statement.integerOrNil(4).map(Timestamp.init(milliseconds:)),
                transactions: Int(statement.integer(5)), changes: Int(statement.integer(6)),
                fileBytes: size(of: store.path), logBytes: size(of: store.path + "-wal"))
        }
    }

    private func pastStatistics() throws -> StoreStatistics {
        let history = try changeIDs(after: floor().number, through: newestReadable)
        let ends = try [false, true].map { isReversed in
            try fetch(QuakeDescriptor(isReversed: isReversed, limit: 1)).first?.quake.originTime
        }
        return try database { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT id, created, (SELECT count(*) FROM transactions WHERE number <= ?1) AS transactions,
                        (SELECT count(*) FROM changes WHERE id < ?2) AS changes FROM store
                    """, arguments: [newestReadable, history.upperBound])
            guard let row else { throw StoreError.corrupt(path: store.path, reason: "it has no store row") }
            return StoreStatistics(
                storeID: row["id"], created: Timestamp(milliseconds: row["created"]), schemaVersion: Schema.version,
                quakes: try fetchCount(), earliest: ends[1], latest: ends[0], transactions: row["transactions"],
                changes: row["changes"], fileBytes: size(of: store.path), logBytes: size(of: store.path + "-wal"))
        }
    }

    private func size(of path: String) -> Int64 {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return size?.int64Value ?? 0
    }
}
