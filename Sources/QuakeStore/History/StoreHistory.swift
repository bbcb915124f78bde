/// The history of a cache as one context sees it: every change to every quake, grouped into transactions.
///
/// In a pinned context, the history ends at the pinned generation. The list of consumers is always current.
public struct StoreHistory {
    let session: StoreSession
}
