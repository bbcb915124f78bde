import Foundation
import QuakeStore
import QuakeTestSupport

/// A cache in a scratch directory, and a clock that moves when told.
struct Scenario {
    let store: QuakeCache

    init(_ directory: ScratchDirectory, now: @escaping @Sendable () -> Timestamp = { Timestamp.now }) {
        store = QuakeCache(path: directory.path("quakes.db"), configuration: StoreConfiguration(now: now))
    }

    /// Returns a context that creates the cache if there is none.
    func context(author: String = "test") throws -> QuakeContext {
        try store.context(author: author, access: .creating)
    }

    /// Returns a quake with this code and magnitude; all other values follow from these.
    static func quake(_ code: String, mag: Double? = 4, net: String = "us", place: String? = "somewhere") -> Quake {
        Quake(
            sample: net + code, time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(code.count)),
            updated: Timestamp(milliseconds: 1_700_000_001_000), magnitude: mag, place: place)
    }
}

extension QuakeContext {
    /// Returns every quake by its key.
    func contents(_ filter: QuakeFilter = QuakeFilter()) throws -> [QuakeKey: Quake] {
        Dictionary(uniqueKeysWithValues: try fetch(QuakeDescriptor(filter: filter)).map { ($0.key, $0.quake) })
    }
}
