/// Source of a row's values: the hash of the feature, and the `generated` time of the last snapshot that confirmed it.
package struct RowSource: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 when unknown.
    package var hash: Int64
    /// The `generated` of the newest snapshot that decided the values, as epoch milliseconds; 0 when none did.
    package var generated: Int64

    package init(hash: Int64 = 0, generated: Int64 = 0) { (self.hash, self.generated) = (hash, generated) }
}

/// Writes quakes inside one transaction; every write records its change. The only way to change quakes.
///
/// A write that fails may have left its change in the history without its quake. So after the first failure every call
/// fails with the same error, and so does the transaction, whatever its body caught. After the transaction every call
/// throws ``StoreError/contextState(_:)``.
public final class QuakeWriter {
    let database: Database
    private let recorder: HistoryRecorder
    private let insertQuake: Statement
    private let insertAlias: Statement
    let targetQuery: Statement
    let knownQuakeQuery: Statement
    private var nextKey: QuakeKey
    private var rules = EditRules()
    private var failure: (any Error)?
    private weak var context: QuakeContext?
    /// Leads from a temporary key to the one in the cache.
    private let savedKey: (QuakeKey) -> QuakeKey
    /// What was deleted or changed without the service's word, and is removed from the coverage in the end.
    private var losses: CoverageLosses?
    /// Keys of the quakes that the user took away, which feeds may still list.
    private var unlisted: Set<QuakeKey> = []
    /// What an undo of this transaction is to give back.
    private var taken = TakenBack()

    init(context: QuakeContext, origin: TransactionOrigin) throws {
        try StoredText.requireName(context.author, of: "author")
        try StoredText.requireName(context.cache.configuration.program, of: "program's name")
        try StoredText.requireText(origin.context, of: "context of a transaction")
        try StoredText.requireText(origin.provenance?.url, of: "address of a document")
        try StoredText.requireText(origin.provenance?.etag, of: "ETag of a document")
        savedKey = context.pending.savedKey
        self.context = context
        database = try context.database()
        nextKey = try database.nextNumber(of: "quakes")
        recorder = try HistoryRecorder(context: context, origin: origin)
        insertQuake = try database.cached(WriterSQL.insertQuake)
        insertAlias = try database.cached(WriterSQL.insertAlias)
        targetQuery = try database.cached(
            """
            SELECT a.quake, iif(d.reason IN ('purged', 'edited', 'undone'), 0, d.confirmed)
            FROM aliases a LEFT JOIN departed d ON d.quake = a.quake WHERE a.alias = ?
            """)
        knownQuakeQuery = try database.cached(
            "SELECT key, hash, confirmed, \(QuakeColumns.list()) FROM quakes WHERE key = ?")
    }

