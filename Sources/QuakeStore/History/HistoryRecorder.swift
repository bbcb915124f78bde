import Glibc
import GRDB
import QuakeModel

/// Writes one transaction's entry and its changes; the only code that writes history.
///
/// The entry is made at the first change, so that a transaction that changes nothing leaves no trace. Numbers come from
/// AUTOINCREMENT and are never used again, also after a purge.
final class HistoryRecorder {
    private let db: Database
    private let author: String
    private let origin: TransactionOrigin
    private let store: QuakeCache
    private let insertChange: SQLStatement
    private var entry: HistoryTransaction?
    private var lastChange: Int64
    private var counts = HistoryTransaction.Counts()

    init(_ db: Database, context: QuakeContext, origin: TransactionOrigin) throws {
        self.db = db
        author = context.author
        store = context.store
        self.origin = origin
        insertChange = try SQLStatement(
            db,
            "INSERT INTO changes (id, txn, quake, kind, reason, before, after, merged_into) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        lastChange = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
    }

    /// Records a change and returns its id.
    func record(
        _ kind: ChangeKind, quake: Int64, reason: ChangeReason, before: RecordedValues? = nil,
        after: RecordedValues? = nil, mergedInto: Int64? = nil
    ) throws -> Int64 {
        let number = try entry?.number ?? begin().number
        lastChange += 1
        switch kind {
        case .insert: counts.inserted += 1
        case .update: counts.updated += 1
        case .delete: counts.deleted += 1
        }
        insertChange.bind(1, lastChange)
        insertChange.bind(2, number)
        insertChange.bind(3, quake)
        insertChange.bind(4, kind.code)
        insertChange.bind(5, reason.rawValue)
        insertChange.bind(6, before?.json)
        insertChange.bind(7, after?.json)
        insertChange.bind(8, mergedInto)
        try insertChange.run()
        return lastChange
    }

    /// Closes the entry.
    func finish() throws -> HistoryTransaction? {
        if var entry {
            entry.counts = counts
            if let digest = origin.digest { entry.provenance?.sha256 = digest() }
            try db.execute(
                sql: """
                    UPDATE transactions SET last_change = ?, inserted = ?, updated = ?, deleted = ?, sha256 = ?
                    WHERE number = ?
                    """,
                arguments: [
                    lastChange, counts.inserted, counts.updated, counts.deleted, entry.provenance?.sha256, entry.number,
                ])
            self.entry = entry
        }
        return entry
    }

    private func begin() throws -> HistoryTransaction {
        var new = HistoryTransaction(
            number: 0, time: store.configuration.now(), fingerprint: UInt32.random(in: .min ... .max), author: author,
            context: origin.context, processID: Int64(getpid()), host: HistoryRecorder.hostName,
            program: store.configuration.program, provenance: origin.provenance)
        try db.execute(
            sql: """
                INSERT INTO transactions (time, fingerprint, author, context, pid, host, program, url, generated, etag,
                    features, last_change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                new.time.milliseconds, Int64(new.fingerprint), new.author, new.context, new.processID, new.host,
                new.program, new.provenance?.url, new.provenance?.generated?.milliseconds, new.provenance?.etag,
                new.provenance?.featureCount, lastChange,
            ])
        new.number = db.lastInsertedRowID
        entry = new
        return new
    }

    /// The machine's name, from the kernel: no look-up in the network.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ChangeKind {
    /// How the kind is kept in `changes.kind`.
    var code: Int64 {
        switch self {
        case .insert: 0
        case .update: 1
        case .delete: 2
        }
    }

    init?(code: Int64) {
        switch code {
        case 0: self = .insert
        case 1: self = .update
        case 2: self = .delete
        default: return nil
        }
    }
}
