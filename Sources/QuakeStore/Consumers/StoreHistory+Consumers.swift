extension StoreHistory {
    /// Returns all consumers, sorted by name.
    public func consumers() throws -> [HistoryConsumer] {
        try session.connection.all("SELECT name, token, number, seen FROM consumers ORDER BY name") { row in
            let place = row.text(1).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            return HistoryConsumer(
                name: row.text(0), tokenText: String(place[0]),
                lastChange: place.count == 2 ? Int64(place[1]).map(ChangeID.init(_:)) : nil,
                number: row.transaction(2), lastRead: row.timestamp(3))
        }
    }

    /// Returns the consumer with that name; nil if it has never acknowledged a token.
    public func consumer(named name: String) throws -> HistoryConsumer? { try consumers().first { $0.name == name } }

    /// Records that the consumer has read the history up to `token`. If the history after `token` was trimmed, the
    /// consumer's next fetch starts over.
    ///
    /// - Throws: ``StoreError/token(_:)`` for a token from another cache or from a state that a restore replaced, and
    ///   ``StoreError/unstorableText(of:reason:)`` for a name that is empty, too long, or not a single line.
    public func acknowledge(_ token: HistoryToken, for name: String) throws {
        try acknowledge(token, through: nil, for: name)
    }

    /// Records `token`, and that the consumer has also received changes of the next transaction, through `change`.
    package func acknowledge(_ token: HistoryToken, through change: ChangeID?, for name: String) throws {
        try StoredText.requireName(name, of: "consumer's name")
        try session.inTransaction(.writing) {
            if let fault = try fault(of: token), fault != .expired { throw StoreError.token(fault) }
            let consumer = HistoryConsumer(
                name: name, tokenText: token.description, lastChange: change,
                number: token.number, lastRead: session.configuration.now())
            try consumer.write(to: session.database())
        }
    }

    /// Removes the consumer with that name. Returns false if there is no such consumer.
    @discardableResult
    public func forgetConsumer(named name: String) throws -> Bool {
        try session.inTransaction(.writing) {
            let database = try session.database()
            try database.run("DELETE FROM consumers WHERE name = ?", name)
            return database.changedRows > 0
        }
    }
}