    /// Runs `body`, and if it fails, makes every later call fail.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try requireOpen()
        do {
            return try body()
        } catch {
            failure = error
            throw error
        }
    }

    /// The number of the transaction in the history; nil while nothing was written that is recorded there.
    var transactionNumber: TransactionNumber? { recorder.number }

    func finish() throws -> HistoryTransaction? {
        try writing {
            try settleCoverageRemovals()
            return try recorder.finish(taken)
        }
    }

    /// Counts a quake that is no longer as the service had it, and not by the service's word.
    package func lose(_ quake: Quake, to cause: CoverageLosses.Cause) throws {
        if losses == nil { losses = CoverageLosses(of: try coverage()) }
        losses?.add(quake, to: cause)
    }

    /// Removes from the coverage what is no longer certain; with the quakes of a purge, all of its times.
    func settleCoverageRemovals(purge: QuakeFilter? = nil) throws {
        try unlist(unlisted)
        unlisted = []
        guard var losses else { return }
        if let purge { losses.widen(to: purge) }
        let before = try coverage()
        try Coverage.change(in: database) { $0.remove(losses) }
        taken.add(before.subtracting(try coverage()))
        self.losses = nil
    }

    /// Lets every later call fail: what it wrote would belong to no transaction.
    func close() { failure = failure ?? StoreError.contextState("a writer after the end of its transaction") }

    private func requireOpen() throws {
        if let failure { throw failure }
        try context?.requireNoVisit()
    }

    /// Adds a quake and returns its local key: `key` when it returns after a deletion, or a new one.
    ///
    /// `aliases` are the ids that find it from now on, its own among them.
    @discardableResult
    package func insert(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey? = nil, aliases: [String]? = nil,
        rowSource: RowSource = RowSource()
    ) throws -> QuakeKey {
        try writing {
            try quake.requireStorable()
            let key = key ?? nextKey
            let change = try recorder.record(.insert, quake: key, reason: reason)
            let first = Int32(QuakeColumns.names.count) + 1
            try insertQuake.bind(quake, from: 1)
            try insertQuake.bindAll(from: first, key, change, rowSource.hash, rowSource.generated)
            try insertQuake.run()
            if key >= nextKey {
                nextKey = try database.number(after: key, of: "quakes")
            } else {
                try database.run("DELETE FROM departed WHERE quake = ?", key)
            }
            for alias in aliases ?? quake.aliases { try assign(alias: alias, to: key) }
            return key
        }
    }

    /// Gives a quake the values `new` and records those before. No difference, no change.
    ///
    /// - Returns: the properties that differed.
    @discardableResult
    package func update(
        _ stored: StoredQuake, to new: Quake, reason: ChangeReason, rowSource: RowSource = RowSource()
    ) throws -> [QuakeProperty] {
        let differences = new.differences(from: stored.quake)
        guard !differences.isEmpty else {
            try confirm(stored.key, rowSource)
            return []
        }
        return try writing {
            try new.requireStorable()
            let change = try recorder.record(.update, quake: stored.key, reason: reason, before: stored.quake)
            let keepsIdentity = differences.allSatisfy { $0 != .net && $0 != .code && $0 != .time }
            let statement = try database.cached(
                keepsIdentity ? QuakeColumns.updateOfSameIdentity : QuakeColumns.update)
            let first = Int32(QuakeColumns.names.count) + 1
            try statement.bind(new, from: 1)
            try statement.bindAll(from: first, change, rowSource.hash, rowSource.generated, stored.key)
            try statement.run()
            if new.id != stored.quake.id { try assign(alias: new.id, to: stored.key) }
            return differences
        }
    }

    /// Frees the id of a quake that is given another one before the transaction ends: ids may move in a chain or a
    /// circle. No history: until then its code is one that no quake can have.
    func freeID(of key: QuakeKey) throws { try writing { try database.run(WriterSQL.freeID, key) } }

    /// Removes a quake, keeping its full last state as the tombstone. Its ids stay assigned to its key, and its
    /// solutions are kept as long as the tombstone.
    package func delete(
        _ stored: StoredQuake, reason: ChangeReason, mergedInto survivor: QuakeKey? = nil, generated: Int64 = 0
    ) throws {
        try writing {
            if [.purged, .edited, .undone].contains(reason) {
                try lose(stored.quake, to: .user)
                unlisted.insert(stored.key)
            }
            _ = try recorder.record(
                .delete, quake: stored.key, reason: reason, before: stored.quake, mergedInto: survivor)
            try database.run("DELETE FROM quakes WHERE key = ?", stored.key)
            taken.doubts += try Doubt.all(of: stored.key, in: database)
            try database.run("DELETE FROM doubts WHERE quake = ?", stored.key)
            try database.run(WriterSQL.insertDeparted, stored.key, generated, reason.rawValue, survivor)
            guard let survivor else { return }
            for alias in try database.aliases(ofKey: stored.key) { try move(alias: alias, to: survivor) }
        }
    }

    /// Lets `alias` find the quake under `key`, whichever it found before.
    package func assign(alias: String, to key: QuakeKey) throws {
        try writing {
            try insertAlias.bindAll(alias, key)
            try insertAlias.run()
            if database.changedRows == 0 { try move(alias: alias, to: key) }
        }
    }

    /// The feature of the quake that loses `alias` no longer says the truth about it, so its hash is forgotten.
    private func move(alias: String, to key: QuakeKey) throws {
        guard let holder = try database.quake(ofAlias: alias), holder != key else { return }
        taken.move(alias, from: holder, to: key)
        try database.run(WriterSQL.forgetHash, holder)
        try database.run(WriterSQL.moveAlias, alias, key)
    }

    /// Notes that a snapshot showed the same values again, in other bytes or at a later time. No change of the quake.
    package func confirm(_ key: QuakeKey, _ rowSource: RowSource) throws {
        try writing {
            try database.run(WriterSQL.confirm, rowSource.hash, rowSource.generated, key)
        }
    }

    /// Deletes the quakes the filter accepts, oldest key first, and returns how many.
    package func delete(where filter: QuakeFilter, reason: ChangeReason) throws -> Int {
        // What was lost before is lost otherwise.
        try writing { try settleCoverageRemovals() }
        let count = try deleteAll(filter, reason: reason)
        try writing { try settleCoverageRemovals(purge: filter) }
        return count
    }

    private func deleteAll(_ filter: QuakeFilter, reason: ChangeReason) throws -> Int {
        let filter = FilterSQL(filter, readsDoubts: true)
        let conditions = ["key > ?"] + filter.conditions
        let statement = try database.prepare(
            """
            SELECT key, confirmed, \(QuakeColumns.list()) FROM quakes WHERE \(conditions.joined(separator: " AND "))
            ORDER BY key LIMIT 500
            """)
        var count = 0
        var lastKey = QuakeKey(0)
        while true {
            // In batches: a statement must not be stepped while its rows are deleted, and memory stays flat.
            try statement.bindAll([.integer(lastKey.rawValue)] + filter.values)
            var batch: [(quake: StoredQuake, generated: Int64)] = []
            while try statement.step() {
                let quake = StoredQuake(key: statement.key(0), quake: statement.quake(from: 2))
                batch.append((quake, statement.integer(1)))
            }
            statement.reset()
            guard let last = batch.last else { return count }
            lastKey = last.quake.key
            for (quake, generated) in batch { try delete(quake, reason: reason, generated: generated) }
            count += batch.count
        }
    }
}

