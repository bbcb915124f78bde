/// The end of a history response.
public struct HistoryEnd: Hashable, Sendable {
    /// The token from which to start the next fetch.
    public var token: HistoryToken
    /// The newest position in the history when the response began.
    public var newest: HistoryToken
    /// The last transaction that was trimmed from the history; 0 if there is none.
    public var trimmedThrough: TransactionNumber
    /// Whether the response stopped at its limit, so that requested changes remain after ``token``.
    public var hasMore: Bool
    /// The number of events delivered before this event.
    public var count: Int
    /// The changes up to ``token`` that were omitted only because of ``HistoryDescriptor/maximumOriginAge``.
    package var skipped: SkippedChanges

    package init(
        token: HistoryToken, newest: HistoryToken, trimmedThrough: TransactionNumber, hasMore: Bool, count: Int,
        skipped: SkippedChanges = SkippedChanges()
    ) {
        self.token = token
        self.newest = newest
        self.trimmedThrough = trimmedThrough
        self.hasMore = hasMore
        self.count = count
        self.skipped = skipped
    }
}
