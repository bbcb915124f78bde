/// A document received from a source.
struct Response {
    var document: FeedSnapshot
    /// The address of the request; for a file, the address given in the document, or else the file's path.
    var address: String
    /// The validators for the next conditional request.
    var validators = CacheValidators()
    /// The time at which the document was made, according to the document or the server. It is shown, and the period of
    /// a feed ends there.
    var published: Timestamp
    /// The time by which documents are ordered (rule 10) and as of which they reflect the source's data. A document is
    /// never newer than the response that brought it.
    var sourceTime: Timestamp
    /// The origin times that the document covers, if it is a summary feed.
    var window: ClosedRange<Timestamp>? {
        document.feed.map { published - $0.period.window...published }
    }

    /// - Parameters:
    ///   - date: the time of the response by the server's clock; nil for a file, or if the server gave none.
    ///   - now: the time by this machine's clock.
    init(
        document: FeedSnapshot, address: String, validators: CacheValidators = CacheValidators(), date: Timestamp?,
        now: Timestamp
    ) {
        self.document = document
        self.address = address
        self.validators = validators
        let received = date ?? now
        published = document.envelope.generated ?? received
        sourceTime = min(published, received)
    }
}
