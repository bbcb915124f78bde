/// What a server gave to recognise a body by, so that it need not send it again.
public struct CacheValidators: Hashable, Sendable {
    /// The ETag, as sent, quotes and `W/` included.
    public var etag: String?
    /// Last-Modified, as sent.
    public var lastModified: String?

    /// Validators as stored earlier.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The validators among the header fields of an answer, whose names are in lower case.
    public init(responseHeaders headers: [String: String]) {
        self.init(etag: headers["etag"], lastModified: headers["last-modified"])
    }

    /// Whether there is nothing to recognise a body by.
    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The header fields that make a request conditional.
    public var requestHeaders: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = etag
        headers["If-Modified-Since"] = lastModified
        return headers
    }

    /// These validators, or where they are missing those of `earlier`: a 304 need not repeat them.
    public func completed(from earlier: CacheValidators) -> CacheValidators {
        CacheValidators(etag: etag ?? earlier.etag, lastModified: lastModified ?? earlier.lastModified)
    }
}
