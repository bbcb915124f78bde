/// A reader of the history whose progress the cache stores.
public struct HistoryConsumer: Hashable, Codable, Sendable {
    /// The name that the reader chose for itself.
    public var name: String
    /// The last token that the consumer received, as text.
    package var tokenText: String
    /// The last change that the consumer received from the transaction after its token; nil if there is none.
    package var lastChange: ChangeID?
    /// The last transaction that the consumer has read; after a restore, the last one still in the history.
    package var number: TransactionNumber
    /// The time at which the consumer last acknowledged a token.
    public var lastRead: Timestamp

    private enum CodingKeys: String, CodingKey {
        case name
        case tokenText = "token"
        case number, lastRead
    }

    /// The last token that the consumer acknowledged; nil if the stored token is damaged.
    public var token: HistoryToken? { HistoryToken(tokenText) }

    /// The time without a read after which a consumer no longer prevents history from being purged.
    package static let lapse = Duration.seconds(30 * 86_400)

    /// Whether the consumer's last read, as of `now`, was within ``lapse``.
    package func isActive(at now: Timestamp) -> Bool { now - lastRead <= HistoryConsumer.lapse }

    /// The consumers that must have read the history before it is removed.
    public enum Group: Hashable, Sendable, Codable {
        /// Consumers that acknowledged a token within the last 30 days.
        case active
        /// All consumers, however long ago they last acknowledged a token.
        case all
        /// Consumers with these names. If history was never purged, all of them must have acknowledged a token.
        case named(Set<String>)

        /// Whether the consumer belongs to the group at `now`.
        package func contains(_ consumer: HistoryConsumer, at now: Timestamp) -> Bool {
            switch self {
            case .active: consumer.isActive(at: now)
            case .all: true
            case .named(let names): names.contains(consumer.name)
            }
        }
    }

    /// Stores the consumer, replacing any with the same name. ``lastChange`` is stored after the token, as `+ID`.
    func write(to database: Database) throws {
        let place = tokenText + (lastChange.map { "+\($0)" } ?? "")
        try database.run(CheckedTable.consumers.insertion("OR REPLACE"), name, place, number, lastRead.milliseconds)
    }
}

extension StoreHistory {
    /// Returns all consumers, sorted by name.
    public func consumers() throws -> [HistoryConsumer] {
        try context.connection.all("SELECT name, token, number, seen FROM consumers ORDER BY name") { row in
            let place = row.text(1).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            return HistoryConsumer(
                name: row.text(0), tokenText: String(place[0]),
                lastChange: place.count == 2 ? Int64(place[1]).map(ChangeID.init(_:)) : nil,
                number: row.transaction(2), lastRead: row.timestamp(3))
        }
    }

    /// Returns the consumer with that name; nil if it has never acknowledged a token.
    public func consumer(named name: String) throws -> HistoryConsumer? { try consumers().first { $0.name == name } }

    /// Records that the consumer has read the history up to `token`. If the history after `token` was purged, the
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
        try context.inTransaction(.writing) {
            if let fault = try fault(of: token), fault != .expired { throw StoreError.token(fault) }
            let consumer = HistoryConsumer(
                name: name, tokenText: token.description, lastChange: change,
                number: max(token.number, try floor().number), lastRead: context.cache.configuration.now())
            try consumer.write(to: context.database())
        }
    }

    /// Removes the consumer with that name. Returns false if there is no such consumer.
    @discardableResult
    public func forgetConsumer(named name: String) throws -> Bool {
        try context.inTransaction(.writing) {
            let database = try context.database()
            try database.run("DELETE FROM consumers WHERE name = ?", name)
            return database.changedRows > 0
        }
    }
}
