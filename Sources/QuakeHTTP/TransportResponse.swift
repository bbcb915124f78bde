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
        guard encodings.isEmpty else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }

    /// The compression methods of the body, in lowercase, in the order in which they were applied.
    private var encodings: [String] {
        ["content-encoding", "transfer-encoding"].compactMap { headers[$0] }
            .flatMap { $0.lowercased().split { ", \t".contains($0) } }.map(String.init)
            .filter { !["identity", "chunked"].contains($0) }
    }

    /// Throws if the body is compressed with anything but gzip, the only method that requests ask for, or more than
    /// once. libcurl decodes up to five methods in a row, each of which may take 128 MB of memory.
    package func requireKnownEncoding() throws(TransportError) {
        let encodings = encodings
        guard encodings.isEmpty || encodings == ["gzip"] || encodings == ["x-gzip"] else {
            let names = String(encodings.joined(separator: ", ").prefix(100))
            throw TransportError(
                .unusableResponse,
                "The response from \(TransportRequest.host(of: url)) was rejected: it is compressed with \(names), but "
                    + "only gzip was requested.")
        }
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

/// The fields by which a server identifies a version of a document, so that it need not send that version again. A
/// field of more than 1 KiB is dropped, because servers reject requests with large headers.
package struct CacheValidators: Hashable, Sendable {
    /// The ETag as received, including quotes and `W/`.
    package var etag: String?
    package var lastModified: String?

    private static let largest = 1024

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag.flatMap { $0.utf8.count > Self.largest ? nil : $0 }
        self.lastModified = lastModified.flatMap { $0.utf8.count > Self.largest ? nil : $0 }
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
