import QuakeModel

/// Hands out the changes of an answer that matter, each with the token to go on from, and knows where a page ends.
///
/// Need: a reader that stops anywhere and goes on from the last token it has must not miss a record. Hazard: a token names a
/// transaction, not a place inside one. Choice: one record waits until the next one shows whether it was the last of its
/// transaction; only then does it carry the place after it. Price: a reader cut inside a transaction gets its first records again.
struct ChangeDelivery {
    private let relevance: Relevance
    private let limit: Int?
    private let context: QuakeContext
    private let head: HistoryToken
    private let body: (RelevantChange) throws -> Void
    private var transaction: HistoryTransaction?
    private var waiting: RelevantChange?
    private var count = 0
    private var hasMore = false

    init(
        _ descriptor: HistoryDescriptor, context: QuakeContext, head: HistoryToken,
        _ body: @escaping (RelevantChange) throws -> Void
    ) {
        relevance = Relevance(descriptor)
        limit = descriptor.limit
        self.context = context
        self.head = head
        self.body = body
    }

    /// Judges the next change. False when the page is full and the change belongs to the next one.
    mutating func take(_ change: HistoryChange) throws -> Bool {
        let current = try transaction(of: change)
        guard relevance.accepts(current), let seen = relevance.judge(change, in: current) else { return true }
        if let waiting, waiting.transaction.number != current.number {
            try deliver(waiting, token: token(after: waiting.transaction))
            // A transaction is never split: a page ends only here.
            if let limit, count >= limit {
                hasMore = true
                return false
            }
        } else if let waiting {
            try deliver(waiting, token: waiting.token)
        }
        let isNext = waiting?.transaction.number == current.number
        let before = isNext ? waiting?.token : nil
        waiting = RelevantChange(
            change: change, crossing: seen.crossing, transaction: current, timeliness: seen.timeliness,
            token: try before ?? context.token(afterTransaction: current.number - 1))
        return true
    }

    /// Hands out what still waits, and says how the answer ended.
    mutating func finish(floor: Int64) throws -> HistoryEnd {
        var place = head
        if let waiting {
            let after = token(after: waiting.transaction)
            if hasMore { place = after } else { try deliver(waiting, token: after) }
        }
        return HistoryEnd(token: place, head: head, floor: floor, hasMore: hasMore, count: count)
    }

    private mutating func deliver(_ change: RelevantChange, token: HistoryToken?) throws {
        var change = change
        change.token = token
        try body(change)
        count += 1
    }

    private func token(after transaction: HistoryTransaction) -> HistoryToken {
        HistoryToken(storeID: head.storeID, number: transaction.number, fingerprint: transaction.fingerprint)
    }

    private mutating func transaction(of change: HistoryChange) throws -> HistoryTransaction {
        if let transaction, transaction.number == change.transaction { return transaction }
        guard let next = try context.transaction(change.transaction) else {
            throw StoreError.noTransaction(change.transaction)
        }
        transaction = next
        return next
    }
}
