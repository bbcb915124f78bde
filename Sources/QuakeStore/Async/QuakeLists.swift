public import FoundationEssentials
import Synchronization

/// A list of quakes that follows the cache: an endless sequence of what a descriptor fetches, each time that changes.
///
/// ```swift
/// for try await quakes in cache.quakes(matching: QuakeDescriptor(sort: .magnitude, limit: 10)) {
///     show(quakes)
/// }
/// ```
///
/// The first list comes at once, the next one when any process has committed a change of it. Commits that come while a
/// list is being used are together in the next one. Each list is fetched anew after a commit, and passed on if it is
/// another one: ``ListChanges`` tells how.
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
    ///     list throws ``StoreError/contextState(_:)``: what is pending in a context is not seen.
    ///   - predicate: what the quakes must also fulfill.
    ///   - interval: how often to look for commits, and so the longest delay of one.
    public func quakes(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil,
        every interval: Duration = .milliseconds(200)
    ) -> QuakeLists {
        quakes(answering: ListQuestion(descriptor, where: predicate), every: interval)
    }

    func quakes(answering question: ListQuestion, every interval: Duration) -> QuakeLists {
        QuakeLists { ListReader(self, question, every: interval) }
    }
}

/// What a list asks for, which may change while it is followed.
final class ListQuestion: Sendable {
    struct Form {
        var descriptor: QuakeDescriptor
        var predicate: Predicate<Quake>?
        /// Another one for each form.
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

/// How a list became another one, by the local keys of its quakes.
public struct ListChanges: Hashable, Sendable {
    /// Quakes that came into the list, in its order.
    public let inserted: [QuakeKey]
    /// Quakes that have other values, in the order of the list.
    public let updated: [QuakeKey]
    /// Quakes that left the list.
    public let removed: [QuakeKey]

    /// What leads from one list to the other.
    public init(from old: [StoredQuake], to new: [StoredQuake]) {
        let before = Dictionary(old.map { ($0.key, $0.quake) }) { first, _ in first }
        let kept = Set(new.map(\.key))
        inserted = new.map(\.key).filter { before[$0] == nil }
        updated = new.filter { stored in before[stored.key].map { $0 != stored.quake } ?? false }.map(\.key)
        removed = old.map(\.key).filter { !kept.contains($0) }
    }
}

/// Reads the lists of one iterator, on a connection that it alone uses.
private actor ListReader {
    private let interval: Duration
    private let question: ListQuestion
    private let follower: HistoryFollower
    /// The last list, the place in the history where it was read, and the number of its question.
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
                throw StoreError.contextState("a list that follows the cache with what is pending in a context")
            }
            if let quakes = try follower.news(orElse: form.number != last?.number, { try read(form, in: $0) }) {
                return quakes
            }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    /// The quakes that `context` sees; nil if they are those of the last list.
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
