import QuakeMirror
import QuakeSystem

extension CommandError {
    /// Converts `error`, adding a remedy and the exit status.
    init(_ error: FeedError) {
        let (remedy, status) = error.remedyAndStatus
        self.init(error.words, remedy, status)
        if case .transport(let error) = error { detail = error.detail }
    }
}

extension FeedError {
    /// The remedy (nil if there is none) and the exit status.
    fileprivate var remedyAndStatus: (remedy: String?, status: ExitStatus) {
        switch self {
        case .unreadable(let path, _) where FileLocation.isDirectory(path):
            ("Name the files in it, such as \(path.shellWord)/*.geojson.", .unusableFeed)
        case .unreadable: (nil, .unusableFeed)
        case .document(.compressed, let path) where FeedSource(path)?.isRegularFile == true:
            ("Decompress it: `gzip -dc \(path.shellWord) | quakes refresh -`.", .unusableFeed)
        case .document(.geoJSONTimeIsFixed, _): ("Omit --published, which applies only to CSV.", .unusableFeed)
        case .document(let error, _): (error.remedy ?? "It was ignored.", .unusableFeed)
        case .transport(let error): (error.remedy, error.kind.status)
        case .status(400, let url) where EventEndpoint.isQuery(url),
            .status(413, let url) where EventEndpoint.isQuery(url):
            (url.remedyForRejectedQuery, .serverUnavailable)
        case .status(401, _), .status(403, _), .status(407, _):
            ("Check the user name, password or key; the server may also be blocking this machine.", .serverUnavailable)
        case .status(400..<500, _): ("Check the URL.", .serverUnavailable)
        case .status: ("Try again later.", .serverUnavailable)
        case .tryLater: (nil, .tryLater)
        case .unusableQuery: (nil, .usage)
        }
    }
}

extension TransportError.Kind {
    fileprivate var status: ExitStatus {
        switch self {
        case .unusableAddress: .usage
        case .bodyTooLarge, .bodyTruncated: .unusableFeed
        case .helperCrashed, .helperFailed: .failure
        case .spoolFailed: .storageFailure
        case .unreachable, .connectionLost, .unusableResponse, .deadlineExceeded, .interrupted: .serverUnavailable
        }
    }
}

extension String {
    /// The remedy if the event service rejects the query with this URL.
    fileprivate var remedyForRejectedQuery: String {
        // Only this program requests deleted quakes, in batches that are small enough.
        if contains("&includedeleted=") {
            return "Try again later. If the server is not USGS's, it may not support this query."
        }
        return asksForOneSecond
            ? "Check the query." : "Check the query; if it matches more than 20,000 quakes, shorten the time range."
    }

    /// Whether this URL queries a range of at most one second, the shortest that can be requested.
    private var asksForOneSecond: Bool {
        let ends = ["starttime=", "endtime="].compactMap { name in
            firstRange(of: name).flatMap { Timestamp(iso8601: String(self[$0.upperBound...].prefix { $0 != "&" })) }
        }
        return ends.count == 2 && ends[1] - ends[0] <= .seconds(1)
    }
}
