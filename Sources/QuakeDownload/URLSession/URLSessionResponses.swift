import Foundation
import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportResponseHead {
    init(_ response: HTTPURLResponse, requested: String) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name] = value
        }
        self.init(status: response.statusCode, headers: headers, url: response.url?.absoluteString ?? requested)
    }
}

extension HTTPURLResponse {
    /// The target of a redirect that URLSession did not offer to follow.
    var unfollowedLocation: String? {
        guard [301, 302, 303, 307, 308].contains(statusCode) else { return nil }
        return value(forHTTPHeaderField: "Location")
    }
}

/// Decides which redirects to follow: to any host, but never from https to http or to another scheme. Also prepares the
/// new request: user and password are only sent to the server for which they were given.
struct RedirectRule {
    /// The number of redirects followed so far.
    private(set) var count = 0
    private(set) var last: (from: String, to: String)?

    /// Counts the redirect to the URL of `request`, and returns the request to send. Throws if the redirect is refused.
    mutating func follow(_ response: HTTPURLResponse, to request: URLRequest) throws(TransportError) -> URLRequest {
        let location = response.value(forHTTPHeaderField: "Location")
        var request = request
        let target = try follow(from: response.url, location: location, to: request.url)
        if target.user() == nil { request.setValue(nil, forHTTPHeaderField: "Authorization") }
        request.url = target
        return request
    }

    /// Counts the redirect from `origin` to `target` and returns the URL to request. Throws if the redirect is refused.
    ///
    /// `location` is also checked, because FoundationNetworking turns `file:///etc/passwd` into an http URL.
    mutating func follow(from origin: URL?, location: String?, to target: URL?) throws(TransportError) -> URL {
        let named = location.flatMap { URL(string: $0) }
        let leavesHTTP = named.map { $0.scheme != nil && !$0.hasHTTPScheme } ?? false
        let isDowngrade = origin?.scheme?.lowercased() == "https" && target?.scheme?.lowercased() != "https"
        guard let target, target.hasHTTPScheme, !isDowngrade, !leavesHTTP else {
            throw .redirectRefused(from: origin?.absoluteString ?? "", to: location ?? target?.absoluteString ?? "")
        }
        count += 1
        last = (origin?.absoluteString ?? "", target.absoluteString)
        guard count <= URLSessionDownload.redirectLimit else {
            throw Self.tooMany
        }
        return target.withUserAndPassword(of: origin)
    }

    static let tooMany = TransportError(
        .unusableResponse, "The server redirected more than \(URLSessionDownload.redirectLimit) times.")
}

extension URL {
    /// Returns this URL with the user and password of `origin` if both are on the same server, otherwise with neither.
    ///
    /// FoundationNetworking would also send them to the other host of a URL without a scheme (`//other/feed`).
    fileprivate func withUserAndPassword(of origin: URL?) -> URL {
        guard var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true) else { return self }
        let sender = origin.flatMap { URLComponents(url: $0.absoluteURL, resolvingAgainstBaseURL: true) }
        let isSameServer = sender.map { $0.server == parts.server } ?? false
        parts.percentEncodedUser = isSameServer ? sender?.percentEncodedUser : nil
        parts.percentEncodedPassword = isSameServer ? sender?.percentEncodedPassword : nil
        return parts.url?.lowercasingScheme ?? self
    }

    /// This URL with its scheme in lower case, because FoundationNetworking does not recognize `HTTP://`.
    var lowercasingScheme: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.scheme = scheme?.lowercased()
        return parts?.url ?? self
    }

    var hasHTTPScheme: Bool { ["http", "https"].contains(scheme?.lowercased() ?? "") }
}

extension URLComponents {
    /// The scheme, host and port. A password is sent only to a server for which all three match.
    fileprivate var server: [String?] {
        let scheme = scheme?.lowercased()
        return [scheme, percentEncodedHost?.lowercased(), String(port ?? (scheme == "https" ? 443 : 80))]
    }
}

