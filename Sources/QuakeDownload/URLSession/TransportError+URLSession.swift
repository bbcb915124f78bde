import Foundation
import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Converts URLSession's `error` for `request`. `redirect` is the last redirect followed, if any. `received` is the
    /// number of bytes of the body; nil if no response had begun.
    ///
    /// FoundationNetworking has few error codes: a broken connection, a TLS failure and a body that cannot be
    /// decompressed are all `unknown`. `received` and, for TLS and proxies, libcurl's message distinguish these cases.
    init(_ error: any Error, request: TransportRequest, redirect: (from: String, to: String)?, received: Int?) {
        let nsError = error as NSError
        let description = nsError.localizedDescription
        // libcurl's messages need no error number; some of Foundation's messages are useless without one.
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
            // libcurl names the host again: "Failed to connect to host port 9 after 0 ms: Couldn't connect to server".
            let port = cause.firstMatch(of: /^Failed to connect to .* port ([0-9]+)/)?.output.1
            self.init(
                .unreachable, "Cannot connect to \(host)" + (port.map { ", port \($0)." } ?? " (\(cause))."),
                remedy: "Check the URL, the network and, if set, $https_proxy; the server may also be down.",
                detail: cause)
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
                    remedy: Self.remedy(forTLS: nsError.localizedDescription))
            } else if let received {
                self.init(
                    .bodyTruncated, "The response was cut off after \(received) bytes (\(cause)).",
                    remedy: "Try again.")
            } else {
                self = .connectionLost(host: host, cause: cause)
            }
        }
    }

    private static func remedy(forTLS description: String) -> String {
        description.contains("certificate file")
            ? "Correct or unset $CURL_CA_BUNDLE or $SSL_CERT_FILE."
            : "Check the URL and this machine's clock, or set $SSL_CERT_FILE to a file with the CA's certificate."
    }

    /// Returns whether libcurl received a header, but libcurl or Foundation cannot read it.
    private static func isAboutHeader(_ description: String) -> Bool {
        ["Failed writing header", "Header without colon", "response headers", "Out of memory"]
            .contains { description.contains($0) }
    }

    /// Returns whether libcurl cannot decompress the body, or data follows the end of the compressed body.
    private static func isAboutDecompression(_ description: String) -> Bool {
        ["content encoding", "content unencoding", "Failed writing received data"].contains { description.contains($0) }
    }

    /// Returns whether the error occurred while a secure connection was being established, rather than later.
    private static func isAboutTLS(_ description: String) -> Bool {
        ["SSL", "TLS", "certificate"].contains { description.contains($0) }
            && !["SSL_read", "SSL_write"].contains { description.contains($0) }
    }
}
