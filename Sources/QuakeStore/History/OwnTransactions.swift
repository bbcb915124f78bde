import QuakeModel
import Synchronization

/// The transactions that a context made, so that a reader on another thread can tell them from those of others.
///
/// A token names a transaction before it is committed: a reader that sees the commit finds it here. One that is rolled
/// back does no harm: the next one with its number has another fingerprint (decision 0069).
final class OwnTransactions: Sendable {
    private let made = Mutex<Set<HistoryToken>>([])

    /// The tokens of all of them.
    var tokens: Set<HistoryToken> { made.withLock { $0 } }

    func add(_ token: HistoryToken) {
        made.withLock { _ = $0.insert(token) }
    }
}
