/// An endless sequence of lists of the quakes that a descriptor requests, with a new list each time the result changes.
///
/// ```swift
/// for try await quakes in cache.quakes(matching: QuakeDescriptor(sortBy: .magnitude, limit: 10)) {
///     show(quakes)
/// }
/// ```
///
/// The first list is delivered as soon as the cache can be read. After each commit by any process, the list is fetched
/// again, and delivered if it has changed. Commits made while a list is in use are combined in the next list.
/// ``ListChanges`` describes the differences between two lists.
///
/// Each iterator has its own connection and thread, and keeps its newest list in memory. The iterator waits for a cache
/// that does not exist yet, and ends when its task is canceled.
public struct QuakeListUpdates: AsyncSequence, Sendable {
    fileprivate let makeReader: @Sendable () -> ListReader

    public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: ListReader

        /// Returns the next list; nil if the task was canceled.
        public mutating func next() async throws -> [StoredQuake]? { try await reader.next() }
    }
}

extension QuakeCache {
    /// Returns the quakes that `descriptor` requests, as a new list each time any process changes the result.
    ///
    /// - Parameters:
    ///   - descriptor: the selection, order and limit of the quakes.
    ///   - interval: the time between checks for commits, at least 50 milliseconds, and thus the maximum delay.
    public func quakes(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), every interval: Duration = .milliseconds(200)
    ) -> QuakeListUpdates {
        quakes(answering: ListQuery(descriptor), every: interval)
    }

    func quakes(answering query: ListQuery, every interval: Duration) -> QuakeListUpdates {
        QuakeListUpdates { ListReader(self, query, every: interval) }
    }
}
