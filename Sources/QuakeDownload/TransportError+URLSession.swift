import Foundation
import QuakeFeed

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// What URLSession's `error` means for `request`, of whose body `received` bytes had come; nil before any answer.
    ///
    /// FoundationNetworking tells few causes apart by code: a connection that breaks, TLS that fails and a body that
    /// cannot be decompressed are all `unknown`. What had come by then, and for TLS libcurl's words, decide.
    init(_ error: any Error, request: HTTPRequest, received: Int?) {
        let nsError = error as NSError
        let cause = "\(nsError.localizedDescription) (\(nsError.domain) \(nsError.code))"
        let host = (nsError.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.host() ?? request.host
        switch URLError.Code(rawValue: nsError.code) {
        case .timedOut: self = .deadlineExceeded(seconds: request.deadlineSeconds)
        case .cancelled: self = .interrupted
        case .httpTooManyRedirects: self = .tooManyRedirects(limit: URLSessionDownload.redirectLimit)
        case .badURL: self = .unsupportedURL(request.url)
        // An http address that "is not supported" is libcurl's way of saying that the answer is not HTTP/1.
        case .unsupportedURL, .cannotParseResponse: self = .notHTTP(host: host, cause: cause)
        case .cannotFindHost, .dnsLookupFailed: self = .nameNotResolved(host: host, cause: cause)
        case .cannotConnectToHost, .notConnectedToInternet: self = .cannotConnect(host: host, cause: cause)
        default:
            if let received {
                self = .bodyTruncated(received: received, cause: cause)
            } else if Self.isAboutTLS(nsError.localizedDescription) {
                self = .secureConnectionFailed(host: host, cause: cause)
            } else {
                self = .connectionLost(host: host, cause: cause)
            }
        }
    }

    private static func isAboutTLS(_ description: String) -> Bool {
        ["SSL", "TLS", "certificate"].contains { description.contains($0) }
    }
}
