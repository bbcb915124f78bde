/// Writes quakes inside one transaction and records each change. There is no other way to change quakes.
///
/// A failed write may leave an entry in the history for a change that was not made. After the first failure, every call
/// and the transaction therefore fail with the same error, even if the transaction's body caught that error. After the
/// transaction, every call throws ``StoreError/contextState(_:)``.
package final class QuakeWriter {
    let database: Database
    private let recorder: HistoryRecorder
    private let insertQuake: Statement
    private let insertAlias: Statement
    let targetQuery: Statement
    let knownQuakeQuery: Statement
    private var nextKey: QuakeKey
    /// The first key that this transaction may assign. Quakes with this or a higher key are new.
    private let firstNewKey: QuakeKey
    private var failure: (any Error)?
    private let session: StoreSession
    /// The coverage to remove at the end, because quakes were deleted or changed without confirmation from the event
    /// service; nil if there is none.
    private var lostCoverage: LostCoverage?
    /// The keys of quakes that the user deleted but that feeds may still list.
    private var keysToUnlist: Set<QuakeKey> = []
    /// The data, other than the changes, that an undo of this transaction must restore.
    private var undoData = UndoData()

    init(_ session: StoreSession, origin: TransactionOrigin) throws {
        try origin.requireStorable(in: session)
        self.session = session
        database = try session.database()
        nextKey = try database.nextNumber(of: "quakes")
        firstNewKey = nextKey
        recorder = try HistoryRecorder(session, origin: origin)
        insertQuake = try database.cachedStatement(WriterSQL.insertQuake)
        insertAlias = try database.cachedStatement(WriterSQL.insertAlias)
        targetQuery = try database.cachedStatement(
            """
            SELECT a.quake, iif(d.reason IN ('purged', 'edited', 'undone'), 0, d.source_time)
            FROM aliases a LEFT JOIN departed d ON d.quake = a.quake WHERE a.alias = ?
            """)
        knownQuakeQuery = try database.cachedStatement(
            "SELECT key, hash, source_time, \(QuakeColumns.list()) FROM quakes WHERE key = ?")
    }

    /// Runs `body`. If it fails, every later call fails too.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        if let failure { throw failure }
        try session.requireNoVisit()
        do {
            return try body()
        } catch {
            failure = error
            throw error
        }
    }

    /// The transaction's number in the history; nil until it has an entry there.
    package var transactionNumber: TransactionNumber? { recorder.number }

    /// Gives the transaction an entry in the history, even if it changes no quake.
    func begin() throws { _ = try writing { try recorder.begin() } }

    func finish() throws -> HistoryTransaction? {
        try writing {
            try settleCoverageRemovals()
            if undoData.hasCoverage { undoData.coverageAfter = try Coverage.fingerprint(in: database) }
            return try recorder.finish(undoData)
        }
    }

    /// Records that the coverage no longer includes `quake`, which was deleted or changed without confirmation from the
    /// event service.
    package func recordLostCoverage(of quake: Quake, because cause: LostCoverage.Cause) throws {
        if lostCoverage == nil { lostCoverage = LostCoverage(of: try coverage()) }
        lostCoverage?.add(quake, to: cause)
    }

    /// Removes the times that have become uncertain from the coverage; for a purge, the purge's entire time range.
    func settleCoverageRemovals(purge: QuakeFilter? = nil) throws {
        try unlist(keysToUnlist)
        keysToUnlist = []
        guard var lostCoverage else { return }
        if let purge { lostCoverage.widen(to: purge) }
        let before = try coverage()
        try Coverage.change(in: database) { $0.remove(lostCoverage) }
        undoData.add(before.subtracting(try coverage()))
        self.lostCoverage = nil
    }

    /// Makes every later call fail, because its writes would belong to no transaction.
    func close() {
        failure = failure ?? StoreError.contextState("a write after the end of its transaction")
        session.openTransaction = nil
    }

    /// Adds a quake and returns its local key: `key` for a quake that returns after a deletion, otherwise a new key.
    ///
    /// `aliases` are the ids that lead to the quake from now on, including its preferred id; nil for all ids in
    /// `quake`.
    @discardableResult
    package func insert(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey? = nil, aliases: [String]? = nil,
        rowSource: RowSource = RowSource()
    ) throws -> QuakeKey {
        try writing {
            try quake.requireStorable()
            let key = key ?? nextKey
            let change = try recorder.record(.insert, quake: key, reason: reason)
            try insertQuake.run(quake.columnValues, key, change, rowSource.hash, rowSource.sourceTime)
            if key >= nextKey {
                nextKey = try database.number(after: key, of: "quakes")
            } else {
                try database.run("DELETE FROM departed WHERE quake = ?", key)
            }
            for alias in aliases ?? quake.aliases { try assign(alias: alias, to: key) }
            return key
        }
    }

    /// Updates a quake to the values `new` and records the previous values. If nothing differs, records only
    /// `rowSource`, and no change.
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
            try database.run(
                WriterSQL.updateQuake, new.columnValues, change, rowSource.hash, rowSource.sourceTime, stored.key)
            if new.id != stored.quake.id { try assign(alias: new.id, to: stored.key) }
            return differences
        }
    }

    /// Updates a quake at the user's request. Removes coverage if its conditions could accept only one of the quake's
    /// two versions.
    ///
    /// - Returns: whether any property differed.
    package func edit(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool {
        if new.hasOtherMeasures(than: stored.quake) { try recordLostCoverage(of: stored.quake, because: .user) }
        return try !update(stored, to: new, reason: reason).isEmpty
    }

    /// Frees the id of a quake that receives another id later in the transaction, because several quakes may exchange
    /// ids. Until then, the quake's code is a placeholder, which the history does not record.
    package func freeID(of key: QuakeKey) throws { try writing { try database.run(WriterSQL.freeID, key) } }

    /// Deletes a quake and keeps its full last state as the tombstone. Its ids stay assigned to its key or, after a
    /// merge, move to the survivor; its solutions are kept as long as the tombstone.
    package func delete(
        _ stored: StoredQuake, reason: ChangeReason, mergedInto survivor: QuakeKey? = nil, sourceTime: Int64 = 0
    ) throws {
        try writing {
            if [.purged, .edited, .undone].contains(reason) {
                try recordLostCoverage(of: stored.quake, because: .user)
                keysToUnlist.insert(stored.key)
            }
            _ = try recorder.record(
                .delete, quake: stored.key, reason: reason, before: stored.quake, mergedInto: survivor)
            try database.run("DELETE FROM quakes WHERE key = ?", stored.key)
            undoData.unconfirmedChanges += try UnconfirmedChange.all(of: stored.key, in: database)
            try database.run("DELETE FROM unconfirmed_changes WHERE quake = ?", stored.key)
            try database.run(WriterSQL.insertDeparted, stored.key, sourceTime, reason.rawValue, survivor)
            guard let survivor else { return }
            for alias in try database.aliases(ofKey: stored.key) { try move(alias: alias, to: survivor) }
        }
    }

    /// Makes `alias` lead to the quake with `key`, even if it led to another quake before.
    package func assign(alias: String, to key: QuakeKey) throws {
        try writing {
            try insertAlias.run(alias, key)
            if database.changedRows == 0 { return try move(alias: alias, to: key) }
            undoData.move(alias, from: nil, to: key, firstNewKey: firstNewKey)
        }
    }

    /// Removes `alias`, so that it leads to no quake.
    func forget(alias: String) throws {
        try writing {
            guard let holder = try database.quake(ofAlias: alias) else { return }
            undoData.move(alias, from: holder, to: nil, firstNewKey: firstNewKey)
            try database.run(WriterSQL.forgetHash, holder)
            try database.run("DELETE FROM aliases WHERE alias = ?", alias)
        }
    }

    /// Moves an id to another quake. The quake that loses the id also loses its feature hash, which is outdated.
    private func move(alias: String, to key: QuakeKey) throws {
        guard let holder = try database.quake(ofAlias: alias), holder != key else { return }
        undoData.move(alias, from: holder, to: key, firstNewKey: firstNewKey)
        try database.run(WriterSQL.forgetHash, holder)
        try database.run(WriterSQL.moveAlias, alias, key)
    }

    /// Records a newer source for a quake's unchanged values.
    package func confirm(_ key: QuakeKey, _ rowSource: RowSource) throws {
        try writing {
            try database.run(WriterSQL.confirm, rowSource.hash, rowSource.sourceTime, key)
        }
    }

    /// Deletes the quakes that the filter accepts, in order of their keys, and returns their number.
    package func delete(where filter: QuakeFilter, reason: ChangeReason) throws -> Int {
        // Coverage that was lost before the purge must not be widened to the purge's time range.
        try writing { try settleCoverageRemovals() }
        let filterSQL = try FilterSQL(filter)
        // Collect the keys first, because a statement must not be stepped while its rows are deleted.
        var keys: [QuakeKey] = []
        let statement = try database.prepare("SELECT key FROM quakes\(filterSQL.whereClause())")
        try statement.forEach(filterSQL.values) { keys.append($0.key(0)) }
        for key in keys.sorted() {
            guard let known = try knownQuake(key) else { continue }
            try delete(known.stored, reason: reason, sourceTime: known.rowSource.sourceTime)
        }
        try writing { try settleCoverageRemovals(purge: filter) }
        return keys.count
    }
}
