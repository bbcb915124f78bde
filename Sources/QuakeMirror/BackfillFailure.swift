import QuakeFeed
import QuakeHTTP

// What becomes of a question to the event service that failed.

extension FeedError {
    /// Whether a smaller window may succeed where this one did not. The service refuses what is too large with 400, and
    /// gives up on what takes too long.
    var isAboutSize: Bool {
        switch self {
        case .status(400, _), .status(413, _), .status(503, _), .status(504, _): true
        case .transport(.deadlineExceeded), .transport(.bodyTooLarge), .document(.tooLarge, _): true
        default: false
        }
    }

    /// How many times in a row a window is halved because of this error. A service that fails for a 16th of a window
    /// fails whatever it is asked.
    var mostHalvings: Int {
        switch self {
        case .status(400, _), .status(413, _), .transport(.bodyTooLarge), .document(.tooLarge, _):
            WindowLength.mostHalvings
        default: 4
        }
    }

    /// Whether the service cannot be reached at all.
    var isAboutReaching: Bool {
        switch self {
        case .transport(.nameNotResolved), .transport(.cannotConnect): true
        default: false
        }
    }

    /// Whether the same question may succeed a little later.
    var mayPass: Bool {
        switch self {
        case .status(let status, _): status >= 500 || status == 408
        case .transport(let error): error.mayPass
        case .document(let error, _): error.mayPass
        default: false
        }
    }
}

extension TransportError {
    fileprivate var mayPass: Bool {
        switch self {
        case .cannotConnect, .connectionLost, .deadlineExceeded, .bodyTruncated, .nameNotResolved, .helperCrashed: true
        default: false
        }
    }
}

extension DocumentError {
    /// A body that was cut short is the fault of a moment.
    fileprivate var mayPass: Bool {
        switch self {
        case .empty, .truncated, .miscounted, .notJSON, .sourceFailure, .webPage: true
        default: false
        }
    }
}
