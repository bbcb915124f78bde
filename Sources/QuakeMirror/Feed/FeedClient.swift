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
        (self.transport, self.userAgent, self.deadline) = (transport, userAgent, deadline)
        (self.monitor, self.now) = (monitor, now)
    }

    /// Sends one GET request for `url`, conditional if there are `validators`.
    ///
    /// Addresses in the result and in errors contain no credentials (``WebAddress``).
    ///
    /// Throws ``FeedError/transport(_:)``, ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)``.
    ///
    /// - Parameter limit: the maximum size of the response.
    package func fetch(
        url: String, validators: CacheValidators? = nil, limit: Int = TransportRequest.defaultBodyLimit
    ) throws(FeedError) -> FetchOutcome {
        var request = TransportRequest(url: url, deadline: deadline, bodyLimit: limit)
        request.headers = validators?.requestHeaders ?? [:]
        request.headers["User-Agent"] = userAgent
        request.headers["Accept"] = "application/geo+json, application/json, */*;q=0.1"
        let response: TransportResponse
        guard !monitor.isCancelled else { throw .transport(.interrupted) }
        do { response = try transport.get(request, monitor: monitor) } catch { throw .transport(error) }
        return try outcome(of: response, validators: validators)
    }

    private func outcome(of response: TransportResponse, validators: CacheValidators?) throws(FeedError) -> FetchOutcome
    {
        let received = CacheValidators(responseHeaders: response.headers)
        switch response.status {
        case 200: return .body(response.body, url: WebAddress.redacted(response.url), validators: received)
        case 204: return .noContent(date: response.headers["date"].flatMap(Timestamp.init(httpDate:)))
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
    /// 200: a body, its address after redirects, and the validators of this version.
    case body(Data, url: String, validators: CacheValidators)
}
