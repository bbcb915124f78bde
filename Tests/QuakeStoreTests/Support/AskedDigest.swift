import Synchronization

/// Counts how often a digest was asked for.
final class AskedDigest: Sendable {
    private let asked = Mutex(0)

    var count: Int { asked.withLock { $0 } }

    func answer() -> String {
        asked.withLock { $0 += 1 }
        return "digest"
    }
}
