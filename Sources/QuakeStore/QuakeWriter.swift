import GRDB
public import QuakeModel

/// What a snapshot left beside the values of a quake: which bytes they came from, and whose word they are.
public struct RowSource: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 when unknown.
    public var hash: Int64
    /// The `generated` of the newest snapshot that decided the values, as epoch milliseconds; 0 when none did.
    public var generated: Int64

    /// A confirmation; without arguments, by nobody.
    public init(hash: Int64 = 0, generated: Int64 = 0) {
        self.hash = hash
        self.generated = generated
    }
}

/// Writes quakes inside one transaction; every write records its change. The only way to change a store.
public final class QuakeWriter {
    let db: Database
    let connection: Connection
    private let recorder: HistoryRecorder
    private let insertQuake: SQLStatement
    private let insertAlias: SQLStatement
    private var nextKey: Int64
    let targetQuery = KeptStatement(
        "SELECT a.quake, d.confirmed FROM aliases a LEFT JOIN departed d ON d.quake = a.quake WHERE a.alias = ?")
    let knownQuakeQuery = KeptStatement(
        "SELECT key, hash, confirmed, \(QuakeColumns.list()) FROM quakes WHERE key = ?")

    init(context: QuakeContext, origin: TransactionOrigin) throws {
        connection = context.connection
        (db, nextKey, recorder, insertQuake, insertAlias) = try context.database { db in
            (
                db, try (Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'quakes'") ?? 0) + 1,
                try HistoryRecorder(db, context: context, origin: origin),
                try SQLStatement(
                    db,
                    """
                    INSERT INTO quakes (\(QuakeColumns.list()), key, last_change, hash, confirmed)
                    VALUES (\(QuakeColumns.placeholders), ?, ?, ?, ?)
                    """),
                try SQLStatement(
                    db,
                    """
                    INSERT INTO aliases (alias, quake) VALUES (?, ?) ON CONFLICT (alias) DO NOTHING
                    """)
            )
        }
    }

    /// Adds a quake and returns its local key: the one it had before, when `key` names it, or a new one.
    ///
    /// `aliases` are the ids by which it is found from now on, its own among them.
    @discardableResult
    public func insert(
        _ quake: Quake, reason: ChangeReason, key: Int64? = nil, aliases: [String]? = nil,
        rowSource: RowSource = RowSource()
    ) throws -> Int64 {
        try connection.translatingErrors {
            let key = key ?? nextKey
            let change = try recorder.record(.insert, quake: key, reason: reason)
            let first = Int32(QuakeColumns.names.count) + 1
            insertQuake.bind(quake, from: 1)
            insertQuake.bind(first, key)
            insertQuake.bind(first + 1, change)
            insertQuake.bind(first + 2, rowSource.hash)
            insertQuake.bind(first + 3, rowSource.generated)
            try insertQuake.run()
            if key >= nextKey {
                nextKey = key + 1
            } else {
                try db.cachedStatement(sql: "DELETE FROM departed WHERE quake = ?").execute(arguments: [key])
            }
            for alias in aliases ?? quake.aliases { try assign(alias: alias, to: key) }
            return key
        }
    }

    /// Gives a quake the values `new` and records exactly the properties that differ. No difference, no change.
    ///
    /// - Returns: the properties that differed.
    @discardableResult
    public func update(
        _ stored: StoredQuake, to new: Quake, reason: ChangeReason, rowSource: RowSource = RowSource()
    ) throws -> [QuakeProperty] {
        let differences = new.differences(from: stored.quake)
        guard !differences.isEmpty else {
            try confirm(stored.key, rowSource)
            return []
        }
        return try connection.translatingErrors {
            let change = try recorder.record(
                .update, quake: stored.key, reason: reason,
                before: RecordedValues(differences, of: stored.quake, against: new),
                after: RecordedValues(differences, of: new, against: stored.quake))
            let staysInPlace = differences.allSatisfy { $0 != .net && $0 != .code && $0 != .time }
            let assignments = staysInPlace ? QuakeColumns.assignmentsOfSameIdentity : QuakeColumns.assignments
            let statement = try SQLStatement(
                db,
                """
                UPDATE quakes SET \(assignments), last_change = ?31, hash = ?32, confirmed = max(confirmed, ?33)
                WHERE key = ?34
                """)
            let first = Int32(QuakeColumns.names.count) + 1
            statement.bind(new, from: 1)
            statement.bind(first, change)
            statement.bind(first + 1, rowSource.hash)
            statement.bind(first + 2, rowSource.generated)
            statement.bind(first + 3, stored.key)
            try statement.run()
            return differences
        }
    }

    /// Removes a quake, keeping its full last state as the tombstone. Its ids stay assigned to its key.
    public func delete(
        _ stored: StoredQuake, reason: ChangeReason, mergedInto survivor: Int64? = nil, generated: Int64 = 0
    ) throws {
        try connection.translatingErrors {
            _ = try recorder.record(
                .delete, quake: stored.key, reason: reason, before: RecordedValues(tombstoneOf: stored.quake),
                mergedInto: survivor)
            try db.cachedStatement(sql: "DELETE FROM quakes WHERE key = ?").execute(arguments: [stored.key])
            try db.cachedStatement(sql: "DELETE FROM doubts WHERE quake = ?").execute(arguments: [stored.key])
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO departed (quake, confirmed, reason, merged_into) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [stored.key, generated, reason.rawValue, survivor])
            if let survivor {
                try db.cachedStatement(sql: "UPDATE aliases SET quake = ? WHERE quake = ?")
                    .execute(arguments: [survivor, stored.key])
            }
        }
    }

    /// Lets `alias` find the quake under `key`, whoever it found before.
    public func assign(alias: String, to key: Int64) throws {
        try connection.translatingErrors {
            insertAlias.bind(1, alias)
            insertAlias.bind(2, key)
            try insertAlias.run()
            if db.changesCount == 0 { try move(alias: alias, to: key) }
        }
    }

    /// Takes `alias` from the quake it leads to. What that one's feature said is no longer all true, so that its bytes count as
    /// unseen.
    private func move(alias: String, to key: Int64) throws {
        try db.cachedStatement(
            sql: "UPDATE quakes SET hash = 0 WHERE key = (SELECT quake FROM aliases WHERE alias = ?1) AND key <> ?2"
        ).execute(arguments: [alias, key])
        try db.cachedStatement(sql: "UPDATE aliases SET quake = ?2 WHERE alias = ?1 AND quake <> ?2")
            .execute(arguments: [alias, key])
    }

    /// Notes that a snapshot showed the same values again, in other bytes or on newer word. No change of the quake.
    public func confirm(_ key: Int64, _ rowSource: RowSource) throws {
        try connection.translatingErrors {
            try db.cachedStatement(
                sql: "UPDATE quakes SET hash = iif(?1 <> 0, ?1, hash), confirmed = max(confirmed, ?2) WHERE key = ?3"
            ).execute(arguments: [rowSource.hash, rowSource.generated, key])
        }
    }

    func finish() throws -> HistoryTransaction? {
        try connection.translatingErrors { try recorder.finish() }
    }
}
