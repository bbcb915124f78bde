/// What a server sent to identify a version of a document, so that it need not send the same version again.
package struct CacheValidators: Hashable, Sendable {
    /// The ETag, as sent, quotes and `W/` included.
    package var etag: String?
    /// Last-Modified, as sent.
    package var lastModified: String?

    /// Validators as stored earlier.
    package init(etag: String? = nil, lastModified: String? = nil) {
        (self.etag, self.lastModified) = (etag, lastModified)
    }

    /// The validators among the header fields of an answer, whose names are in lower case.
    package init(responseHeaders headers: [String: String]) {
        self.init(etag: headers["etag"], lastModified: headers["last-modified"])
    }

    /// Whether there is neither an ETag nor a date.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The header fields that make a request conditional.
    package var requestHeaders: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = etag
        headers["If-Modified-Since"] = lastModified
        return headers
    }

    /// These validators, completed from `earlier`: a 304 need not repeat them.
    package func completed(from earlier: CacheValidators) -> CacheValidators {
        CacheValidators(etag: etag ?? earlier.etag, lastModified: lastModified ?? earlier.lastModified)
    }
}
