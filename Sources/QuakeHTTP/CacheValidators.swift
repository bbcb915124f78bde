/// The header fields (ETag and Last-Modified) by which a server identifies a version of a document, so that it need not
/// send that version again. A field of more than 1 KiB is dropped, because servers reject requests with large headers.
package struct CacheValidators: Hashable, Sendable {
    /// The ETag as received, including quotes and `W/`.
    package var etag: String?
    package var lastModified: String?

    private static let maximumBytes = 1024

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag.flatMap { $0.utf8.count > Self.maximumBytes ? nil : $0 }
        self.lastModified = lastModified.flatMap { $0.utf8.count > Self.maximumBytes ? nil : $0 }
    }

    /// Reads the validators from a response's header fields, whose names are in lower case.
    package init(responseHeaders headers: [String: String]) {
        self.init(etag: headers["etag"], lastModified: headers["last-modified"])
    }

    /// Whether there is neither an ETag nor a date.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The header fields that make a request conditional.
    package var requestHeaders: [String: String] {
        ["If-None-Match": etag, "If-Modified-Since": lastModified].compactMapValues(\.self)
    }

    /// Adds missing validators from `earlier`, because a 304 response need not repeat them.
    package func completed(from earlier: CacheValidators) -> CacheValidators {
        CacheValidators(etag: etag ?? earlier.etag, lastModified: lastModified ?? earlier.lastModified)
    }
}