/// Edits go by the rules of those that wait for ``StoreEdits/save(_:)``, and are written at once: nothing piles up in
/// memory.
extension QuakeWriter {
    /// Adds a quake, or gives its values to the one in the cache that it is.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` for a value that cannot be stored exactly.
    public func insert(_ quake: Quake) throws {
        try requireOpen()
        try rules.insert(quake, into: self)
    }

    /// Adds quakes, or gives their values to the ones in the cache that they are.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` for a value that cannot be stored exactly; the quakes
    ///   before it are written.
    public func insert(contentsOf quakes: some Sequence<Quake>) throws {
        for quake in quakes { try insert(quake) }
    }

    /// Gives a quake other values: what differs from `stored`.
    ///
    /// - Throws: ``StoreError/gone(id:key:)`` for one that was deleted or merged, ``StoreError/idTaken(id:key:)``,
    ///   ``StoreError/otherQuake(id:key:)``, ``StoreError/unstorable(id:property:value:)``.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        try requireOpen()
        try rules.update(savedKey(stored.key), to: quake, from: stored.quake, in: self)
    }

    /// Deletes a quake, leaving its tombstone. One that is gone is left alone.
    ///
    /// - Throws: ``StoreError/otherQuake(id:key:)``.
    public func delete(_ stored: StoredQuake) throws {
        try requireOpen()
        try rules.delete(savedKey(stored.key), stored.quake, in: self)
    }

    /// Deletes the quakes the filter accepts, leaving their tombstones, and returns how many.
    @discardableResult
    public func delete(where filter: QuakeFilter) throws -> Int {
        try requireOpen()
        return try removeAll(filter)
    }
}

extension QuakeWriter: EditTarget {
    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey?, aliases: [String],
        generated: Int64
    ) throws -> QuakeKey {
        try insert(quake, reason: reason, key: key, aliases: aliases, rowSource: RowSource(generated: generated))
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool {
        if new.hasOtherMeasures(than: stored.quake) { try lose(stored.quake, to: .user) }
        return try !update(stored, to: new, reason: reason).isEmpty
    }

    func remove(_ known: KnownQuake) throws {
        try delete(known.stored, reason: .edited, generated: known.rowSource.generated)
    }

    func removeAll(_ filter: QuakeFilter) throws -> Int { try delete(where: filter, reason: .edited) }

    func missed(_ stored: StoredQuake) throws {
        if let survivor = try database.survivor(of: stored.key).flatMap({ try knownQuake($0) }) {
            throw StoreError.merged(id: stored.quake.id, into: survivor.stored.quake.id)
        }
        throw StoreError.gone(id: stored.quake.id, key: stored.key)
    }
}

/// The statements that write quakes and their ids.
private enum WriterSQL {
    static let insertQuake = CheckedTable.quakes.insertion()
    static let insertAlias = CheckedTable.aliases.insertion() + " ON CONFLICT (alias) DO NOTHING"
    static let insertDeparted = CheckedTable.departed.insertion("OR REPLACE")
    static let moveAlias = CheckedTable.aliases.update([("quake", "?2")], where: "alias = ?1")
    static let forgetHash = CheckedTable.quakes.update([("hash", "0")], where: "key = ?1")
    static let freeID = CheckedTable.quakes.update([("code", "' ' || ?1")], where: "key = ?1")
    static let confirm = CheckedTable.quakes.update(
        [("hash", "iif(?1 <> 0, ?1, hash)"), ("confirmed", "max(confirmed, ?2)")], where: "key = ?3")
}
