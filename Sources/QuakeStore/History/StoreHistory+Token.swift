/// The end of the history that was purged.
public struct HistoryFloor: Hashable, Sendable, Codable {
    /// The last purged transaction; 0 when nothing was purged.
    public var number: TransactionNumber
    /// The fingerprint of that transaction.
    public var fingerprint: UInt32
    /// When that transaction was made.
    public var time: Timestamp?
    /// When the floor was last moved.
    public var moved: Timestamp?
    /// The author of the purge that last moved the floor.
    public var author: String?
}

extension StoreHistory {
    /// The cache's id, drawn at random when it was created.
    public func storeID() throws -> String {
        try context.database().first("SELECT id FROM store") { $0.text(0) } ?? ""
    }

    /// The token for the newest place in the history, that of its generation in a pinned context. While a transaction
    /// writes, the place before it.
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

    /// A number that changes with the newest transaction of the history, whoever made it, even while the context is
    /// pinned. What changes no quake (a consumer, the record of a feed, a purge of history) leaves it as it is.
    public func dataVersion() throws -> Int64 {
        try context.connection.integer(
            """
            SELECT coalesce(t.number, s.floor) << 32 | coalesce(t.fingerprint, s.floor_fingerprint)
            FROM store s LEFT JOIN transactions t ON t.number = (SELECT max(number) FROM transactions)
            """) ?? 0
    }

    /// The end of the history that was purged.
    public func floor() throws -> HistoryFloor {
        try context.database().storeRow(
            "SELECT floor, floor_fingerprint, floor_time, floor_moved, floor_author FROM store"
        ) { row in
            HistoryFloor(
                number: row.transaction(0), fingerprint: UInt32(truncatingIfNeeded: row.integer(1)),
                time: row.timestampOrNil(2), moved: row.timestampOrNil(3), author: row.textOrNil(4))
        }
    }

    /// The token for the place after transaction `number`, which lies between floor and head: that of the last one up
    /// to there, where a restore left the number out.
    ///
    /// - Throws: ``StoreError/noTransaction(_:)`` for a number that is not in the history that is kept.
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

    /// Why `token` cannot be followed here; nil when it can. A token equal to the floor is still good.
    public func fault(of token: HistoryToken) throws -> TokenFault? {
        guard try token.storeID == storeID() else { return .foreign }
        let floor = try floor()
        if token.number < floor.number { return .expired }
        if token.number > (try head().number) { return .future }
        let expected =
            token.number == floor.number ? floor.fingerprint : try fingerprint(ofTransaction: token.number)
        return expected == token.fingerprint ? nil : .forked
    }

    /// The last transaction made at or before `moment`: nil when that lies below the floor. Zero before the first.
    public func lastTransaction(at moment: Timestamp) throws -> TransactionNumber? {
        let number = try context.database().integer(
            "SELECT max(number) FROM transactions WHERE time <= ? AND number <= ?", moment.milliseconds,
            context.newestReadable)
        if let number { return TransactionNumber(number) }
        let floor = try floor()
        return floor.time.map { $0 <= moment } ?? true ? floor.number : nil
    }

    /// When the oldest transaction that is kept was made.
    func firstTransactionTime() throws -> Timestamp? {
        try context.database().first("SELECT time FROM transactions ORDER BY number LIMIT 1") { $0.timestampOrNil(0) }
            .flatMap(\.self)
    }

    private func fingerprint(ofTransaction number: TransactionNumber) throws -> UInt32? {
        try context.database().integer("SELECT fingerprint FROM transactions WHERE number = ?", number)
            .map { UInt32(truncatingIfNeeded: $0) }
    }
}
