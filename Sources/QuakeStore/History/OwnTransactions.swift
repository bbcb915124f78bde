import Synchronization

/// The transactions that a context committed, so that a reader on another thread can tell them from the transactions of
/// other contexts.
///
/// A transaction's token is added before the commit, so a reader that sees the commit finds the token here. The token
/// of a rolled-back transaction is harmless: the next transaction with this number has another fingerprint.
final class OwnTransactions: Sendable {
    private struct Commit {
        var fingerprints: [TransactionNumber: UInt32] = [:]
        var floor = TransactionNumber.zero
    }

    private let commits = Mutex(Commit())

    /// Whether the context committed the transaction that `token` identifies.
    func contains(_ token: HistoryToken) -> Bool {
        commits.withLock { $0.fingerprints[token.number] == token.fingerprint }
    }

    /// Adds a transaction, and removes the transactions up to `floor`.
    func add(_ token: HistoryToken, floor: TransactionNumber) {
        commits.withLock { made in
            if floor > made.floor {
                made.floor = floor
                made.fingerprints = made.fingerprints.filter { $0.key > floor }
            }
            made.fingerprints[token.number] = token.fingerprint
        }
    }
}
