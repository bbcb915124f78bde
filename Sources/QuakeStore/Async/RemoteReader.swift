import QuakeSystem

/// Reads the batches of one iterator, on the iterator's own connection.
actor RemoteReader {
    private let interval: Duration
    private let own: OwnTransactions?
    private let batchSize: Int
    private var descriptor: HistoryDescriptor
    private let follower: HistoryFollower
    private var resync: Resync?
    private var hasMore = false
    /// The end event of the last response; its skipped changes are those omitted since the last batch.
    private var end: HistoryEnd?
    /// The position delivered last, and the time of its delivery.
    private var lastDelivered: (token: HistoryToken?, time: Timestamp)
    private let now: @Sendable () -> Timestamp
    private let executor = ThreadExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ descriptor: HistoryDescriptor, every interval: Duration, own: OwnTransactions?) {
        self.interval = interval
        self.own = own
        self.descriptor = descriptor
        batchSize = max(1, min(descriptor.limit ?? HistoryBatch.maximumCount, HistoryBatch.maximumCount))
        follower = HistoryFollower(cache, patience: nil)
        now = cache.configuration.now
        lastDelivered = (nil, now())
        if case .token(let token) = descriptor.start { lastDelivered.token = token }
    }

    func next() async throws -> HistoryBatch? {
        try StoreError.require("interval", interval, atLeast: HistoryFollower.minimumInterval)
        try descriptor.requireInRange()
        while !Task.isCancelled {
            if let batch = try nextBatch() {
                lastDelivered = (batch.token, now())
                end?.count = 0
                end?.skipped = SkippedChanges()
                return batch
            }
            // More changes are already available.
            if hasMore, follower.context != nil { continue }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    private func nextBatch() throws -> HistoryBatch? {
        if let resync { return try page(of: resync) }
        return try follower.readIfChanged(or: hasMore, read) ?? positionOnlyBatch()
    }

    /// Returns a batch that contains only the position, if such a batch is due.
    private func positionOnlyBatch() -> HistoryBatch? {
        guard let end else { return nil }
        // The clock may have been set back.
        let silence = max(now() - lastDelivered.time, lastDelivered.time - now())
        let least = end.token == lastDelivered.token ? Duration.seconds(86_400) : .seconds(1)
        return silence >= least ? HistoryBatch(events: [.end(end)], token: end.token) : nil
    }

    /// Returns the next batch, and advances the descriptor's start; nil if there are no requested changes.
    private func read(_ context: QuakeContext) throws -> HistoryBatch? {
        if let fault = try context.history.startFault(of: descriptor) {
            let resync = try Resync(descriptor, fault, in: context.session.pinned(to: context.generation()))
            self.resync = resync
            return try page(of: resync)
        }
        return try context.snapshot {
            descriptor.end = nil
            if case .token(let token) = descriptor.start {
                descriptor.end = try context.history.token(afterChanges: batchSize, from: token)
            }
            var batch: HistoryBatch?
            var events: [HistoryEvent] = []
            try context.history.fetch(descriptor, ignoring: own) { event in
                guard case .end(var last) = event else { return events.append(event) }
                hasMore = last.hasMore || last.token.number < last.newest.number
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
        while batch.events.count < batchSize, let event = try resync.next() {
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
