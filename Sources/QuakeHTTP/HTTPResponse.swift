public import FoundationEssentials

/// What a server sent before the body.
public struct HTTPResponseHead: Hashable, Sendable, Codable {
    /// The status code.
    public var status: Int
    /// The header fields, their names in lower case.
    public var headers: [String: String]
    /// The address that answered, after all redirects.
    public var url: String

    /// A head; the names of `headers` are converted to lower case.
    public init(status: Int, headers: [String: String], url: String) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.url = url
    }

    /// The length of the body, if the server announced it and does not compress the body.
    package var announcedBodyLength: Int? {
        guard ["", "identity"].contains(headers["content-encoding"]?.lowercased() ?? "") else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }
}

/// A server's answer.
public struct HTTPResponse: Sendable {
    /// Status, header fields and final address.
    public var head: HTTPResponseHead
    /// The decoded body. A large one may be a mapped file that no longer has a name.
    public var body: Data

    /// A response.
    public init(head: HTTPResponseHead, body: Data) { (self.head, self.body) = (head, body) }

    /// The status code.
    public var status: Int { head.status }
    /// The header fields, their names in lower case.
    public var headers: [String: String] { head.headers }
    /// The address that answered, after all redirects.
    public var url: String { head.url }
}
