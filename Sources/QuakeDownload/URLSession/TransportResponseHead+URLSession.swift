import Foundation
import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportResponseHead {
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
    /// The target of a redirect that URLSession did not offer to follow; nil for any other response.
    var unfollowedLocation: String? {
        guard [301, 302, 303, 307, 308].contains(statusCode) else { return nil }
        return value(forHTTPHeaderField: "Location")
    }
}
