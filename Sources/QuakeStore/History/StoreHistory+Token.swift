extension StoreHistory {
    /// Returns the id of the cache, which was chosen at random when the cache was created.
    public func storeID() throws -> String {
        try session.database().first("SELECT id FROM store") { $0.text(0) } ?? ""
    }

    /// Returns the token for the newest position in the history or, in a pinned context, for the pinned generation.
    /// Inside a writing transaction, the token is for the position before that transaction.
    public func currentToken() throws -> HistoryToken {
        if let generation = session.heldGeneration { return generation.position.token }
        return try position(in: session.database(), through: session.newestComplete)
    }

    /// Returns the token for the newest position, even while the context is pinned. Writes that add no transaction to
    /// the history (of consumers, feed records or coverage, and trims) do not change the token.
    func newest() throws -> HistoryToken { try position(in: session.connection, through: .maximum) }

    /// Returns the token for the position after the last transaction up to `number`; if there is none, for the end of
    /// the trimmed history.
    private func position(in database: Database, through number: TransactionNumber) throws -> HistoryToken {
        try database.readStoreRow(
            """
            SELECT s.id, coalesce(t.number, s.floor), coalesce(t.fingerprint, s.floor_fingerprint)
            FROM store s
            LEFT JOIN transactions t ON t.number = (SELECT max(number) FROM transactions WHERE number <= ?)
            """, number
        ) { row in
            HistoryToken(
                storeID: row.text(0), number: row.transaction(1),
                fingerprint: UInt32(truncatingIfNeeded: row.integer(2)))
        }
    }

    /// Returns the end of the trimmed history.
    package func floor() throws -> HistoryFloor {
        try session.database().readStoreRow(
            "SELECT floor, floor_fingerprint, floor_time, floor_moved, floor_author FROM store"
        ) { row in
            HistoryFloor(
                number: row.transaction(0), fingerprint: UInt32(truncatingIfNeeded: row.integer(1)),
                time: row.timestampOrNil(2), moved: row.timestampOrNil(3), author: row.textOrNil(4))
        }
    }

    /// Returns the token for the position after transaction `number`. If a restore skipped the number, the token is for
    /// the last transaction before it.
    ///
    /// - Throws: ``StoreError/noTransaction(_:)`` for a number outside the retained history.
    public func token(afterTransaction number: TransactionNumber) throws -> HistoryToken {
        let database = try session.database()
        let newest = try position(in: database, through: session.newestComplete)
        guard try number >= floor().number, number <= newest.number else { throw StoreError.noTransaction(number) }
        return try position(in: database, through: number)
    }

    /// Returns the reason why `token` cannot be used with this cache; nil if it can.
    public func fault(of token: HistoryToken) throws -> TokenFault? {
        guard try token.storeID == storeID() else { return .foreign }
        if token.number < (try floor().number) { return .expired }
        if token.number > (try currentToken().number) { return .future }
        return try position(in: session.database(), through: token.number) == token ? nil : .forked
    }

    /// Returns the number of the last transaction at or before `moment`: zero if there was none yet; nil if `moment` is
    /// before the last trimmed transaction.
    package func lastTransactionNumber(at moment: Timestamp) throws -> TransactionNumber? {
        let number = try session.database().integer(
            "SELECT max(number) FROM transactions WHERE time <= ? AND number <= ?", moment.milliseconds,
            session.newestReadable)
        if let number { return TransactionNumber(number) }
        let floor = try floor()
        return floor.time.map { $0 <= moment } ?? true ? floor.number : nil
    }

    /// Returns the time of the oldest retained transaction; nil if there is none.
    func firstTransactionTime() throws -> Timestamp? {
        try session.database().timestamp("SELECT time FROM transactions ORDER BY number LIMIT 1")
    }
}
