/// What was committed to a cache, by any process, as it happens: an endless sequence of ``HistoryBatch``.
///
/// ```swift
/// for try await batch in cache.remoteChanges(after: bookmark) {
///     for event in batch.events { apply(event) }
///     bookmark = batch.token
/// }
/// ```
///
/// Each batch holds the net effect of everything that came since the batch before; commits that arrive while a batch is
/// being applied are together in the next one. A reader without a token, with one of another cache, or behind a purge
/// gets ``/QuakeModel/HistoryEvent/dropEverything(_:)`` and every quake first, as from
/// ``StoreHistory/fetch(_:resyncs:_:)``, in several batches of one state: see ``HistoryBatch/token``. Memory
/// stays constant however many quakes and transactions there are; a batch is at least one transaction.
///
/// The sequence has a connection and a thread of its own: contexts may be pinned or writing meanwhile. It waits for a
/// cache that does not exist yet, and for one that is being replaced by another file. It ends when its task is
/// canceled. While the batches of a resync come, the write-ahead log cannot shrink.
///
/// - Throws: ``StoreError`` when the cache cannot be read. A new sequence after the last token misses nothing.
public struct RemoteChanges: AsyncSequence, Sendable {
    fileprivate let makeReader: @Sendable () -> RemoteReader

    /// An iterator with a connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

    /// Waits for the next batch.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: RemoteReader

        /// The next batch; nil when the task was canceled.
        public mutating func next() async throws -> HistoryBatch? { try await reader.next() }
    }
}

/// What came to a cache since the batch before, to be applied as a whole.
public struct HistoryBatch: Hashable, Codable, Sendable {
    /// What ``StoreHistory/fetch(_:resyncs:_:)`` delivers: net effects, or `dropEverything` and every quake; at
    /// the end ``/QuakeModel/HistoryEvent/end(_:)``. At least one quake is concerned, unless everything was dropped.
    public var events: [HistoryEvent]
    /// Where to continue after this batch; nil if more of a resync follows, which has no place in between. A reader
    /// that keeps it, even when it is nil, misses nothing: it gets the whole resync again.
    public var token: HistoryToken?

    /// The most quakes in a batch of a resync, and the changes after which a batch of changes ends with its
    /// transaction, unless ``/QuakeModel/HistoryDescriptor/limit`` is smaller.
    public static let size = 1000

    /// A batch with the token of its end.
    public init(events: [HistoryEvent], token: HistoryToken?) { (self.events, self.token) = (events, token) }
}

extension QuakeCache {
    /// What every context and process commits after `token`, in batches; nil for a reader that has nothing yet.
    ///
    /// - Parameters:
    ///   - token: the place of the first batch.
    ///   - interval: how often to look for commits, and so the longest delay of one.
    public func remoteChanges(
        after token: HistoryToken?, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        var descriptor = HistoryDescriptor(after: token)
        descriptor.isCoalesced = true
        return remoteChanges(descriptor, every: interval)
    }

    /// The same for what `descriptor` asks for. Its `start` is the place of the first batch; its `end` is ignored; its
    /// `limit` makes batches smaller than ``HistoryBatch/size``.
    ///
    /// ``/QuakeModel/HistoryDescriptor/excludedAuthors`` leaves out the commits of some authors, in all processes.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges { RemoteReader(self, descriptor, every: interval, own: nil) }
    }
}

extension StoreHistory {
    /// What other contexts and processes commit after `token`, in batches; nil for a reader that has nothing yet.
    ///
    /// What this context commits itself is left out, whoever else has its author. A quake that both this context and
    /// another one changed comes with the net effect of both.
    public func remoteChanges(
        after token: HistoryToken?, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        var descriptor = HistoryDescriptor(after: token)
        descriptor.isCoalesced = true
        return remoteChanges(descriptor, every: interval)
    }

    /// The same for what `descriptor` asks for.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        let (cache, own) = (context.cache, context.ownTransactions)
        return RemoteChanges { RemoteReader(cache, descriptor, every: interval, own: own) }
    }
}

/// Reads the batches of one iterator, on a connection that it alone uses.
private actor RemoteReader {
    private let interval: Duration
    private let own: OwnTransactions?
    private let size: Int
    private var descriptor: HistoryDescriptor
    private let follower: HistoryFollower
    private var resync: Resync?
    private var hasMore = false
    private let executor = CacheExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration, own: OwnTransactions?) {
        (self.interval, self.own, self.descriptor) = (interval, own, descriptor)
        size = max(1, min(descriptor.limit ?? HistoryBatch.size, HistoryBatch.size))
        follower = HistoryFollower(cache, patience: nil)
    }

    func next() async throws -> HistoryBatch? {
        while !Task.isCancelled {
            if let resync { return try page(of: resync) }
            if let batch = try follower.news(orElse: hasMore, read) { return batch }
            // A batch ended before the head.
            if hasMore, follower.context != nil { continue }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    /// What came after the place of the descriptor; nil when nothing of it was asked for. Moves the place.
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
                events.append(event)
                if case .end(let end) = event {
                    hasMore = end.hasMore || end.token.number < end.head.number
                    descriptor.start = .token(end.token)
                    if events.count > 1 { batch = HistoryBatch(events: events, token: end.token) }
                }
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
                descriptor.start = .token(end.token)
                hasMore = true
                self.resync = nil
                break
            }
        }
        return batch
    }
}
