public import QuakeModel

/// A state of the cache that a context can be pinned to.
public enum QuakeGeneration {
    /// The newest state at the time of the next read.
    case current
    /// The state right after the transaction a token names.
    case token(HistoryToken)
    /// The state after the last transaction made at or before a moment.
    case moment(Timestamp)
    /// The state another context of the same store reads, so that both agree.
    case of(QuakeContext)
}

/// Which generation the reads of a context see.
enum Pin {
    /// Each read sees what is newest.
    case none
    /// From the next read on that of a token, or the newest one then.
    case waiting(HistoryToken?)
    /// One generation, in a read transaction that stays open.
    case held(HeldGeneration)
}

/// A generation that is held by an open read transaction.
///
/// Need: a state that does not move while other processes write, purge and checkpoint. SQLite on Linux is built without
/// WAL snapshots. Choice: the context's own connection keeps a read transaction open, which keeps the newest state
/// of that moment with all its history; an older state is made of it by a ``PastOverlay``. Price: while it is held the
/// write-ahead log cannot shrink, and nothing can be written on the same connection.
struct HeldGeneration {
    /// The last transaction it contains.
    var token: HistoryToken
    /// Whether quakes changed between that transaction and what the read transaction sees.
    var isPast: Bool
    /// Whether the overlay is there.
    var hasOverlay = false
}
