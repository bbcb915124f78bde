/// A cache's records of its sources: requested feeds, the coverage of complete documents, and unconfirmed changes.
///
/// Feeds and unconfirmed changes are always the current ones, even in a pinned context.
package struct StoreSources {
    let session: StoreSession
}
