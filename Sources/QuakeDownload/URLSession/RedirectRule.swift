import Foundation
import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decides which redirects to follow: to any host, but never from https to http or to another scheme. Also prepares the
/// new request, in which user and password are only sent to the server for which they were given.
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
    /// Returns this URL with the user and password of `origin` if both URLs are on the same server, otherwise without
    /// them.
    ///
    /// FoundationNetworking alone would send the user and password even to a different host if the target has no scheme
    /// (`//other/feed`).
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
