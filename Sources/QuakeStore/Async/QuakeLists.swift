public import QuakeModel

/// A list of quakes that follows the cache: an endless sequence of what a descriptor fetches, each time that changes.
///
/// ```swift
/// for try await quakes in cache.quakes(matching: QuakeDescriptor(sort: .magnitude, limit: 10)) {
///     show(quakes)
/// }
/// ```
///
/// The first list comes at once, the next one when any process has committed a change of it. Commits that come while a
/// list is being used are together in the next one. Each list is what ``QuakeContext/fetch(_:)`` returns for one state
/// of the cache. It is made from the list before and the history since, and fetched again only where these do not tell:
/// when a quake from behind a limit moves up, and after a purge, a restore or very many changes.
///
/// The sequence has a connection and a thread of its own, and holds its newest list. It waits for a cache that does not
/// exist yet, and ends when its task is canceled.
public struct QuakeLists: AsyncSequence, Sendable {
    fileprivate let makeReader: @Sendable () -> ListReader

    /// An iterator with a connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

    /// Waits for the next list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: ListReader

        /// The next list; nil when the task was canceled.
        public mutating func next() async throws -> [StoredQuake]? { try await reader.next() }
    }
}

extension QuakeCache {
    /// What `descriptor` fetches, now and each time that this changes, whoever changes it.
    ///
    /// - Parameters:
    ///   - descriptor: which quakes, in which order, and how many. With ``/QuakeModel/QuakeDescriptor/includesPending`` the
    ///     list throws ``/QuakeModel/QuakeListError/pendingChanges``: what is pending in a context is not seen.
    ///   - interval: how often to look for commits, and so the longest delay of one.
    public func quakes(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), every interval: Duration = .milliseconds(200)
    ) -> QuakeLists {
        QuakeLists { ListReader(self, descriptor, every: interval) }
    }
}

/// Reads the lists of one iterator, on a connection that it alone uses.
private actor ListReader {
    private let interval: Duration
    private let seesPending: Bool
    private let follower: HistoryFollower
    private var list: FollowedList
    private let executor = CacheExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ descriptor: QuakeDescriptor, every interval: Duration) {
        self.interval = interval
        seesPending = descriptor.includesPending
        follower = HistoryFollower(cache, patience: nil)
        list = FollowedList(descriptor)
    }

    func next() async throws -> [StoredQuake]? {
        if seesPending { throw QuakeListError.pendingChanges }
        while !Task.isCancelled {
            let isNew = try follower.news { context in try list.follow(context) } ?? false
            if isNew { return list.quakes }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }
}

/// The quakes of a descriptor, and the place in the history where they were read.
private struct FollowedList {
    /// More changes are not merged: fetching again takes less.
    private static let mostChanges = 20_000
    private let offset: Int
    /// The descriptor without its offset: the quakes before the page are followed too.
    private let descriptor: QuakeDescriptor
    private var known: [StoredQuake] = []
    private var token: HistoryToken?

    init(_ descriptor: QuakeDescriptor) {
        let offset = max(0, descriptor.offset)
        var whole = descriptor
        whole.offset = 0
        whole.limit = descriptor.limit.flatMap { $0 < 0 || $0 > .max - offset ? nil : $0 + offset }
        self.offset = offset
        self.descriptor = whole
    }

    var quakes: [StoredQuake] { offset == 0 ? known : Array(known.dropFirst(offset)) }

    /// Reads what `context` sees. Whether the quakes are others than before; true the first time.
    mutating func follow(_ context: QuakeContext) throws -> Bool {
        try context.snapshot {
            let head = try context.history.head()
            guard head != token else { return false }
            let next = try merged(context) ?? context.fetch(descriptor)
            defer { (known, token) = (next, head) }
            return token == nil || next != known
        }
    }

    /// The list after the changes since the last one; nil where it must be fetched.
    private func merged(_ context: QuakeContext) throws -> [StoredQuake]? {
        guard let token, try context.history.fault(of: token) == nil,
            try context.history.changeCount(after: token.number) <= FollowedList.mostChanges
        else { return nil }
        var history = HistoryDescriptor(start: .token(token))
        history.filter = descriptor.filter
        history.isCoalesced = true
        var update = QuakeListUpdate()
        try context.history.fetch(history, resyncs: false) { update.add($0) }
        return update.merged(into: known, fetchedBy: descriptor)
    }
}
