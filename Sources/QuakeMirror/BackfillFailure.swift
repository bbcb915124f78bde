import QuakeFeed

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
        case .empty, .truncated, .notJSON, .sourceFailure, .webPage: true
        default: false
        }
    }
}
