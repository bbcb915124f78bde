public import FoundationEssentials
import QuakeModel

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
    /// The body came in that many tiny pieces that nobody means it: `pieces` of `received` bytes in all.
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
    /// A signal ended the download helper. `host` is the one that was asked if the signal is one of a trap: what came
    /// from there is probably the cause. `detail` is the first line that the helper wrote about it.
    case helperCrashed(signal: Int, host: String?, detail: String)
    /// The download helper could not be started, or sent something unexpected.
    case helperFailed(status: Int, detail: String)
    /// A large body could not be stored in `directory`.
    case spoolFailed(directory: String, cause: String)
}

extension TransportError {
    /// The error with addresses that give no access (``WebAddress``).
    package var redacted: TransportError {
        func plain(_ text: String) -> String { WebAddress.redactedText(text) }
        // What a server calls its next address may be anything, such as `gopher:user:password@host`.
        func address(_ text: String) -> String { WebAddress.shortened(text) }
        return switch self {
        case .unsupportedURL(let url): .unsupportedURL(WebAddress.shortened(url))
        case .nameNotResolved(let host, let cause): .nameNotResolved(host: plain(host), cause: plain(cause))
        case .cannotConnect(let host, let cause): .cannotConnect(host: plain(host), cause: plain(cause))
        case .secureConnectionFailed(let host, let cause):
            .secureConnectionFailed(host: plain(host), cause: plain(cause))
        case .connectionLost(let host, let cause): .connectionLost(host: plain(host), cause: plain(cause))
        case .proxyRefused(let host, let cause): .proxyRefused(host: plain(host), cause: plain(cause))
        case .notHTTP(let host, let cause): .notHTTP(host: plain(host), cause: plain(cause))
        case .bodyTruncated(let received, let cause): .bodyTruncated(received: received, cause: plain(cause))
        case .redirectRefused(let from, let to): .redirectRefused(from: address(from), to: address(to))
        case .redirectUnusable(let from, let to): .redirectUnusable(from: address(from), to: address(to))
        case .helperCrashed(let signal, let host, let detail):
            .helperCrashed(signal: signal, host: host.map(plain), detail: plain(detail))
        case .helperFailed(let status, let detail): .helperFailed(status: status, detail: plain(detail))
        case .hostIsIPv6Number, .deadlineExceeded, .bodyTooLarge, .bodyTooFragmented, .tooManyRedirects, .interrupted,
            .helperMissing,
            .spoolFailed:
            self
        }
    }
}

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
