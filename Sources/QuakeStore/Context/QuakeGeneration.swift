/// A state of the cache to which a context can be pinned.
public enum QuakeGeneration {
    /// The newest state.
    case current
    /// The state right after the transaction that a token identifies.
    case token(HistoryToken)
    /// The state after the last transaction committed at or before a given time.
    case committed(Timestamp)
    /// The state that USGS had published by a given time, according to the applied snapshots.
    ///
    /// If snapshots were applied in order of publication, this is the state after the last snapshot published by then.
    /// Otherwise, each quake has the state before its first change that was published later. A transaction without a
    /// snapshot, such as a purge, counts as published at the same time as the newest snapshot before it.
    case published(Timestamp)
    /// The state that another context of the same cache reads, so that both read the same. If that context is pinned,
    /// both contexts share its generation. For a context of another cache, pinning throws ``StoreError/token(_:)`` with
    /// ``/QuakeModel/TokenFault/foreign``.
    case of(QuakeContext)
    /// A generation returned by ``QuakeContext/generation()`` of any context of the same cache.
    case held(HeldGeneration)
}
