public import FoundationEssentials
import QuakeModel

/// The reason there is no response. It has a kind for programs and a message for people.
public struct TransportError: Error, Hashable, Sendable, Codable {
    /// The kind of failure.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The URL is not an http or https URL, or the transport does not support its host, such as an IPv6 address.
        case unusableAddress
        /// The host was not found, or the connection to it failed.
        case unreachable
        /// The connection ended before a response began.
        case connectionLost
        /// The response was not HTTP, its header or compression cannot be read, a redirect was refused, or a proxy or
        /// TLS prevented the connection.
        case unusableResponse
        /// The whole request took longer than its deadline.
        case deadlineExceeded
        /// The body has more bytes, or arrives in more pieces, than allowed.
        case bodyTooLarge
        /// The connection broke or ended before the end of the body.
        case bodyTruncated
        /// The download was canceled, or the program that was waiting for it has ended.
        case interrupted
        /// A signal terminated `quakes-fetch`, the separate process in which the `quakes` command downloads.
        case helperCrashed
        /// `quakes-fetch`, with which the `quakes` command downloads, is missing, could not be started, or sent
        /// unexpected output.
        case helperFailed
        /// A large body could not be stored in a temporary file.
        case spoolFailed
    }

    public let kind: Kind
    /// The message, in one sentence, as in ``errorDescription``. Its URLs contain no credentials.
    package let words: String
    /// A remedy for the user, in one sentence; nil if there is none.
    package let remedy: String?
    /// Details for developers; nil if there are none.
    public let detail: String?

    /// Creates an error, removing any credentials from the message `words` and from `detail`.
    public init(_ kind: Kind, _ words: String, detail: String? = nil) {
        self.init(kind, words, remedy: nil, detail: detail)
    }

    package init(_ kind: Kind, _ words: String, remedy: String?, detail: String? = nil) {
        self.kind = kind
        self.words = WebAddress.redactedText(words)
        self.remedy = remedy
        self.detail = detail.map(WebAddress.redactedText)
    }
}

extension TransportError: LocalizedError {
    public var errorDescription: String? { words }
}

extension TransportError {
    package static let interrupted = TransportError(.interrupted, "The download was interrupted.")

    package static func unsupportedURL(_ url: String) -> TransportError {
        TransportError(
            .unusableAddress, "\(WebAddress.shortened(url)) is not an http(s) URL\(WebAddress.portFault(in: url)).")
    }

    /// - Parameter cause: the system's description of the failure.
    package static func connectionLost(host: String, cause: String, detail: String? = nil) -> TransportError {
        TransportError(
            .connectionLost, "The connection to \(host) was lost (\(cause)).", remedy: "Try again.", detail: detail)
    }

    /// The header of the response cannot be read. Another HTTP client may accept it; trying again would not help.
    package static func unreadableHeader(host: String, cause: String, detail: String? = nil) -> TransportError {
        TransportError(
            .unusableResponse, "The response from \(host) has a header that cannot be read (\(cause)).",
            remedy: downloadOtherwise, detail: detail)
    }

    /// The body was received but cannot be decompressed.
    package static func unreadableBody(host: String, cause: String) -> TransportError {
        TransportError(
            .unusableResponse, "The response from \(host) cannot be decompressed (\(cause)).",
            remedy: downloadOtherwise)
    }

    private static let downloadOtherwise =
        "Download it with another program, such as curl, and run quakes refresh with the file."

    package static func notHTTP(host: String, cause: String) -> TransportError {
        TransportError(.unusableResponse, "\(host) did not respond with HTTP (\(cause)).")
    }

    /// The target of a redirect may be any string, such as `gopher:user:password@host`.
    package static func redirectRefused(
        from origin: String, to target: String, isNot virtue: String = "an https URL"
    ) -> TransportError {
        let origin = WebAddress.shortened(origin)
        let target = WebAddress.shortened(target)
        return TransportError(.unusableResponse, "\(origin) redirects to \(target), which is not \(virtue).")
    }

    package static func deadlineExceeded(seconds: Double) -> TransportError {
        TransportError(
            .deadlineExceeded, "The request timed out after \(Duration.seconds(seconds).words).",
            remedy: "Try again. `refresh`, `backfill` and `details` can allow more time with --timeout.")
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
            remedy: "Free some space, or set TMPDIR to another folder.")
    }
}

extension Int {
    /// The number as a limit in bytes for people to read, such as `64 KiB` or `128 MiB`.
    package var limitWords: String {
        self < 1 << 20 ? "\(self >> 10) KiB" : self < 1 << 30 ? "\(self >> 20) MiB" : "\(self >> 30) GiB"
    }
}
