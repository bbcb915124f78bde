/// Why there is no answer. `cause` keeps what the system said; words for people are made elsewhere.
public enum TransportError: Error, Hashable, Sendable, Codable {
    /// The address is no http or https URL with a host.
    case unsupportedURL(String)
    case nameNotResolved(host: String, cause: String)
    case cannotConnect(host: String, cause: String)
    /// TLS could not be agreed on, or the certificate is not to be trusted.
    case secureConnectionFailed(host: String, cause: String)
    /// The connection ended before an answer began.
    case connectionLost(host: String, cause: String)
    /// What came back is not HTTP.
    case notHTTP(host: String, cause: String)
    /// The whole request took longer than it may.
    case deadlineExceeded(seconds: Double)
    /// The body has more bytes than the request allows.
    case bodyTooLarge(limit: Int)
    /// The connection ended, or broke, before the body did. `received` counts decoded bytes.
    case bodyTruncated(received: Int, cause: String)
    /// From https to http, or to something that is neither.
    case redirectRefused(from: String, to: String)
    case tooManyRedirects(limit: Int)
    /// The helper was told to stop, or nobody read its answer any more.
    case interrupted
    /// No download helper at any of these paths.
    case helperMissing(searched: [String])
    /// The download helper could not be started, broke down, or did not keep to what was agreed.
    case helperFailed(status: Int, detail: String)
    /// A large body could not be laid down in `directory`.
    case spoolFailed(directory: String, cause: String)
}
