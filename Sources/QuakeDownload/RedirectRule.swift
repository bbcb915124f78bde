import Foundation
import QuakeFeed

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which redirects are followed: to any host, but never from https to http, and never out of HTTP.
struct RedirectRule {
    /// How many redirects were followed so far.
    private(set) var count = 0

    /// Counts the step from `response` to `target`, or says why it is not taken.
    mutating func follow(_ response: HTTPURLResponse, to target: URL?) throws(TransportError) {
        try follow(from: response.url, location: response.value(forHTTPHeaderField: "Location"), to: target)
    }

    /// Counts the step from `origin`, which named `location`, to `target`, or says why it is not taken.
    ///
    /// `location` is looked at too, because FoundationNetworking makes an http address of `file:///etc/passwd`.
    mutating func follow(from origin: URL?, location: String?, to target: URL?) throws(TransportError) {
        let named = location.flatMap { URL(string: $0) }
        let leavesHTTP = named.map { $0.scheme != nil && !$0.hasHTTPScheme } ?? false
        let isDowngrade = origin?.scheme?.lowercased() == "https" && target?.scheme?.lowercased() != "https"
        guard let target, target.hasHTTPScheme, !isDowngrade, !leavesHTTP else {
            throw .redirectRefused(
                from: origin?.absoluteString ?? "", to: location ?? target?.absoluteString ?? "")
        }
        count += 1
        guard count <= URLSessionDownload.redirectLimit else {
            throw .tooManyRedirects(limit: URLSessionDownload.redirectLimit)
        }
    }
}
