import QuakeStore

/// A consumer, the state of its token, and what it has not read.
struct ConsumerStatus {
    let consumer: HistoryConsumer
    /// The reason the consumer's token cannot be used; nil if it can.
    let fault: TokenFault?
    /// The number of unread transactions; nil if the token cannot be used.
    let unreadTransactions: Int?
    /// The number of unread changes; nil if the token cannot be used.
    let unreadChanges: Int?
    let isActive: Bool

    init(_ consumer: HistoryConsumer, in context: QuakeContext, now: Timestamp) throws {
        self.consumer = consumer
        fault = try consumer.token.map { try context.history.fault(of: $0) } ?? .foreign
        let unread = try fault == nil ? context.history.counts(after: consumer.number) : nil
        unreadTransactions = unread?.transactions
        unreadChanges = unread?.changes
        isActive = consumer.isActive(at: now)
    }

    static let columns = [
        "name", "token", "state", "read_through", "unread_transactions", "unread_changes", "last_read", "active",
    ]

    /// `ok`, or the reason the token cannot be used.
    var state: String { fault?.rawValue ?? "ok" }

    static func textColumns(now: Timestamp) -> [TextColumn<Self>] {
        [
            TextColumn("NAME", 16, minimumWidth: 12) { $0.consumer.name },
            TextColumn("UNREAD", 32, minimumWidth: 16) { standing in
                standing.unreadChanges.map {
                    "\($0.counted("change")) in \((standing.unreadTransactions ?? 0).counted("transaction"))"
                } ?? "token cannot be used: \(standing.fault?.words ?? "")"
            },
            TextColumn("LAST READ") {
                $0.consumer.lastRead.age(at: max(now, $0.consumer.lastRead)) + ($0.isActive ? "" : ", inactive")
            },
        ]
    }

    var record: Record {
        [
            "name": consumer.name, "token": consumer.tokenText, "state": state,
            "read_through": consumer.number, "unread_transactions": unreadTransactions,
            "unread_changes": unreadChanges, "last_read": consumer.lastRead, "active": isActive,
        ]
    }
}
