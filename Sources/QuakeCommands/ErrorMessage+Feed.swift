import QuakeMirror

extension ErrorMessage {
    /// The text for each reason why a feed could not be downloaded or read: what happened, the error says itself.
    init(_ error: FeedError) {
        let answer = error.answer
        self.init(error.words, answer.remedy, answer.status)
        switch error {
        case .transport(.helperCrashed(_, _, let detail)): self.detail = "the helper wrote: \(detail)"
        default: break
        }
    }

    /// The text with the name of one feed of several, if the error does not say which server or document it is about.
    init(_ error: FeedError, of feed: String?) {
        self.init(error)
        if let feed, case .transport(let error) = error, error.isAnonymous { what = "\(feed): \(what)" }
    }
}

extension TransportError {
    fileprivate var isAnonymous: Bool {
        switch self {
        case .deadlineExceeded, .bodyTooLarge, .bodyTooFragmented, .bodyTruncated, .tooManyRedirects, .interrupted: true
        default: false
        }
    }
}

extension FeedError {
    /// What to do about it, if anything can be done, and the exit status.
    fileprivate var answer: (remedy: String?, status: ExitStatus) {
        switch self {
        case .unreadable: (nil, .unusableFeed)
        case .document(.otherFormat(.gzip), let source):
            ("Decompress it first: zcat \(source) | quakes refresh -", .unusableFeed)
        case .document(.otherFormat(.utf16), let source):
            ("Convert it first: iconv -f UTF-16 -t UTF-8 \(source) | quakes refresh -", .unusableFeed)
        case .document(.otherFormat(.csv), _), .document(.otherFormat(.jsonp), _):
            ("Fetch GeoJSON instead: all_day.geojson, or a query with format=geojson.", .unusableFeed)
        case .document(.tooLarge, _): ("Split it by time, or use `quakes backfill`.", .unusableFeed)
        case .document: ("The cache is unchanged.", .unusableFeed)
        case .transport(let error): error.answer
        case .status(400, let url) where EventEndpoint.isQuery(url),
            .status(413, let url) where EventEndpoint.isQuery(url):
            (
                url.asksForOneSecond
                    ? "Check the query."
                    : "Check the query; if it matches more than 20,000 quakes, shorten the time range.",
                .serverUnavailable
            )
        case .status(401, _), .status(403, _), .status(407, _):
            ("Check the user name, password or key; the server may also be blocking this machine.", .serverUnavailable)
        case .status(400..<500, _): ("Check the URL.", .serverUnavailable)
        case .status: ("Try again later.", .serverUnavailable)
        case .tryLater: (nil, .tryLater)
        case .notTheAddressOfAQuery: ("It must end with /query.", .usage)
        case .unsupportedCondition: (nil, .usage)
        }
    }
}

extension TransportError {
    fileprivate var answer: (remedy: String?, status: ExitStatus) {
        switch self {
        case .unsupportedURL: (nil, .usage)
        case .hostIsIPv6Number: ("Use a host name, such as one from /etc/hosts.", .usage)
        case .nameNotResolved, .cannotConnect: ("Check the network.", .serverUnavailable)
        case .secureConnectionFailed:
            (
                "Check the URL and the clock of this machine, or name the signer's certificate in $SSL_CERT_FILE.",
                .serverUnavailable
            )
        case .connectionLost: ("Try again.", .serverUnavailable)
        case .proxyRefused: ("Check $https_proxy and $no_proxy.", .serverUnavailable)
        case .notHTTP, .redirectRefused, .redirectUnusable, .tooManyRedirects, .interrupted: (nil, .serverUnavailable)
        case .deadlineExceeded: ("Try again, or allow more time with --timeout.", .serverUnavailable)
        case .bodyTooLarge, .bodyTooFragmented: ("The cache is unchanged.", .unusableFeed)
        case .bodyTruncated: ("The cache is unchanged. Try again.", .unusableFeed)
        case .helperMissing: ("Reinstall quakes, which consists of both programs.", .failure)
        case .helperCrashed(_, .some, _): ("Try again.", .serverUnavailable)
        case .helperCrashed: ("Try again.", .failure)
        case .helperFailed: (nil, .failure)
        case .spoolFailed: ("Free some space, or set TMPDIR.", .storageFailure)
        }
    }
}

extension String {
    /// Whether this address is a query about no more than a second, the shortest time that the service can be asked for.
    fileprivate var asksForOneSecond: Bool {
        let ends = ["starttime=", "endtime="].compactMap { name in
            firstRange(of: name).flatMap { Timestamp(iso8601: String(self[$0.upperBound...].prefix { $0 != "&" })) }
        }
        return ends.count == 2 && ends[1] - ends[0] <= .seconds(1)
    }
}
