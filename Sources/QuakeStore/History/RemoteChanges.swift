public import QuakeModel

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
/// gets ``HistoryEvent/dropEverything(_:)`` and every quake first, as from ``QuakeContext/fetchHistory(_:resyncs:_:)``.
/// The sequence has a connection of its own and reads on no thread of the caller: contexts may be pinned or writing
/// meanwhile. It waits for a cache that does not exist yet, and for one that is being replaced by another file. It ends
/// when its task is cancelled.
///
/// - Throws: ``StoreError`` when the cache cannot be read. A new sequence after the last token misses nothing.
public struct RemoteChanges: AsyncSequence, Sendable {
    private let cache: QuakeCache
    private let descriptor: HistoryDescriptor
    private let interval: Duration
    private let own: OwnTransactions?

    fileprivate init(
        _ cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration, own: OwnTransactions?
    ) {
        self.cache = cache
        self.descriptor = descriptor
        self.interval = interval
        self.own = own
    }

    /// An iterator with a connection of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: RemoteReader(cache, descriptor, every: interval, own: own))
    }

    /// Waits for the next batch.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: RemoteReader

        /// The next batch; nil when the task was cancelled.
        public mutating func next() async throws -> HistoryBatch? { try await reader.next() }
    }
}

/// What came to a cache since the batch before, to be applied as a whole.
public struct HistoryBatch: Hashable, Codable, Sendable {
    /// What ``QuakeContext/fetchHistory(_:resyncs:_:)`` delivers: net effects, or `dropEverything` and every quake; at
    /// the end ``HistoryEvent/end(_:)``. At least one quake is concerned, unless everything was dropped.
    public var events: [HistoryEvent]
    /// Where to go on after this batch.
    public var token: HistoryToken

    /// A batch with the token of its end.
    public init(events: [HistoryEvent], token: HistoryToken) {
        self.events = events
        self.token = token
    }
}

extension QuakeCache {
    /// What every context and process commits after `token`, in batches; nil for a reader that has nothing yet.
    ///
    /// - Parameter interval: how often to look for commits, and so the longest delay of one.
    public func remoteChanges(
        after token: HistoryToken?, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        var descriptor = HistoryDescriptor(after: token)
        descriptor.isCoalesced = true
        return remoteChanges(descriptor, every: interval)
    }

    /// The same for what `descriptor` asks for. Its `start` is the place of the first batch; its `end` is ignored.
    ///
    /// ``HistoryDescriptor/excludedAuthors`` leaves out the commits of some authors, in all processes.
    public func remoteChanges(
        _ descriptor: HistoryDescriptor, every interval: Duration = .milliseconds(200)
    ) -> RemoteChanges {
        RemoteChanges(self, descriptor, every: interval, own: nil)
    }
}

extension QuakeContext {
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
        RemoteChanges(cache, descriptor, every: interval, own: ownTransactions)
    }
}

/// Reads the batches of one iterator, on a connection that it alone uses.
private actor RemoteReader {
    private let cache: QuakeCache
    private let interval: Duration
    private let own: OwnTransactions?
    private var descriptor: HistoryDescriptor
    private var follower: HistoryFollower?

    init(_ cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration, own: OwnTransactions?) {
        self.cache = cache
        self.interval = interval
        self.own = own
        self.descriptor = descriptor
        self.descriptor.end = nil
    }

    func next() async throws -> HistoryBatch? {
        while !Task.isCancelled {
            if try hasNews(), let batch = try read() { return batch }
            // A limit ends a batch before the head.
            if hasMore { continue }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    private var hasMore = false

    /// Whether there may be something to read.
    private func hasNews() throws -> Bool {
        do {
            if let follower { return try follower.hasNews() || hasMore }
            follower = try HistoryFollower(cache)
            return true
        } catch StoreError.noCache {
            // It may be created, or put back, at any time.
            return false
        } catch StoreError.busy {
            return false
        }
    }

    /// What came after the place of the descriptor; nil when nothing of it was asked for. Moves the place.
    private func read() throws -> HistoryBatch? {
        guard let context = follower?.context else { return nil }
        if let own { descriptor.excludedTransactions.formUnion(own.tokens) }
        var batch: HistoryBatch?
        var events: [HistoryEvent] = []
        try context.fetchHistory(descriptor) { event in
            events.append(event)
            if case .end(let end) = event {
                hasMore = end.hasMore
                descriptor.start = .token(end.token)
                if events.count > 1 { batch = HistoryBatch(events: events, token: end.token) }
            }
        }
        return batch
    }
}
