/// An endless sequence of ``HistoryBatch`` values with the changes that any process commits to a cache.
///
/// ```swift
/// for try await batch in cache.remoteChanges(after: bookmark) {
///     for event in batch.events { apply(event) }
///     bookmark = batch.token
/// }
/// ```
///
/// Each batch contains the net effect of all changes since the previous batch or, if requested, every change. A batch
/// without changes only advances the reader's position. It arrives at most once a second while only unrequested changes
/// are committed, and once a day while nothing is, so that a running ``HistoryConsumer`` stays active.
///
/// A reader without a usable token first receives ``/QuakeModel/HistoryEvent/dropEverything(_:)`` and every quake of a
/// single state, in several batches: see ``HistoryBatch/token``. Transactions are not split, so only a large
/// transaction needs much memory.
///
/// Each iterator has its own connection and thread, so contexts may be pinned or writing meanwhile. It waits for a
/// cache that does not exist yet or is being replaced by another file, and ends when its task is canceled. During a
/// resync, the write-ahead log cannot shrink.
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

/// The changes to a cache since the previous batch, to be applied as a whole.
public struct HistoryBatch: Hashable, Codable, Sendable {
    /// The events to apply, in order: changes, or `dropEverything` and every quake. If only the position advanced, the
    /// only event is ``/QuakeModel/HistoryEvent/end(_:)``.
    public var events: [HistoryEvent]
    /// The position from which to continue after this batch; nil if more batches of a resync follow. Store even a nil
    /// token, so that an interrupted reader repeats the whole resync, which cannot be resumed midway.
    public var token: HistoryToken?

    /// The maximum number of quakes in a resync batch. Any other batch ends with the transaction in which this number
    /// of changes, or the ``/QuakeModel/HistoryDescriptor/limit`` if that is smaller, is reached.
    package static let size = 1000
}

extension QuakeCache {
    /// Returns the changes that any context or process commits after `token`, in batches.
    ///
    /// - Parameters:
    ///   - token: the position after which to start; nil for a reader that has nothing yet.
    ///   - isCoalesced: whether to deliver the net effect on each quake instead of every change.
    ///   - interval: the time between checks for commits, and thus the maximum delay.
    public func remoteChanges(
        after token: HistoryToken?, isCoalesced: Bool = true, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        remoteChanges(HistoryDescriptor(after: token, isCoalesced: isCoalesced), every: interval)
    }

    /// Returns the requested changes that any context or process commits, in batches. The descriptor's `start` is the
    /// position of the first batch, its `end` is ignored, and its `limit` can shrink the batches. Unless its
    /// `isCoalesced` is set, every change is delivered.
    ///
    /// To omit the commits of some authors, set ``/QuakeModel/HistoryDescriptor/excludedAuthors``.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges(of: self, descriptor, every: interval)
    }
}

extension StoreHistory {
    /// Returns the changes that other contexts and processes commit after `token` (nil for a new reader), in batches.
    ///
    /// Commits of this context are omitted, but not commits of other contexts with the same author. If this context and
    /// another context changed the same quake, the net effect of both changes is included.
    public func remoteChanges(
        after token: HistoryToken?, isCoalesced: Bool = true, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        remoteChanges(HistoryDescriptor(after: token, isCoalesced: isCoalesced), every: interval)
    }

    /// Returns the changes by other contexts and processes that `descriptor` requests, in batches.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges(of: context.cache, descriptor, every: interval, without: context.ownTransactions)
    }
}

/// Reads the batches of one iterator, on the iterator's own connection.
private actor RemoteReader {
    private let interval: Duration
    private let own: OwnTransactions?
    private let size: Int
    private var descriptor: HistoryDescriptor
    private let follower: HistoryFollower
    private var resync: Resync?
    private var hasMore = false
    /// The end of the last response, including the changes omitted since the last batch.
    private var end: HistoryEnd?
    /// The position delivered last, and the time of its delivery.
    private var told: (token: HistoryToken?, time: Timestamp)
    private let now: @Sendable () -> Timestamp
    private let executor = CacheExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration, own: OwnTransactions?) {
        (self.interval, self.own, self.descriptor) = (interval, own, descriptor)
        size = max(1, min(descriptor.limit ?? HistoryBatch.size, HistoryBatch.size))
        follower = HistoryFollower(cache, patience: nil)
        now = cache.configuration.now
        told = (nil, now())
        if case .token(let token) = descriptor.start { told.token = token }
    }

    func next() async throws -> HistoryBatch? {
        while !Task.isCancelled {
            if let batch = try nextBatch() {
                told = (batch.token, now())
                end?.count = 0
                end?.skipped = SkippedChanges()
                return batch
            }
            // More changes are available already.
            if hasMore, follower.context != nil { continue }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    private func nextBatch() throws -> HistoryBatch? {
        if let resync { return try page(of: resync) }
        return try follower.news(orElse: hasMore, read) ?? placeAlone()
    }

    /// Returns a batch that contains only the position, if such a batch is due.
    private func placeAlone() -> HistoryBatch? {
        guard let end else { return nil }
        // The clock may have been set back.
        let silence = max(now() - told.time, told.time - now())
        let least = end.token == told.token ? Duration.seconds(86_400) : .seconds(1)
        return silence >= least ? HistoryBatch(events: [.end(end)], token: end.token) : nil
    }

    /// Reads the next batch and advances the descriptor's start; nil if there are no requested changes.
    private func read(_ context: QuakeContext) throws -> HistoryBatch? {
        context.ignoredTransactions = own
        if let fault = try context.history.startFault(of: descriptor) {
            let resync = try Resync(descriptor, fault, in: context, of: context.generation())
            self.resync = resync
            return try page(of: resync)
        }
        return try context.snapshot {
            descriptor.end = nil
            if case .token(let token) = descriptor.start {
                descriptor.end = try context.history.place(changes: size, after: token)
            }
            var batch: HistoryBatch?
            var events: [HistoryEvent] = []
            try context.history.fetch(descriptor) { event in
                guard case .end(var last) = event else { return events.append(event) }
                hasMore = last.hasMore || last.token.number < last.head.number
                descriptor.start = .token(last.token)
                var skipped = end?.skipped ?? SkippedChanges()
                skipped.add(last.skipped)
                last.skipped = skipped
                end = last
                if !events.isEmpty { batch = HistoryBatch(events: events + [.end(last)], token: last.token) }
            }
            return batch
        }
    }

    private func page(of resync: Resync) throws -> HistoryBatch {
        var batch = HistoryBatch(events: [], token: nil)
        while batch.events.count < size, let event = try resync.next() {
            batch.events.append(event)
            if case .end(let end) = event {
                batch.token = end.token
                self.end = end
                descriptor.start = .token(end.token)
                hasMore = true
                self.resync = nil
                break
            }
        }
        return batch
    }
}
