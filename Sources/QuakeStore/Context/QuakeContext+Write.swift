extension QuakeContext {
    /// Runs `body` as one transaction: either all of its writes are committed, with one entry in the history, or none
    /// are.
    ///
    /// A body that changes no quake leaves no entry in the history, unless it runs an undo. Nothing is committed if the
    /// body throws or one of its writes failed. The writer is valid only inside the body.
    ///
    /// - Parameters:
    ///   - origin: the details that the transaction records besides its author.
    ///   - dryRun: whether to roll the transaction back once its effects are known.
    ///   - body: a closure that writes through the writer passed to it.
    /// - Returns: the result of `body`, and the history entry, if any.
    /// - Throws: ``StoreError/unstorableText(of:reason:)`` for an author or origin that cannot be recorded,
    ///   ``StoreError/contextState(_:)`` inside another transaction of this context, and the error of `body`, or of a
    ///   failed write even if `body` caught that error.
    @discardableResult
    package func write<Result>(
        _ origin: TransactionOrigin = TransactionOrigin(), dryRun: Bool = false,
        _ body: (QuakeWriter) throws -> Result
    ) throws -> WriteOutcome<Result> {
        try session.asOnlyTransaction {
            try session.inTransaction(.writing, keep: { _ in !dryRun }) {
                let writer = try QuakeWriter(session, origin: origin)
                defer { writer.close() }
                let result = try body(writer)
                guard let entry = try writer.finish(), !dryRun else { return WriteOutcome(result: result) }
                try prepareCommit(of: entry)
                return WriteOutcome(result: result, transaction: entry)
            }
        }
    }

    /// Undoes transaction `number` with a new transaction that restores the previous values. The purpose of the new
    /// transaction is `undo of NUMBER`. Undoing the new transaction redoes the original.
    ///
    /// Restores the quakes that nothing else has changed since, and leaves the others as they are. Quakes joined by a
    /// merge, a split or a moved id are restored together or not at all. Deleted quakes return under their old local
    /// keys and ids. The next refresh may override restored values.
    ///
    /// - Parameters:
    ///   - number: the transaction to undo.
    ///   - dryRun: whether to only report what would change. A dry run reads the newest state, even in a pinned
    ///     context. It writes nothing, so it also works in a context for reading.
    /// - Returns: the numbers of quakes restored and left as they are, and the new transaction, which is nil in a dry
    ///   run.
    /// - Throws: ``StoreError/noTransaction(_:)`` for a transaction outside the retained history, and
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` if nothing is left to restore because the transaction's quakes
    ///   have changed since then.
    @discardableResult
    public func undo(
        transaction number: TransactionNumber, dryRun: Bool = false
    ) throws -> WriteOutcome<UndoneQuakes> {
        let origin = TransactionOrigin.undo(of: number)
        guard dryRun else {
            return try write(origin) {
                try TransactionUndo(UndoPlan(of: number, in: history), writer: $0).run(isPartial: true)
            }
        }
        return try session.inNewestState { session in
            try origin.requireStorable(in: session)
            let plan = try UndoPlan(of: number, in: StoreHistory(session: session))
            return WriteOutcome(result: try plan.outcome(isPartial: true))
        }
    }

    /// Undoes everything in the transaction that `token` identifies, or nothing.
    ///
    /// - Throws: ``StoreError/cannotUndo(transaction:quakes:)`` if any of the transaction's quakes have changed since
    ///   then, ``StoreError/noTransaction(_:)`` if the transaction was trimmed from the history, and
    ///   ``StoreError/token(_:)`` if this cache lacks the transaction, as after restoring a backup.
    package func undoWhole(_ token: HistoryToken) throws -> HistoryTransaction? {
        try write(.undo(of: token.number)) { writer in
            // A restored backup may lack the transaction, or contain a different one with the same number.
            if let fault = try history.fault(of: token), fault != .expired { throw StoreError.token(fault) }
            _ = try TransactionUndo(UndoPlan(of: token.number, in: history), writer: writer).run(isPartial: false)
        }.transaction
    }

    /// Deletes the record of the feed called `name`, including any pause that its server requested. The feed's quakes
    /// stay.
    ///
    /// - Returns: false if no feed has this name.
    package func forgetFeed(named name: String) throws -> Bool {
        try write { writer in
            // Store the time of the last confirmation in the row of each listed quake, because the feed's record is
            // lost.
            if let time = try sources.feed(named: name)?.sourceTime, let listed = try writer.listedKeys(ofFeed: name) {
                try writer.recordSourceTime(of: listed.keys, sourceTime: time)
            }
            return try writer.writing {
                try writer.database.run("DELETE FROM feeds WHERE name = ?", name)
                return writer.database.changedRows > 0
            }
        }.result
    }
}
