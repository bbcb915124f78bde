public import FoundationEssentials
import QuakeModel

/// Sends one GET at a time; the caller waits. A mirror calls it on a thread that nothing else needs.
///
/// A transport follows redirects, but never from https to http, and decodes compressed bodies. An answer with any
/// status is returned; an error means that there was no answer.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole answer.
    func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse

    /// The same for a caller that wants to know how much has come, and may stop waiting. A transport without this
    /// method is waited for until its request ends.
    ///
    /// - Throws: ``TransportError/interrupted`` soon after `monitor` was cancelled.
    func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse
}

extension HTTPTransport {
    /// Sends `request` and waits for the whole answer, whatever `monitor` says meanwhile.
    public func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse {
        let response = try get(request)
        monitor.report(DownloadProgress(received: response.body.count))
        return response
    }
}

/// A GET request.
public struct HTTPRequest: Hashable, Sendable {
    /// 256 MiB: the largest feed has 10 MB, the event service's largest answer about 15 MB.
    public static let defaultBodyLimit = 256 << 20

    /// The address, http or https.
    public var url: String
    /// Header fields to send, by name.
    public var headers: [String: String]
    /// The longest time the whole request may take, from resolving the host's name to the last byte of the body.
    public var deadline: Duration
    /// The largest body allowed, in bytes after decoding.
    public var bodyLimit: Int

    /// A request for `url`.
    public init(
        url: String, headers: [String: String] = [:], deadline: Duration, bodyLimit: Int = HTTPRequest.defaultBodyLimit
    ) {
        self.url = url
        self.headers = headers
        self.deadline = deadline
        self.bodyLimit = bodyLimit
    }

    /// ``deadline`` in seconds.
    package var deadlineSeconds: Double { deadline / .seconds(1) }

    /// The host of ``url``, for messages.
    public var host: String { HTTPRequest.host(of: url) }

    /// The host that `url` names, in lower case and without a port; all of `url` but what gives access
    /// (``/QuakeModel/WebAddress``) when it names none.
    public static func host(of url: String) -> String {
        URL(string: url)?.host().map { $0.lowercased() } ?? WebAddress.redacted(url)
    }
}

/// What a server sent before the body.
public struct HTTPResponseHead: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, their names in lower case.
    public var headers: [String: String]
    /// The address that answered, after all redirects.
    public var url: String

    /// A head; the names of `headers` are converted to lower case.
    public init(status: Int, headers: [String: String], url: String) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.url = url
    }

    /// The length of the body, if the server announced it and does not compress the body.
    package var announcedBodyLength: Int? {
        guard ["", "identity"].contains(headers["content-encoding"]?.lowercased() ?? "") else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }
}

/// A server's answer.
public struct HTTPResponse: Sendable {
    /// Status, header fields and final address.
    public var head: HTTPResponseHead
    /// The decoded body. A large one may be a mapped file that has no name any more.
    public var body: Data

    /// A response.
    public init(head: HTTPResponseHead, body: Data) {
        self.head = head
        self.body = body
    }

    /// The status code.
    public var status: Int { head.status }
    /// The header fields, their names in lower case.
    public var headers: [String: String] { head.headers }
    /// The address that answered, after all redirects.
    public var url: String { head.url }
}

/// What a server sent to identify a version of a document, so that it need not send the same version again.
package struct CacheValidators: Hashable, Sendable {
    /// The ETag, as sent, quotes and `W/` included.
    package var etag: String?
    /// Last-Modified, as sent.
    package var lastModified: String?

    /// Validators as stored earlier.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
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

/// Why there is no answer. `cause` is what the system reported.
public enum TransportError: Error, Hashable, Sendable, Codable {
    /// The address is not an http or https URL with a host.
    case unsupportedURL(String)
    /// The host is given as an IPv6 number, which the transport cannot use.
    case hostIsIPv6Number(String)
    case nameNotResolved(host: String, cause: String)
    case cannotConnect(host: String, cause: String)
    /// The TLS handshake failed, or the certificate is not trusted.
    case secureConnectionFailed(host: String, cause: String)
    /// The connection ended before an answer began.
    case connectionLost(host: String, cause: String)
    /// A proxy refused to connect to the host.
    case proxyRefused(host: String, cause: String)
    /// The answer is not HTTP.
    case notHTTP(host: String, cause: String)
    /// The whole request took longer than its deadline.
    case deadlineExceeded(seconds: Double)
    /// The body has more bytes than the request allows.
    case bodyTooLarge(limit: Int)
    /// The body came in so many tiny pieces that nobody means it: `pieces` of `received` bytes in all.
    case bodyTooFragmented(pieces: Int, received: Int)
    /// The connection ended, or broke, before the end of the body. `received` counts decoded bytes.
    case bodyTruncated(received: Int, cause: String)
    /// A redirect from https to http, or to another scheme than these.
    case redirectRefused(from: String, to: String)
    /// A redirect to an address that cannot be asked, such as one with a port that does not exist.
    case redirectUnusable(from: String, to: String)
    case tooManyRedirects(limit: Int)
    /// The helper was told to stop, or nobody was reading its answer any more.
    case interrupted
    /// There is no download helper at any of these paths.
    case helperMissing(searched: [String])
    /// A signal ended the download helper. `host` was asked if the helper had no answer yet: what broke it is probably
    /// what came from there. `detail` is the first line that the helper wrote about it.
    case helperCrashed(signal: Int, host: String?, detail: String)
    /// The download helper could not be started, or sent something unexpected.
    case helperFailed(status: Int, detail: String)
    /// A large body could not be stored in `directory`.
    case spoolFailed(directory: String, cause: String)
}
