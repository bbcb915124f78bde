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

extension HTTPRequest {
    /// ``deadline`` in seconds.
    public var deadlineSeconds: Double { deadline / .seconds(1) }
}

extension HTTPRequest {
    /// The host of the address `url` in lower case, with its port where the address names one.
    public static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority).lowercased()
    }
}
