/// A reader of the history whose progress the cache stores.
public struct HistoryConsumer: Hashable, Codable, Sendable {
    /// The name that the reader chose for itself.
    public var name: String
    /// The last token that the consumer acknowledged, as text.
    package var tokenText: String
    /// The last change that the consumer received from the transaction after its token; nil if it received none of that
    /// transaction.
    package var lastChange: ChangeID?
    /// The last transaction that the consumer has read; after a restore, the last such transaction in the restored
    /// history.
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

    /// The time without a read after which a consumer no longer prevents history from being trimmed.
    package static let inactivityLimit = Duration.seconds(30 * 86_400)

    /// Whether the consumer's last read, as of `now`, was within ``inactivityLimit``.
    package func isActive(at now: Timestamp) -> Bool { now - lastRead <= HistoryConsumer.inactivityLimit }

    /// A group of consumers. History is removed only once all of them have read it.
    public enum Group: Hashable, Sendable, Codable {
        /// Consumers that acknowledged a token within the last 30 days.
        case active
        /// All consumers, however long ago they last acknowledged a token.
        case all
        /// Consumers with these names. Before the first trim, nothing is removed until each of these consumers has
        /// acknowledged a token.
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
