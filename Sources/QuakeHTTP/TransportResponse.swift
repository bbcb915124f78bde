public import FoundationEssentials

public struct TransportResponse: Sendable {
    /// The status, header fields and final URL.
    package var head: TransportResponseHead
    /// The decoded body. A large body may be mapped into memory from a temporary file that has already been unlinked.
    public var body: Data

    package init(head: TransportResponseHead, body: Data) {
        self.head = head
        self.body = body
    }

    /// Creates a response, converting the names in `headers` to lowercase.
    public init(status: Int, headers: [String: String] = [:], url: String, body: Data) {
        self.init(head: TransportResponseHead(status: status, headers: headers, url: url), body: body)
    }

    public var status: Int { head.status }
    public var headers: [String: String] { head.headers }
    public var url: String { head.url }
}
