/// An endless sequence of ``HistoryBatch`` values with the changes that any process commits to a cache.
///
/// ```swift
/// for try await batch in cache.changes(after: bookmark) {
///     for event in batch.events { apply(event) }
///     bookmark = batch.token
/// }
/// ```
///
/// Each batch contains every change since the previous batch or, if requested, their net effect on each quake. A batch
/// without changes only advances the reader's position. Such a batch arrives at most once a second while only
/// unrequested changes are committed, and once a day while nothing is committed, so that a running ``HistoryConsumer``
/// stays active.
///
/// A reader without a usable token first receives ``/QuakeModel/HistoryEvent/dropEverything(_:)`` and every quake of a
/// single state, in several batches: see ``HistoryBatch/token``. Transactions are not split, so only a large
/// transaction needs much memory.
///
/// Each iterator has its own connection and thread, so contexts may be pinned or writing meanwhile. The iterator waits
/// for a cache that does not exist yet or is being replaced by another file, and ends when its task is canceled. During
/// a resync, the write-ahead log cannot shrink.
///
/// - Throws: ``StoreError`` if the cache cannot be read. A new sequence that starts at the last token misses nothing.
public struct RemoteChanges: AsyncSequence, Sendable {
    fileprivate let makeReader: @Sendable () -> RemoteReader

    fileprivate init(
        of cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration,
        without own: OwnTransactions? = nil
    ) {
        makeReader = { RemoteReader(cache, descriptor, every: interval, own: own) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: RemoteReader

        /// Returns the next batch; nil if the task was canceled.
        public mutating func next() async throws -> HistoryBatch? { try await reader.next() }
    }
}

extension QuakeCache {
    /// Returns the changes that any context or process commits after `token`, in batches.
    ///
    /// - Parameters:
    ///   - token: the position after which to start; nil for a reader that has nothing yet.
    ///   - isCoalesced: whether to deliver the net effect on each quake instead of every change.
    ///   - interval: the time between checks for commits, at least 50 milliseconds, and thus the maximum delay.
    public func changes(
        after token: HistoryToken?, isCoalesced: Bool = false, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        changes(HistoryDescriptor(after: token, isCoalesced: isCoalesced), every: interval)
    }

    /// Returns the requested changes that any context or process commits, in batches. The descriptor's `start` is the
    /// position of the first batch, its `end` is ignored, and its `limit` can shrink the batches. Unless its
    /// `isCoalesced` is set, every change is delivered.
    ///
    /// To omit the commits of some authors, set ``/QuakeModel/HistoryDescriptor/excludedAuthors``.
    public func changes(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges(of: self, descriptor, every: interval)
    }
}

extension QuakeContext {
    /// Returns the changes that other contexts and processes commit after `token` (nil for a new reader), in batches.
    ///
    /// Commits of this context are omitted, but not commits of other contexts with the same author. If this context and
    /// another context changed the same quake, a net effect on it includes both changes.
    public func remoteChanges(
        after token: HistoryToken?, isCoalesced: Bool = false, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        remoteChanges(HistoryDescriptor(after: token, isCoalesced: isCoalesced), every: interval)
    }

    /// Returns the changes by other contexts and processes that `descriptor` requests, in batches.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges(of: cache, descriptor, every: interval, without: ownTransactions)
    }
}
