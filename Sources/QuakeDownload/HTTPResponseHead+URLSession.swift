import Foundation
import QuakeFeed

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPResponseHead {
    /// The head of `response` to a request for the address `requested`.
    init(_ response: HTTPURLResponse, requested: String) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name] = value
        }
        self.init(status: response.statusCode, headers: headers, url: response.url?.absoluteString ?? requested)
    }
}

extension HTTPURLResponse {
    /// Where this answer points to, when it is a redirect that URLSession itself did not offer to follow.
    var unfollowedLocation: String? {
        guard [301, 302, 303, 307, 308].contains(statusCode) else { return nil }
        return value(forHTTPHeaderField: "Location")
    }
}

extension HTTPRequest {
    /// The host that is asked, for messages.
    var host: String {
        URL(string: url)?.host() ?? url
    }
}
