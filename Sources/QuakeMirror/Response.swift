/// A document received from a source.
struct Response {
    var document: FeedSnapshot
    /// The request that returned the document; for a file, the address given in the document, or else the file's path.
    var address: String
    /// The validators for the next conditional request.
    var validators = CacheValidators()
    /// When the document was made, according to itself or to the server.
    var published: Timestamp
    var asked: Timestamp

    /// The moment as of which the document reflects the source's data: the earlier of the two clock readings.
    var asOf: Timestamp { min(published, asked) }
}
