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
    /// URLs in errors contain no credentials (``/QuakeModel/WebAddress``).
    ///
    /// Throws ``FeedError/transport(_:)``, ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)``.
    ///
    /// - Parameter limit: the maximum size of the body in bytes, after decoding.
    package func fetch(
        url: String, validators: CacheValidators? = nil, limit: Int = TransportRequest.defaultBodyLimit
    ) throws(FeedError) -> TransportResponse {
        let response = try response(from: url, validators: validators, limit: limit)
        let isConditional = validators.map { !$0.isEmpty } ?? false
        if isConditional, response.mayRejectCondition {
            return try accepted(self.response(from: url, limit: limit))
        }
        return try accepted(response, isConditional: isConditional)
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

    /// Returns `response` if its status is 200 (a document), 204 (the event service found nothing) or, for a
    /// conditional request, 304 (the document has not changed).
    ///
    /// Throws ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)``.
    func accepted(_ response: TransportResponse, isConditional: Bool = false) throws(FeedError) -> TransportResponse {
        switch response.status {
        case 200, 204: return response
        case 304 where isConditional: return response
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

extension TransportResponse {
    /// Whether the server may have rejected the condition of the request: the status is a client error, but not one
    /// about the document (404, 410) or about the number of requests (429).
    fileprivate var mayRejectCondition: Bool { (400..<500).contains(status) && ![404, 410, 429].contains(status) }

    /// The validators of the document, for the next request.
    package var validators: CacheValidators { CacheValidators(responseHeaders: headers) }

    /// The time of the response by the server's clock (`Date`, RFC 9110, 6.6.1), in whole seconds; nil if it has none.
    var date: Timestamp? { headers["date"].flatMap(Timestamp.init(httpDate:)) }
}
