public import FoundationEssentials

/// The part of a response before the body.
package struct TransportResponseHead: Hashable, Sendable, Codable {
    package var status: Int
    package var headers: [String: String]
    package var url: String

    /// Creates a head, converting the names of `headers` to lower case.
    package init(status: Int, headers: [String: String], url: String) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.url = url
    }

    /// The length of the body; nil if the server has not announced it or compresses the body.
    package var announcedBodyLength: Int? {
        guard ["", "identity"].contains(headers["content-encoding"]?.lowercased() ?? "") else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }
}

public struct TransportResponse: Sendable {
    /// The status, header fields and final URL.
    package var head: TransportResponseHead
    /// The decoded body. A large body may be mapped from a temporary file that has already been deleted.
    public var body: Data

    package init(head: TransportResponseHead, body: Data) { (self.head, self.body) = (head, body) }

    /// Creates a response, converting the names in `headers` to lowercase.
    public init(status: Int, headers: [String: String] = [:], url: String, body: Data) {
        self.init(head: TransportResponseHead(status: status, headers: headers, url: url), body: body)
    }

    public var status: Int { head.status }
    public var headers: [String: String] { head.headers }
    public var url: String { head.url }
}

/// The fields by which a server identifies a version of a document, so that it need not send that version again.
package struct CacheValidators: Hashable, Sendable {
    /// The ETag as received, including quotes and `W/`.
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        (self.etag, self.lastModified) = (etag, lastModified)
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
