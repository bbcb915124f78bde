extension FeedError {
    /// The maximum number of times in a row that a window is halved because of this error; 0 if a smaller window would
    /// fail as well. The service rejects requests that are too large with status 400, and gives up on requests that
    /// take too long.
    var maximumHalvings: Int {
        switch self {
        case .status(400, _), .status(413, _): WindowLength.maximumHalvings
        case .status(503, _), .status(504, _): 4
        case .document(let error, _): error.kind == .tooLarge ? WindowLength.maximumHalvings : 0
        case .transport(let error):
            error.kind == .bodyTooLarge ? WindowLength.maximumHalvings : error.kind == .deadlineExceeded ? 4 : 0
        default: 0
        }
    }

    /// Whether the service cannot be reached at all.
    var isUnreachable: Bool {
        if case .transport(let error) = self { error.kind == .unreachable } else { false }
    }

    /// Whether the same request may succeed a little later. A truncated body is a temporary fault.
    var isTransient: Bool {
        switch self {
        case .status(let status, _): status >= 500 || status == 408
        case .transport(let error):
            [.unreachable, .connectionLost, .deadlineExceeded, .bodyTruncated, .helperCrashed].contains(error.kind)
        case .document(let error, _): error.kind == .broken
        default: false
        }
    }
}
