public import Foundation

/// The response of a ``FeedServer`` to a GET of one path.
public struct ServedAnswer: Sendable {
    public var status: Int
    /// The header fields, to which Content-Length is added.
    public var headers: [String: String]
    /// The body as sent.
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A document. With `etag`, a request that contains it gets a 304.
    public static func document(_ body: Data, etag: String? = nil, lastModified: String? = nil) -> ServedAnswer {
        var answer = ServedAnswer(status: 200, headers: ["Content-Type": "application/json; charset=utf-8"], body: body)
        answer.headers["ETag"] = etag
        answer.headers["Last-Modified"] = lastModified
        return answer
    }

    /// A document given as text.
    public static func document(_ text: String, etag: String? = nil, lastModified: String? = nil) -> ServedAnswer {
        document(Data(text.utf8), etag: etag, lastModified: lastModified)
    }

    /// A CSV document.
    public static func csv(_ text: String) -> ServedAnswer {
        ServedAnswer(status: 200, headers: ["Content-Type": "text/csv; charset=utf-8"], body: Data(text.utf8))
    }

    /// A document in gzip form.
    public static func compressed(_ body: Data) throws -> ServedAnswer {
        var answer = try withScratchDirectory { directory in
            document(try Gzip.output("-c", directory.write(body, to: "body")))
        }
        answer.headers["Content-Encoding"] = "gzip"
        return answer
    }

    /// A redirect to `location`.
    public static func redirect(to location: String, status: Int = 302) -> ServedAnswer {
        ServedAnswer(status: status, headers: ["Location": location])
    }

    /// Returns this response, or a 304 if the request already has the body.
    func conditional(on request: ReceivedRequest) -> ServedAnswer {
        guard status == 200, let etag = headers["ETag"], request.headers["if-none-match"] == etag else { return self }
        return ServedAnswer(status: 304, headers: ["ETag": etag])
    }
}

/// A request received by a ``FeedServer``.
public struct ReceivedRequest: Sendable {
    /// The requested path.
    public var path: String
    /// The parameters after the question mark, by name.
    public var query: [String: String] = [:]
    /// The header fields, with lowercase names.
    public var headers: [String: String]

    /// A proxy receives a whole address.
    init?(_ request: LoopbackRequest) {
        guard let address = URLComponents(string: request.target) else { return nil }
        path = address.path
        for item in address.queryItems ?? [] { query[item.name] = item.value }
        headers = request.headers
    }
}
