/// The end of the purged history.
package struct HistoryFloor: Hashable, Sendable, Codable {
    /// The last purged transaction; 0 if nothing was purged.
    package var number: TransactionNumber
    /// The fingerprint of the last purged transaction.
    package var fingerprint: UInt32
    /// The time of the last purged transaction.
    package var time: Timestamp?
    /// The time at which the floor last moved.
    package var moved: Timestamp?
    /// The author of the purge that last moved the floor.
    package var author: String?
}

extension StoreHistory {
    /// Returns the id of the cache, which was chosen at random when the cache was created.
    public func storeID() throws -> String {
        try context.database().first("SELECT id FROM store") { $0.text(0) } ?? ""
    }

    /// Returns the token for the newest position in the history or, in a pinned context, for the pinned generation.
    /// Inside a writing transaction, the token is for the position before that transaction.
    public func head() throws -> HistoryToken {
        if let generation = try context.settledGeneration() { return generation.place.token }
        return try context.database().storeRow(
            """
            SELECT s.id, coalesce(t.number, s.floor), coalesce(t.fingerprint, s.floor_fingerprint)
            FROM store s
            LEFT JOIN transactions t ON t.number = (SELECT max(number) FROM transactions WHERE number <= ?)
            """, context.newestComplete
        ) { row in
            HistoryToken(
                storeID: row.text(0), number: row.transaction(1),
                fingerprint: UInt32(truncatingIfNeeded: row.integer(2)))
        }
    }

    /// Returns a number that changes with the newest transaction in the history, whoever made it, even while the
    /// context is pinned. Writes that change no quake (consumers, feed records, purges of history) do not affect the
    /// number.
    package func dataVersion() throws -> Int64 {
        try context.connection.integer(
            """
            SELECT coalesce(t.number, s.floor) << 32 | coalesce(t.fingerprint, s.floor_fingerprint)
            FROM store s LEFT JOIN transactions t ON t.number = (SELECT max(number) FROM transactions)
            """) ?? 0
    }

    /// Returns the end of the purged history.
    package func floor() throws -> HistoryFloor {
        try context.database().storeRow(
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
        let floor = try floor()
        let newest =
            try context.database().integer(
                "SELECT max(number) FROM transactions WHERE number <= ?", context.newestComplete
            ).map(TransactionNumber.init(_:)) ?? floor.number
        guard (floor.number...max(newest, floor.number)).contains(number) else {
            throw StoreError.noTransaction(number)
        }
        let last = try context.database().first(
            "SELECT number, fingerprint FROM transactions WHERE number <= ? ORDER BY number DESC LIMIT 1", number
        ) { (number: $0.transaction(0), fingerprint: UInt32(truncatingIfNeeded: $0.integer(1))) }
        return HistoryToken(
            storeID: try storeID(), number: last?.number ?? floor.number,
            fingerprint: last?.fingerprint ?? floor.fingerprint)
    }

    /// Returns the reason `token` cannot be used with this cache; nil if it can.
    public func fault(of token: HistoryToken) throws -> TokenFault? {
        guard try token.storeID == storeID() else { return .foreign }
        let floor = try floor()
        if token.number < floor.number { return .expired }
        if token.number > (try head().number) { return .future }
        let expected =
            token.number == floor.number ? floor.fingerprint : try fingerprint(ofTransaction: token.number)
        return expected == token.fingerprint ? nil : .forked
    }

    /// Returns the last transaction at or before `moment`: nil if it was purged, zero if there was none yet.
    package func lastTransaction(at moment: Timestamp) throws -> TransactionNumber? {
        let number = try context.database().integer(
            "SELECT max(number) FROM transactions WHERE time <= ? AND number <= ?", moment.milliseconds,
            context.newestReadable)
        if let number { return TransactionNumber(number) }
        let floor = try floor()
        return floor.time.map { $0 <= moment } ?? true ? floor.number : nil
    }

    /// Returns the time of the oldest retained transaction.
    func firstTransactionTime() throws -> Timestamp? {
        try context.database().timestamp("SELECT time FROM transactions ORDER BY number LIMIT 1")
    }

    private func fingerprint(ofTransaction number: TransactionNumber) throws -> UInt32? {
        try context.database().integer("SELECT fingerprint FROM transactions WHERE number = ?", number)
            .map { UInt32(truncatingIfNeeded: $0) }
    }
}
