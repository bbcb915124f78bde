/// Delivers the relevant changes of one page of a response, each with the token from which to resume.
///
/// A reader that resumes from its last token misses no change. A token identifies a whole transaction. Each change is
/// therefore held back until the next change shows whether the transaction continues; if it does, the held change gets
/// the token of the position before the transaction. A reader that stops inside a transaction receives the
/// transaction's first changes again.
struct ChangeDelivery {
    private let relevance: RelevanceRules
    private let limit: Int?
    private let history: StoreHistory
    /// The end event of the response, with the numbers of changes delivered and skipped so far, up to the transaction
    /// of ``waiting``.
    private var end: HistoryEnd
    private var transaction: HistoryTransaction?
    private var waiting: Waiting?
    /// The changes that were omitted because of their quakes' age and come after the transaction of ``waiting``. If
    /// this page ends with ``waiting``, these changes belong to the next page.
    private var skippedLater = SkippedChanges()

    /// A change that is held back, and the token of the position before its transaction.
    private struct Waiting {
        let change: RelevantChange
        let tokenBefore: HistoryToken

        var transaction: HistoryTransaction { change.transaction }
    }

    init(
        _ descriptor: HistoryDescriptor, _ relevance: RelevanceRules, in history: StoreHistory, endingAt end: HistoryEnd
    ) {
        self.relevance = relevance
        limit = descriptor.limit
        self.history = history
        self.end = end
    }

    /// Processes the next change, and passes the change that was waiting, if any, to `body`. Returns false if the page
    /// is full and the new change belongs to the next page.
    mutating func take(_ change: HistoryChange, _ body: (HistoryEvent) throws -> Void) throws -> Bool {
        let current = try transaction(of: change)
        guard relevance.accepts(author: current.author, token: current.token),
            let (seen, tooOld) = relevance.judge(change, in: current, isUndo: change.reason == .undone)
        else { return true }
        let continues = waiting?.transaction.number == current.number
        if let tooOld {
            if waiting == nil || continues { end.skipped.add(tooOld) } else { skippedLater.add(tooOld) }
            return true
        }
        if let waiting {
            try deliver(waiting.change, token: continues ? waiting.tokenBefore : waiting.transaction.token, body)
            // Here, between two transactions, a page may end: a transaction is never split.
            if !continues, let limit, end.count >= limit {
                end.hasMore = true
                return false
            }
        }
        end.skipped.add(skippedLater)
        skippedLater = SkippedChanges()
        let before = continues ? waiting?.tokenBefore : nil
        waiting = Waiting(
            change: seen, tokenBefore: try before ?? history.token(afterTransaction: current.number.previous))
        return true
    }

    /// Passes any change that is still waiting, and the end of the response, to `body`.
    mutating func finish(_ body: (HistoryEvent) throws -> Void) throws {
        if !end.hasMore { end.skipped.add(skippedLater) }
        if let waiting {
            let after = waiting.transaction.token
            if end.hasMore { end.token = after } else { try deliver(waiting.change, token: after, body) }
        }
        try body(.end(end))
    }

    private mutating func deliver(
        _ change: RelevantChange, token: HistoryToken, _ body: (HistoryEvent) throws -> Void
    ) throws {
        var change = change
        change.token = token
        try body(.change(change))
        end.count += 1
    }

    private mutating func transaction(of change: HistoryChange) throws -> HistoryTransaction {
        if let transaction, transaction.number == change.transaction { return transaction }
        guard let next = try history.transaction(change.transaction) else {
            throw StoreError.noTransaction(change.transaction)
        }
        transaction = next
        return next
    }
}
