/// One GET: what a transport is asked for.
public struct HTTPRequest: Hashable, Sendable {
    /// 256 MiB: the largest feed has 10 MB, the event service's largest answer about 15 MB.
    public static let defaultBodyLimit = 256 << 20

    /// The address, http or https.
    public var url: String
    /// Header fields to send, by name.
    public var headers: [String: String]
    /// How long the whole request may take, from the look-up of the host's name to the last byte of the body.
    public var deadline: Duration
    /// How many bytes the body may have, counted after decoding.
    public var bodyLimit: Int

    /// A request for `url`.
    public init(
        url: String, headers: [String: String] = [:], deadline: Duration, bodyLimit: Int = HTTPRequest.defaultBodyLimit
    ) {
        self.url = url
        self.headers = headers
        self.deadline = deadline
        self.bodyLimit = bodyLimit
    }
}

extension HTTPRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case url, headers, deadlineSeconds, bodyLimit
    }

    /// Reads a request as ``encode(to:)`` writes it; header fields and limit may be missing.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        url = try fields.decode(String.self, forKey: .url)
        headers = try fields.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        deadline = .seconds(try fields.decode(Double.self, forKey: .deadlineSeconds))
        bodyLimit = try fields.decodeIfPresent(Int.self, forKey: .bodyLimit) ?? HTTPRequest.defaultBodyLimit
    }

    /// Writes a request with its deadline in seconds.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(url, forKey: .url)
        try fields.encode(headers, forKey: .headers)
        try fields.encode(deadlineSeconds, forKey: .deadlineSeconds)
        try fields.encode(bodyLimit, forKey: .bodyLimit)
    }

    /// ``deadline`` in seconds.
    public var deadlineSeconds: Double { deadline / .seconds(1) }
}
