import Glibc

/// Writes one transaction's entry and its changes. No other code writes history.
///
/// The entry is written at the first change, so a transaction that changes nothing leaves no trace, except an undo,
/// which always writes an entry. Numbers come from AUTOINCREMENT and are never reused, even after a trim of the
/// history.
final class HistoryRecorder {
    private let session: StoreSession
    private let database: Database
    /// The position before the transaction.
    private let previous: HistoryToken
    private let origin: TransactionOrigin
    private let author: String
    private let insertChange: Statement
    private var entry: HistoryTransaction?
    private var lastChange: ChangeID
    private var counts = HistoryTransaction.Counts()

    init(_ session: StoreSession, origin: TransactionOrigin) throws {
        self.session = session
        var origin = origin
        origin.purpose = origin.purpose ?? session.name
        self.origin = origin
        author = session.author
        database = try session.database()
        previous = try StoreHistory(session: session).currentToken()
        insertChange = try database.cachedStatement(CheckedTable.changes.insertion())
        lastChange = ChangeID(try database.lastNumber(of: "changes"))
    }

    private static let insertRow = CheckedTable.rowsBefore.insertion()

    /// The number of the entry; nil before it is written.
    var number: TransactionNumber? { entry?.number }

    func record(
        _ kind: ChangeKind, quake: QuakeKey, reason: ChangeReason, before: Quake? = nil, mergedInto: QuakeKey? = nil
    ) throws -> ChangeID {
        let number = try begin()
        lastChange = try database.number(after: lastChange, of: "changes")
        switch kind {
        case .insert: counts.inserted += 1
        case .update: counts.updated += 1
        case .delete: counts.deleted += 1
        }
        try insertChange.run(lastChange, number, quake, kind.code, reason.rawValue, mergedInto)
        if let before { try database.run(HistoryRecorder.insertRow, before.columnValues, lastChange) }
        return lastChange
    }

    /// Completes the entry, and returns it; nil if there is none. `taken` contains what an undo must restore besides
    /// the changes.
    func finish(_ taken: UndoData) throws -> HistoryTransaction? {
        if var entry {
            entry.counts = counts
            try database.run(
                CheckedTable.transactions.update(
                    [
                        ("last_change", "?2"), ("inserted", "?3"), ("updated", "?4"), ("deleted", "?5"),
                        ("taken", "?6"), ("moved_ids", "?7"),
                    ],
                    where: "number = ?1"), entry.number, lastChange, counts.inserted, counts.updated, counts.deleted,
                taken.json, MovedID.encoded(taken.movedIDs))
            self.entry = entry
        }
        return entry
    }

    /// Writes the entry if there is none yet, and returns its number.
    func begin() throws -> TransactionNumber {
        if let entry { return entry.number }
        let new = try newEntry()
        try database.run(
            CheckedTable.transactions.insertion(), new.number, new.time.milliseconds, Int64(new.fingerprint),
            new.author, new.purpose, new.processID, new.host, new.program, new.provenance?.url,
            new.provenance?.generated?.milliseconds, new.provenance?.etag, new.provenance?.featureCount, new.undoes,
            String?.none, String?.none, previous.number, lastChange, 0, 0, 0)
        entry = new
        session.openTransaction = new.number
        return new.number
    }

    private func newEntry() throws -> HistoryTransaction {
        HistoryTransaction(
            storeID: previous.storeID, number: try database.nextNumber(of: "transactions"),
            time: session.configuration.now(), fingerprint: UInt32.random(in: .min ... .max), author: author,
            purpose: origin.purpose, processID: Int64(getpid()), host: HistoryRecorder.hostName,
            program: session.configuration.program, provenance: origin.provenance, undoes: origin.undoes)
    }

    /// The machine's name, from the kernel, without a network lookup.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
