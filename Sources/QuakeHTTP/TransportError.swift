public import FoundationEssentials
import QuakeModel

/// Why there is no answer: what a program tells apart, and words for people.
public struct TransportError: Error, Hashable, Sendable, Codable {
    /// What a program tells apart.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The address cannot be asked.
        case unusableAddress
        /// The host is not found, or cannot be connected to.
        case unreachable
        /// The connection ended before an answer began.
        case connectionLost
        /// Something answered, but not as HTTP demands, or leads to an address that is not asked.
        case unusableAnswer
        /// The whole request took longer than its deadline.
        case deadlineExceeded
        /// The body has more bytes, or comes in more pieces, than a request allows.
        case bodyTooLarge
        /// The connection ended, or broke, before the end of the body.
        case bodyTruncated
        /// The helper was told to stop, or nobody was reading its answer any more.
        case interrupted
        /// A signal ended the download helper.
        case helperCrashed
        /// The download helper is missing, could not be started, or sent something unexpected.
        case helperFailed
        /// A large body could not be stored.
        case spoolFailed
    }

    /// What a program tells apart.
    public let kind: Kind
    /// What happened, in one sentence; addresses in it give no access (``/QuakeModel/WebAddress``).
    public let words: String
    /// What to do about it, in one sentence; nil if nothing can be done.
    public let remedy: String?
    /// What only a developer understands.
    public let detail: String?

    /// The error of `kind` with these words.
    public init(_ kind: Kind, _ words: String, remedy: String? = nil, detail: String? = nil) {
        (self.kind, self.words) = (kind, WebAddress.redactedText(words))
        (self.remedy, self.detail) = (remedy, detail.map(WebAddress.redactedText))
    }
}

extension TransportError: LocalizedError {
    public var errorDescription: String? { words }
}

extension TransportError {
    package static let interrupted = TransportError(.interrupted, "The download was interrupted.")

    package static func unsupportedURL(_ url: String) -> TransportError {
        TransportError(.unusableAddress, "\(WebAddress.shortened(url)) is not an http(s) URL.")
    }

    /// `cause` is what the system reported.
    package static func connectionLost(host: String, cause: String) -> TransportError {
        TransportError(.connectionLost, "The connection to \(host) was lost (\(cause)).", remedy: "Try again.")
    }

    package static func notHTTP(host: String, cause: String) -> TransportError {
        TransportError(.unusableAnswer, "\(host) did not respond with HTTP (\(cause)).")
    }

    /// What a server calls its next address may be anything, such as `gopher:user:password@host`.
    package static func redirectRefused(
        from origin: String, to target: String, isNot virtue: String = "secure"
    ) -> TransportError {
        let (origin, target) = (WebAddress.shortened(origin), WebAddress.shortened(target))
        return TransportError(.unusableAnswer, "\(origin) redirects to \(target), which is not \(virtue).")
    }

    package static func deadlineExceeded(seconds: Double) -> TransportError {
        TransportError(
            .deadlineExceeded, "The request timed out after \(Duration.seconds(seconds).words).",
            remedy: "Try again, or allow more time.")
    }

    package static func bodyTooLarge(limit: Int) -> TransportError {
        TransportError(.bodyTooLarge, "The response was rejected: it is larger than \(limit.limitWords).")
    }

    package static func helperMissing(searched: [String]) -> TransportError {
        TransportError(
            .helperFailed,
            "The download helper quakes-fetch is missing (searched \(searched.joined(separator: ", "))).",
            remedy: "Reinstall quakes; quakes-fetch is part of it.")
    }

    package static func helperFailed(status: Int, detail: String) -> TransportError {
        TransportError(.helperFailed, "The download helper quakes-fetch failed (status \(status): \(detail)).")
    }

    static func spoolFailed(directory: String, cause: String) -> TransportError {
        TransportError(
            .spoolFailed, "Cannot store the download in \(directory) (\(cause)).",
            remedy: "Free some space, or set TMPDIR.")
    }
}

extension Int {
    /// A number of bytes that is a limit: `64 KiB`, `128 MiB`.
    package var limitWords: String {
        self < 1 << 20 ? "\(self >> 10) KiB" : self < 1 << 30 ? "\(self >> 20) MiB" : "\(self >> 30) GiB"
    }
}
