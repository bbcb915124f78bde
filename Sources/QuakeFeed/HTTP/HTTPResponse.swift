public import Foundation

/// What a server answered before the body.
public struct HTTPResponseHead: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, their names in lower case.
    public var headers: [String: String]
    /// The address that answered, after all redirects.
    public var url: String

    /// A head; the names of `headers` are put in lower case.
    public init(status: Int, headers: [String: String], url: String) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.url = url
    }

    /// The length the body will have, where the server said so and does not compress it.
    public var announcedBodyLength: Int? {
        guard ["", "identity"].contains(headers["content-encoding"]?.lowercased() ?? "") else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }
}

/// What a server answered.
public struct HTTPResponse: Sendable {
    /// Status, header fields and final address.
    public var head: HTTPResponseHead
    /// The decoded body. A large one is a mapped file that has no name any more.
    public var document: FeedDocument

    /// A response.
    public init(head: HTTPResponseHead, body: Data) {
        self.init(head: head, document: FeedDocument(body))
    }

    init(head: HTTPResponseHead, document: FeedDocument) {
        self.head = head
        self.document = document
    }

    /// The bytes of the body.
    public var body: Data { document.bytes }

    /// The status code.
    public var status: Int { head.status }
    /// The header fields, their names in lower case.
    public var headers: [String: String] { head.headers }
    /// The address that answered, after all redirects.
    public var url: String { head.url }
}
