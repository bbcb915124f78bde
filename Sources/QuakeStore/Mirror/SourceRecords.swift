/// A cache's records of its sources: requested feeds, the coverage by complete documents, and unconfirmed changes.
///
/// Even in a pinned context, the records of feeds and unconfirmed changes are the current ones.
package struct SourceRecords {
    let session: StoreSession

    /// Returns a number that changes whenever another program, or another context, changes the cache.
    package func version() throws -> Int64? { try session.connection.integer("PRAGMA data_version") }
}
