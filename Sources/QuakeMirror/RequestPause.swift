import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

extension FeedError {
    /// The pause that the server at `address` asked for earlier, with the status of that answer.
    init(_ pause: FeedRecord.Pause, of address: String) {
        self = .tryLater(pause.end, status: pause.status, host: HTTPRequest.host(of: address))
    }

    /// The pause that the server asks for; nil for any other error.
    var pause: FeedRecord.Pause? {
        guard case .tryLater(let end, let status, _) = self else { return nil }
        return FeedRecord.Pause(end: end, status: status)
    }
}
