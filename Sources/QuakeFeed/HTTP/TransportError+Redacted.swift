import QuakeModel

extension TransportError {
    /// The error with addresses that give no access (``WebAddress``).
    var redacted: TransportError {
        func plain(_ text: String) -> String { WebAddress.redactedText(text) }
        func address(_ text: String) -> String { WebAddress.redacted(text) }
        return switch self {
        case .unsupportedURL(let url): .unsupportedURL(address(url))
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
