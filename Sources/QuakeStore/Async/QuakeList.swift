public import Observation

/// A list of quakes for a user interface, which follows the cache as `@Query` does in SwiftData.
///
/// ```swift
/// let list = QuakeList(cache, descriptor: QuakeDescriptor(sortBy: .magnitude, limit: 20))
/// Task { try await list.follow() }
/// ```
///
/// The list belongs to the actor that created it, such as the main actor, and changes only on that actor.
@Observable
public final class QuakeList {
    /// The quakes in the descriptor's order; empty until ``follow(isolation:)`` has read them.
    public private(set) var quakes: [StoredQuake] = []
    /// The local key of the selected quake. The selection stays the same if the quake gets another id or leaves the
    /// list. If the quake is merged into another one, the selection becomes the key of the surviving quake.
    public var selection: QuakeKey?
    /// The selection, order and limit of the quakes. A new value takes effect at the next check for commits.
    public var descriptor: QuakeDescriptor { didSet { query.change(to: descriptor) } }

    @ObservationIgnored private let cache: QuakeCache
    @ObservationIgnored private let query: ListQuery
    @ObservationIgnored private let interval: Duration

    /// Creates a list of the quakes that `descriptor` requests.
    ///
    /// - Parameters:
    ///   - cache: the cache to read.
    ///   - descriptor: the selection, order and limit of the quakes.
    ///   - interval: the time between checks for commits, at least 50 milliseconds, and thus the maximum delay.
    public init(
        _ cache: QuakeCache, descriptor: QuakeDescriptor = QuakeDescriptor(),
        every interval: Duration = .milliseconds(200)
    ) {
        self.descriptor = descriptor
        self.cache = cache
        self.interval = interval
        query = ListQuery(descriptor)
    }

    /// The selected quake, if it is in the list.
    public var selectedQuake: StoredQuake? { selection.flatMap { key in quakes.first { $0.key == key } } }

    /// Keeps the list up to date with changes by any process, until the task is canceled.
    ///
    /// - Parameter isolation: the actor to which the list belongs; the caller's by default.
    /// - Throws: ``StoreError`` if the cache cannot be read.
    public func follow(isolation: isolated (any Actor)? = #isolation) async throws {
        for try await quakes in cache.quakes(answering: query, every: interval) {
            if let chosen = selection, !quakes.contains(where: { $0.key == chosen }),
                let survivor = try await cache.read({ try $0.quake(key: chosen)?.key }), selection == chosen
            {
                selection = survivor
            }
            self.quakes = quakes
        }
    }
}
