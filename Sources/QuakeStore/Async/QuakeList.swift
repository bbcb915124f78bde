public import FoundationEssentials
public import Observation

/// A list of quakes for a user interface, which follows the cache as `@Query` does in SwiftData.
///
/// ```swift
/// let list = QuakeList(matching: QuakeDescriptor(sort: .magnitude, limit: 20), in: cache)
/// Task { try await list.follow() }
/// ```
///
/// The list belongs to the actor that created it, such as the main actor, and changes only there. ``QuakeListUpdates``
/// describes when a list changes.
@Observable
public final class QuakeList {
    /// The quakes in the descriptor's order; empty until ``follow(isolation:)`` has read them.
    public private(set) var quakes: [StoredQuake] = []
    /// The local key of the selected quake. It stays the same when the quake is renamed or leaves the list, and becomes
    /// the surviving quake's key when the quake is merged into another.
    public var selection: QuakeKey?
    /// Which quakes, in which order, and how many. Another one is followed as soon as the cache is looked at again.
    public var descriptor: QuakeDescriptor {
        didSet { question.change(to: descriptor, where: predicate) }
    }
    /// What the quakes must also fulfill. Another one is followed as soon as the cache is looked at again.
    public var predicate: Predicate<Quake>? {
        didSet { question.change(to: descriptor, where: predicate) }
    }

    @ObservationIgnored private let cache: QuakeCache
    @ObservationIgnored private let question: ListQuestion
    @ObservationIgnored private let interval: Duration

    /// A list of what `descriptor` fetches.
    ///
    /// - Parameters:
    ///   - descriptor: which quakes, in which order, and how many. With ``/QuakeModel/QuakeDescriptor/includesPending`` the
    ///     list throws ``StoreError/contextState(_:)``: what is pending in a context is not seen.
    ///   - predicate: what the quakes must also fulfill.
    ///   - cache: where they are read.
    ///   - interval: how often to look for commits, and so the longest delay of one.
    public init(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), where predicate: Predicate<Quake>? = nil,
        in cache: QuakeCache, every interval: Duration = .milliseconds(200)
    ) {
        (self.descriptor, self.predicate) = (descriptor, predicate)
        (self.cache, self.interval) = (cache, interval)
        question = ListQuestion(descriptor, where: predicate)
    }

    /// The selected quake, if it is in the list.
    public var selectedQuake: StoredQuake? { selection.flatMap { key in quakes.first { $0.key == key } } }

    /// Reads the quakes now and whenever any process changes them, until the task is canceled.
    ///
    /// - Parameter isolation: the actor to which the list belongs; the caller's by default.
    /// - Throws: ``StoreError`` if the cache cannot be read or the descriptor requests pending changes.
    public func follow(isolation: isolated (any Actor)? = #isolation) async throws {
        for try await quakes in cache.quakes(answering: question, every: interval) {
            if let chosen = selection, !quakes.contains(where: { $0.key == chosen }),
                let survivor = try await cache.read({ try $0.quake(forKey: chosen)?.key }), selection == chosen
            {
                selection = survivor
            }
            self.quakes = quakes
        }
    }
}
