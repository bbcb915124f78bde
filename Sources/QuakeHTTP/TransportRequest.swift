import FoundationEssentials
import QuakeModel

public struct TransportRequest: Hashable, Sendable {
    /// The default of ``bodyLimit``: 64 MiB. The largest feed takes 10 MB, and the event service's largest response
    /// about 15 MB.
    package static let defaultBodyLimit = 64 << 20

    /// The http or https URL.
    public var url: String
    /// The header fields to send, keyed by name.
    public var headers: [String: String]
    /// The maximum duration of the whole request, from resolving the host's name to the last byte of the body.
    public var deadline: Duration
    /// The maximum size of the body in bytes, after decoding.
    public var bodyLimit: Int

    package init(
        url: String, headers: [String: String] = [:], deadline: Duration, bodyLimit: Int = defaultBodyLimit
    ) {
        self.url = url
        self.headers = headers
        self.deadline = deadline
        self.bodyLimit = bodyLimit
    }

    /// The deadline in seconds, at most a century, because Foundation overflows on a deadline of millennia.
    package var deadlineSeconds: Double { min(deadline / .seconds(1), 3_155_760_000) }
    /// The host of ``url``, for messages.
    package var host: String { TransportRequest.host(of: url) }

    /// Returns the host of `url` in lowercase, without a port. If there is no host, returns `url` without credentials
    /// (``/QuakeModel/WebAddress``).
    package static func host(of url: String) -> String {
        URL(string: url)?.host(percentEncoded: false).map { $0.lowercased() } ?? WebAddress.redacted(url)
    }
}
