public import FoundationEssentials
import QuakeModel

/// One sentence. What a user should do about it, a program says itself.
extension TransportError: LocalizedError {
    /// What happened.
    public var errorDescription: String? { words }

    /// What happened.
    package var words: String {
        switch self {
        case .unsupportedURL(let url): "\(url) is not an http or https address."
        case .hostIsIPv6Number(let host):
            "The host [\(host)] cannot be asked: IPv6 numbers do not work in addresses."
        case .nameNotResolved(let host, _): "The name \(host) cannot be resolved."
        case .cannotConnect(let host, let cause): "\(host) cannot be reached (\(cause))."
        case .secureConnectionFailed(let host, let cause): "A secure connection to \(host) failed (\(cause))."
        case .connectionLost(let host, let cause): "The connection to \(host) was lost (\(cause))."
        case .proxyRefused(let host, let cause): "The proxy refuses to connect to \(host) (\(cause))."
        case .notHTTP(let host, let cause): "\(host) does not speak HTTP (\(cause))."
        case .deadlineExceeded(let seconds):
            "There was no complete answer within \(Duration.seconds(seconds).words)."
        case .bodyTooLarge(let limit): "The answer is larger than \(limit.limitWords) and was refused."
        case .bodyTooFragmented(let pieces, let received):
            "The answer was refused: it came in \(pieces) pieces for \(received) bytes."
        case .bodyTruncated(let received, let cause):
            "The answer ended early, after \(received) bytes (\(cause))."
        case .redirectRefused(let from, let to): "\(from) redirects to \(to), which is not secure."
        case .redirectUnusable(let from, let to): "\(from) redirects to \(to), which is not a usable address."
        case .tooManyRedirects(let limit): "The server redirected more than \(limit) times."
        case .interrupted: "The download was interrupted."
        case .helperMissing(let searched):
            "The download helper quakes-fetch is missing (looked at \(searched.joined(separator: ", ")))."
        case .helperCrashed(let signal, let host?, _):
            "The connection to \(host) was lost: the download helper quakes-fetch crashed (signal \(signal))."
        case .helperCrashed(let signal, nil, _): "The download helper quakes-fetch crashed (signal \(signal))."
        case .helperFailed(let status, let detail):
            "The download helper quakes-fetch failed (status \(status): \(detail))."
        case .spoolFailed(let directory, let cause):
            "The download could not be stored in \(directory) (\(cause))."
        }
    }
}

extension Int {
    /// A number of bytes that is a limit: `64 KiB`, `128 MiB`.
    package var limitWords: String { self < 1 << 20 ? "\(self >> 10) KiB" : "\(self >> 20) MiB" }
}