extension TransportError {
    /// Converts URLSession's `error` for `request`. `redirect` is the last redirect followed, if any. `received` is the
    /// number of bytes of the body; nil if no response had begun.
    ///
    /// FoundationNetworking has few error codes: a broken connection, a TLS failure and a body that cannot be
    /// decompressed are all `unknown`. `received` and, for TLS and proxies, libcurl's message distinguish these cases.
    init(_ error: any Error, request: TransportRequest, redirect: (from: String, to: String)?, received: Int?) {
        let nsError = error as NSError
        let description = nsError.localizedDescription
        // libcurl's own messages need no error number; some of Foundation's are useless without it.
        let cause = description.contains("could not be completed") ? "error \(nsError.code)" : description
        let host =
            (nsError.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.host(percentEncoded: false)
            ?? request.host
        switch URLError.Code(rawValue: nsError.code) {
        case .timedOut: self = .deadlineExceeded(seconds: request.deadlineSeconds)
        case .cancelled: self = .interrupted
        case .httpTooManyRedirects: self = RedirectRule.tooMany
        case .badURL:
            self =
                redirect.map { .redirectRefused(from: $0.from, to: $0.to, isNot: "a usable URL") }
                ?? .unsupportedURL(request.url)
        // libcurl reports a response that is not HTTP/1 as a URL that "is not supported".
        case .unsupportedURL, .cannotParseResponse: self = .notHTTP(host: host, cause: cause)
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.unreachable, "Cannot resolve the host name \(host).", remedy: "Check the network.")
        case .cannotConnectToHost, .notConnectedToInternet:
            self.init(.unreachable, "Cannot connect to \(host) (\(cause)).", remedy: "Check the network.")
        case _ where description.contains("resolve proxy") || description.contains("Unsupported proxy"):
            // libcurl quotes the URL of the proxy, which may contain a password in any place.
            let isUnknown = description.contains("resolve")
            self.init(
                isUnknown ? .unreachable : .unusableResponse,
                "Cannot connect to \(host): the proxy's "
                    + (isUnknown ? "host name cannot be resolved." : "URL cannot be used."),
                remedy: "Check $http_proxy, $https_proxy and $no_proxy.")
        case _ where received == nil && Self.isAboutHeader(description):
            self = .unreadableHeader(host: host, cause: cause)
        case _ where Self.isAboutDecompression(description): self = .unreadableBody(host: host, cause: cause)
        default:
            if nsError.localizedDescription.contains("CONNECT") {
                // libcurl reports the proxy's refusal as if it were the head of a response.
                self.init(
                    .unusableResponse, "The proxy refused to connect to \(host) (\(cause)).",
                    remedy: "Check $https_proxy and $no_proxy.")
            } else if received ?? 0 == 0, Self.isAboutTLS(nsError.localizedDescription) {
                self.init(
                    .unusableResponse, "The TLS connection to \(host) failed (\(cause)).",
                    remedy: "Check the URL and this machine's clock, or set $SSL_CERT_FILE to a file with the "
                        + "signer's certificate.")
            } else if let received {
                self.init(
                    .bodyTruncated, "The response was cut off after \(received) bytes (\(cause)).",
                    remedy: "Try again.")
            } else {
                self = .connectionLost(host: host, cause: cause)
            }
        }
    }

    /// Whether libcurl received a header that it or Foundation cannot read, rather than none.
    private static func isAboutHeader(_ description: String) -> Bool {
        ["Failed writing header", "Header without colon", "response headers", "Out of memory"]
            .contains { description.contains($0) }
    }

    /// Whether libcurl cannot decode the body, or data follows the end of its compressed part.
    private static func isAboutDecompression(_ description: String) -> Bool {
        ["content encoding", "content unencoding", "Failed writing received data"].contains { description.contains($0) }
    }

    /// Whether the error occurred while a secure connection was being established, rather than later.
    private static func isAboutTLS(_ description: String) -> Bool {
        ["SSL", "TLS", "certificate"].contains { description.contains($0) }
            && !["SSL_read", "SSL_write"].contains { description.contains($0) }
    }
}
