/// A reader of the history that the cache remembers.
public struct HistoryConsumer: Hashable, Codable, Sendable {
    /// The name that the reader gave itself.
    public var name: String
    /// The token it got last, as text.
    package var tokenText: String
    /// The last change it got of the transaction after its token; nil if it got none.
    package var lastChange: ChangeID?
    /// The last transaction it has read; after a restore, the last of those that the restored history has too.
    public var number: TransactionNumber
    /// When it last read.
    public var seen: Timestamp

    private enum CodingKeys: String, CodingKey {
        case name
        case tokenText = "token"
        case number, seen
    }

    /// The token it got last; nil if what the cache keeps is damaged.
    public var token: HistoryToken? { HistoryToken(tokenText) }

    /// A consumer not seen for this long no longer keeps history from being purged.
    public static let lapse = Duration.seconds(30 * 86_400)

    /// Whether it still counts at `now`.
    public func isLive(at now: Timestamp) -> Bool { now - seen <= HistoryConsumer.lapse }
}

extension HistoryConsumer {
    /// Which consumers must have read the history before it is removed.
    public enum Group: Hashable, Sendable, Codable {
        /// Those seen within ``HistoryConsumer/lapse``.
        case live
        /// Those that lapsed too.
        case all
        /// Those with these names. While nothing was purged, one that has read nothing
        /// yet holds everything back.
        case named(Set<String>)

        /// Whether the consumer belongs to the group at `now`.
        public func contains(_ consumer: HistoryConsumer, at now: Timestamp) -> Bool {
            switch self {
            case .live: consumer.isLive(at: now)
            case .all: true
            case .named(let names): names.contains(consumer.name)
            }
        }
    }
}

extension HistoryConsumer {
    /// Keeps the consumer in place of the one of its name. In the table, ``lastChange`` follows the token as `+ID`.
    func write(to database: Database) throws {
        let place = tokenText + (lastChange.map { "+\($0)" } ?? "")
        try database.run(CheckedTable.consumers.insertion("OR REPLACE"), name, place, number, seen.milliseconds)
    }
}

extension StoreHistory {
    /// Every reader of the history, by name.
    public func consumers() throws -> [HistoryConsumer] {
        try context.connection.all("SELECT name, token, number, seen FROM consumers ORDER BY name") { row in
            let place = row.text(1).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            return HistoryConsumer(
                name: row.text(0), tokenText: String(place[0]),
                lastChange: place.count == 2 ? Int64(place[1]).map(ChangeID.init(_:)) : nil,
                number: row.transaction(2), seen: row.timestamp(3))
        }
    }

    /// The consumer of that name; nil when it has read nothing yet.
    public func consumer(named name: String) throws -> HistoryConsumer? { try consumers().first { $0.name == name } }

    /// Remembers `token` as what the consumer has read. The number kept for protection is never beyond the head.
    ///
    /// - Throws: ``StoreError/unstorableText(of:reason:)`` for a name that is empty, long or not one line, and
    ///   ``StoreError`` when the cache cannot be written.
    public func acknowledge(_ token: HistoryToken, for name: String) throws {
        try acknowledge(token, through: nil, for: name)
    }

    /// Remembers `token`, and that the consumer also got the changes up to `change` of the transaction after it.
    package func acknowledge(_ token: HistoryToken, through change: ChangeID?, for name: String) throws {
        try StoredText.requireName(name, of: "name of the consumer")
        try context.inTransaction(.writing) {
            // A token of the history before a restore does not lower the number.
            let number =
                try fault(of: token) == nil
                ? token.number : max(floor().number, consumer(named: name)?.number ?? .zero)
            let consumer = HistoryConsumer(
                name: name, tokenText: token.description, lastChange: change, number: number,
                seen: context.cache.configuration.now())
            try consumer.write(to: context.database())
        }
    }

    /// Forgets the consumer of that name. False when there was none.
    @discardableResult
    public func forgetConsumer(named name: String) throws -> Bool {
        try context.inTransaction(.writing) {
            let database = try context.database()
            try database.run("DELETE FROM consumers WHERE name = ?", name)
            return database.changedRows > 0
        }
    }
}
