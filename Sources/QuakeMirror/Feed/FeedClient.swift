package import FoundationEssentials

/// Sends conditional GET requests to servers that publish quakes.
package struct FeedClient: Sendable {
    private let transport: any HTTPTransport
    private let userAgent: String
    private let deadline: Duration
    private let monitor: TransferMonitor
    private let now: @Sendable () -> Timestamp

    /// Creates a client that sends `userAgent` and applies `deadline` to every request.
    package init(
        transport: any HTTPTransport, userAgent: String, deadline: Duration = .seconds(60),
        monitor: TransferMonitor = TransferMonitor(), now: @escaping @Sendable () -> Timestamp
    ) {
        self.transport = transport
        self.userAgent = userAgent
        self.deadline = deadline
        self.monitor = monitor
        self.now = now
    }

    /// Sends one GET request for `url`, conditional if there are `validators`. If the server rejects the condition, the
    /// request is sent once more without it, because the header may be too large for the server, or malformed.
    ///
    /// Addresses in the result and in errors contain no credentials (``WebAddress``).
    ///
    /// Throws ``FeedError/transport(_:)``, ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)``.
    ///
    /// - Parameter limit: the maximum size of the response.
    package func fetch(
        url: String, validators: CacheValidators? = nil, limit: Int = TransportRequest.defaultBodyLimit
    ) throws(FeedError) -> FetchOutcome {
        let response = try response(from: url, validators: validators, limit: limit)
        if let validators, !validators.isEmpty, response.mayRejectCondition {
            return try outcome(of: self.response(from: url, limit: limit))
        }
        return try outcome(of: response, validators: validators)
    }

    /// Sends one GET request for `url`, and returns the response whatever its status.
    ///
    /// Throws ``FeedError/transport(_:)``.
    func response(
        from url: String, validators: CacheValidators? = nil, limit: Int
    ) throws(FeedError) -> TransportResponse {
        var request = TransportRequest(url: url, deadline: deadline, bodyLimit: limit)
        request.headers = validators?.requestHeaders ?? [:]
        request.headers["User-Agent"] = userAgent
        request.headers["Accept"] = "application/geo+json, application/json, */*;q=0.1"
        guard !monitor.isCancelled else { throw .transport(.interrupted) }
        do {
            return try transport.get(request, monitor: monitor)
        } catch {
            throw .transport(error)
        }
    }

    /// Throws ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)`` unless the status is 200, 204 or,
    /// for a conditional request, 304.
    func outcome(
        of response: TransportResponse, validators: CacheValidators? = nil
    ) throws(FeedError) -> FetchOutcome {
        let received = CacheValidators(responseHeaders: response.headers)
        switch response.status {
        case 200:
            let url = WebAddress.redacted(response.url)
            return .body(response.body, url: url, validators: received, date: response.date)
        case 204: return .noContent(date: response.date)
        case 304:
            guard let validators, !validators.isEmpty else { break }
            return .notModified(received.completed(from: validators))
        default: break
        }
        let moment = RetryPolicy.nextAttempt(
            status: response.status, retryAfter: response.headers["retry-after"], now: now())
        if let moment {
            throw .tryLater(moment, status: response.status, host: TransportRequest.host(of: response.url))
        }
        throw .status(response.status, url: WebAddress.redacted(response.url))
    }
}

/// The result of a conditional GET.
package enum FetchOutcome: Sendable {
    /// 304: the document has not changed since it was last fetched.
    case notModified(CacheValidators)
    /// 204: the event service found nothing, at `date` by its own clock.
    case noContent(date: Timestamp?)
    /// 200: a body, its address after redirects, the validators of this version, and the time by the server's clock.
    case body(Data, url: String, validators: CacheValidators, date: Timestamp?)
}

extension TransportResponse {
    /// Whether the status may concern the condition of a request: a client error that is neither about the document
    /// (404, 410) nor about the number of requests (429).
    fileprivate var mayRejectCondition: Bool { (400..<500).contains(status) && ![404, 410, 429].contains(status) }

    /// The time of the response by the server's clock (`Date`, RFC 9110, 6.6.1), in whole seconds; nil if it has none.
    var date: Timestamp? { headers["date"].flatMap(Timestamp.init(httpDate:)) }
}
