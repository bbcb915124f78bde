public import Observation

/// A list of quakes for a user interface, which follows the cache: what `@Query` is in SwiftData.
///
/// ```swift
/// let list = QuakeList(matching: QuakeDescriptor(sort: .magnitude, limit: 20), in: cache)
/// Task { try await list.follow() }
/// ```
///
/// The list belongs to the actor that made it, such as the main actor, and is changed there only. It is made as
/// ``QuakeLists`` makes it.
@Observable
public final class QuakeList {
    /// The quakes, in the order of the descriptor; empty until ``follow(isolation:)`` has read them.
    public private(set) var quakes: [StoredQuake] = []
    /// The local key of a quake that somebody chose. It stays the same when the quake is renamed or leaves the list,
    /// and becomes that of the surviving quake when it is merged into another.
    public var selection: QuakeKey?

    @ObservationIgnored private let cache: QuakeCache
    @ObservationIgnored private let descriptor: QuakeDescriptor
    @ObservationIgnored private let interval: Duration

    /// A list of what `descriptor` fetches.
    ///
    /// - Parameters:
    ///   - descriptor: which quakes, in which order, and how many. With ``/QuakeModel/QuakeDescriptor/includesPending`` the
    ///     list throws ``StoreError/contextState(_:)``: what is pending in a context is not seen.
    ///   - cache: where they are read.
    ///   - interval: how often to look for commits, and so the longest delay of one.
    public init(
        matching descriptor: QuakeDescriptor = QuakeDescriptor(), in cache: QuakeCache,
        every interval: Duration = .milliseconds(200)
    ) {
        (self.cache, self.descriptor, self.interval) = (cache, descriptor, interval)
    }

    /// The selected quake, if it is in the list.
    public var selectedQuake: StoredQuake? { selection.flatMap { key in quakes.first { $0.key == key } } }

    /// Reads the quakes, and again whenever any process changes them, until the task is canceled.
    ///
    /// - Parameter isolation: the actor to which the list belongs; by default that of the caller.
    /// - Throws: ``StoreError`` when the cache cannot be read, and for a descriptor that asks for what is pending.
    public func follow(isolation: isolated (any Actor)? = #isolation) async throws {
        for try await quakes in cache.quakes(matching: descriptor, every: interval) {
            if let chosen = selection, !quakes.contains(where: { $0.key == chosen }),
                let survivor = try await cache.read({ try $0.quake(forKey: chosen)?.key }), selection == chosen
            {
                selection = survivor
            }
            self.quakes = quakes
        }
    }
}
