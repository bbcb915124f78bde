public import FoundationEssentials
import QuakeModel

/// One sentence. What a user should do about it, a program says itself.
extension TransportError: LocalizedError {
    /// What happened.
    public var errorDescription: String? { words }

    /// What happened.
    package var words: String {
        switch self {
        case .unsupportedURL(let url): "\(url) is not an http(s) URL."
        case .hostIsIPv6Number(let host):
            "Cannot connect to [\(host)]: IPv6 addresses are not supported in URLs."
        case .nameNotResolved(let host, _): "Cannot resolve the host name \(host)."
        case .cannotConnect(let host, let cause): "Cannot connect to \(host) (\(cause))."
        case .secureConnectionFailed(let host, let cause): "The TLS connection to \(host) failed (\(cause))."
        case .connectionLost(let host, let cause): "The connection to \(host) was lost (\(cause))."
        case .proxyRefused(let host, let cause): "The proxy refused to connect to \(host) (\(cause))."
        case .notHTTP(let host, let cause): "\(host) did not respond with HTTP (\(cause))."
        case .deadlineExceeded(let seconds):
            "The request timed out after \(Duration.seconds(seconds).words)."
        case .bodyTooLarge(let limit): "The response was rejected: it is larger than \(limit.limitWords)."
        case .bodyTooFragmented(let pieces, let received):
            "The response was rejected: \(received) bytes arrived in \(pieces) pieces."
        case .bodyTruncated(let received, let cause):
            "The response was cut off after \(received) bytes (\(cause))."
        case .redirectRefused(let from, let to): "\(from) redirects to \(to), which is not secure."
        case .redirectUnusable(let from, let to): "\(from) redirects to \(to), which is not a usable URL."
        case .tooManyRedirects(let limit): "The server redirected more than \(limit) times."
        case .interrupted: "The download was interrupted."
        case .helperMissing(let searched):
            "The download helper quakes-fetch is missing (searched \(searched.joined(separator: ", ")))."
        case .helperCrashed(let signal, let host?, _):
            "The connection to \(host) was lost: the download helper quakes-fetch crashed (signal \(signal))."
        case .helperCrashed(let signal, nil, _): "The download helper quakes-fetch crashed (signal \(signal))."
        case .helperFailed(let status, let detail):
            "The download helper quakes-fetch failed (status \(status): \(detail))."
        case .spoolFailed(let directory, let cause):
            "Cannot store the download in \(directory) (\(cause))."
        }
    }
}

extension Int {
    /// A number of bytes that is a limit: `64 KiB`, `128 MiB`.
    package var limitWords: String { self < 1 << 20 ? "\(self >> 10) KiB" : "\(self >> 20) MiB" }
}
