/// A document that came.
struct Response {
    var document: FeedSnapshot
    /// The request that it answers; of a file, the address that it names, or its path.
    var address: String
    /// What recognizes the document the next time.
    var validators = CacheValidators()
    /// When it was made, as the document or the server says.
    var published: Timestamp
    var asked: Timestamp

    /// What the source published before this moment is in the document: the earlier one of both clocks.
    var asOf: Timestamp { min(published, asked) }
}
