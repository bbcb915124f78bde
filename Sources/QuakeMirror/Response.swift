/// A document received from a source.
struct Response {
    var document: FeedSnapshot
    /// The address of the request; for a file, the address given in the document, or else the file's path.
    var address: String
    /// The validators for the next conditional request.
    var validators = CacheValidators()
    /// The time at which the document was made, according to the document or the server.
    var published: Timestamp
    var asked: Timestamp

    /// The time as of which the document reflects the source's data: when it was published or requested, whichever is
    /// earlier.
    var asOf: Timestamp { min(published, asked) }
}
