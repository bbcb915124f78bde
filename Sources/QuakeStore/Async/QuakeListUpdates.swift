public import FoundationEssentials
import Synchronization

/// An endless sequence of lists of the quakes that a descriptor requests, with a new list each time the result changes.
///
/// ```swift
/// for try await quakes in cache.quakes(matching: QuakeDescriptor(sort: .magnitude, limit: 10)) {
///     show(quakes)
/// }
/// ```
///
/// The first list is available at once. After each commit by any process, the list is fetched again, and delivered if
/// it differs. Commits made while a list is in use are combined in the next list. ``ListChanges`` describes the
/// differences between two lists.
///
/// Each iterator has its own connection and thread, and keeps its newest list in memory. It waits for a cache that does
/// not exist yet, and ends when its task is canceled.
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
    ///   - descriptor: the selection, order and limit of the quakes. The lists never include pending changes.
    ///   - predicate: a further condition on the quakes.
    ///   - interval: the time between checks for commits, and thus the maximum delay.
    public func quakes(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil,
        every interval: Duration = .milliseconds(200)
    ) -> QuakeListUpdates {
        quakes(answering: ListQuestion(descriptor, where: predicate), every: interval)
    }

    func quakes(answering question: ListQuestion, every interval: Duration) -> QuakeListUpdates {
        QuakeListUpdates { ListReader(self, question, every: interval) }
    }
}

/// The query of a list, which may change while the list is followed.
final class ListQuestion: Sendable {
    struct Form {
        var descriptor: QuakeDescriptor
        var predicate: Predicate<Quake>?
        /// Incremented with each change of the query.
        var number = 0
    }

    private let kept: Mutex<Form>

    init(_ descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?) {
        kept = Mutex(Form(descriptor: descriptor, predicate: predicate))
    }

    var form: Form { kept.withLock { $0 } }

    func change(to descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?) {
        kept.withLock { $0 = Form(descriptor: descriptor, predicate: predicate, number: $0.number + 1) }
    }
}

/// The differences between two lists of quakes, as the quakes' local keys.
public struct ListChanges: Hashable, Sendable {
    /// Quakes added to the list, in the order of the list.
    public let inserted: [QuakeKey]
    /// Quakes whose values changed, in the order of the list.
    public let updated: [QuakeKey]
    /// Quakes that left the list.
    public let removed: [QuakeKey]

    public init(from old: [StoredQuake], to new: [StoredQuake]) {
        let before = Dictionary(old.map { ($0.key, $0.quake) }) { first, _ in first }
        let kept = Set(new.map(\.key))
        inserted = new.map(\.key).filter { before[$0] == nil }
        updated = new.filter { stored in before[stored.key].map { $0 != stored.quake } ?? false }.map(\.key)
        removed = old.map(\.key).filter { !kept.contains($0) }
    }
}

/// Reads the lists of one iterator, on the iterator's own connection.
private actor ListReader {
    private let interval: Duration
    private let question: ListQuestion
    private let follower: HistoryFollower
    /// The last list, the position in the history at which it was read, and the number of its query.
    private var last: (quakes: [StoredQuake], token: HistoryToken, number: Int)?
    private let executor = CacheExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ question: ListQuestion, every interval: Duration) {
        (self.question, self.interval) = (question, interval)
        follower = HistoryFollower(cache, patience: nil)
    }

    func next() async throws -> [StoredQuake]? {
        while !Task.isCancelled {
            let form = question.form
            if form.descriptor.includesPending {
                throw StoreError.contextState("pending changes in a list that follows the cache")
            }
            if let quakes = try follower.news(orElse: form.number != last?.number, { try read(form, in: $0) }) {
                return quakes
            }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    /// Returns the quakes that `context` sees; nil if the list has not changed.
    private func read(_ form: ListQuestion.Form, in context: QuakeContext) throws -> [StoredQuake]? {
        try context.snapshot {
            let head = try context.history.head()
            guard head != last?.token || form.number != last?.number else { return nil }
            let quakes = try context.fetch(form.descriptor, where: form.predicate)
            defer { last = (quakes, head, form.number) }
            return quakes == last?.quakes ? nil : quakes
        }
    }
}
