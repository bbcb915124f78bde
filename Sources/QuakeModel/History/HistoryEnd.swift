/// The end of a history response.
public struct HistoryEnd: Hashable, Codable, Sendable {
    /// The token from which to start the next fetch.
    public var token: HistoryToken
    /// The newest position in the history when the response began.
    public var head: HistoryToken
    /// The last purged transaction; 0 if none was purged.
    public var floor: TransactionNumber
    /// Whether the response stopped at its limit, so that requested changes remain after ``token``.
    public var hasMore: Bool
    /// The number of events delivered before this event.
    public var count: Int
    /// The changes up to ``token`` that were omitted only because of ``HistoryDescriptor/maximumOriginAge``.
    package var skipped: SkippedChanges

    package init(
        token: HistoryToken, head: HistoryToken, floor: TransactionNumber, hasMore: Bool, count: Int,
        skipped: SkippedChanges = SkippedChanges()
    ) {
        self.token = token
        self.head = head
        self.floor = floor
        self.hasMore = hasMore
        self.count = count
        self.skipped = skipped
    }
}
