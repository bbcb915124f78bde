package import FoundationEssentials

/// Sends conditional GETs to servers that publish quakes.
package struct FeedClient: Sendable {
    private let transport: any HTTPTransport
    private let userAgent: String
    private let deadline: Duration
    private let bodyLimit: Int
    private let retryPolicy: RetryPolicy
    private let now: @Sendable () -> Timestamp
    private var monitor = TransferMonitor()

    /// A client that calls itself `userAgent` and gives every request `deadline` and `bodyLimit`.
    package init(
        transport: any HTTPTransport, userAgent: String, deadline: Duration = .seconds(60),
        bodyLimit: Int = HTTPRequest.defaultBodyLimit, retryPolicy: RetryPolicy = RetryPolicy(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.transport, self.userAgent, self.deadline) = (transport, userAgent, deadline)
        (self.bodyLimit, self.retryPolicy, self.now) = (bodyLimit, retryPolicy, now)
    }

    package func watched(by monitor: TransferMonitor) -> FeedClient {
        var client = self
        client.monitor = monitor
        return client
    }

    /// Sends one GET for `url`, conditional if there are `validators`.
    ///
    /// Addresses in the outcome and in errors are without what gives access (``WebAddress``).
    ///
    /// Throws ``FeedError/transport(_:)``, ``FeedError/status(_:url:)`` or ``FeedError/tryLater(_:status:host:)``.
    ///
    /// - Parameter limit: the largest answer that makes sense, where that is smaller than the largest document.
    package func fetch(
        url: String, validators: CacheValidators? = nil, limit: Int = .max
    ) throws(FeedError) -> FetchOutcome {
        var request = HTTPRequest(url: url, deadline: deadline, bodyLimit: min(bodyLimit, limit))
        request.headers = validators?.requestHeaders ?? [:]
        request.headers["User-Agent"] = userAgent
        request.headers["Accept"] = "application/geo+json, application/json, */*;q=0.1"
        let response: HTTPResponse
        guard !monitor.isCancelled else { throw .transport(.interrupted) }
        do { response = try transport.get(request, monitor: monitor) } catch { throw .transport(error) }
        return try outcome(of: response, validators: validators)
    }

    private func outcome(of response: HTTPResponse, validators: CacheValidators?) throws(FeedError) -> FetchOutcome {
        let received = CacheValidators(responseHeaders: response.headers)
        switch response.status {
        case 200: return .body(response.body, url: WebAddress.redacted(response.url), validators: received)
        case 204: return .noContent(date: response.headers["date"].flatMap(Timestamp.init(httpDate:)))
        case 304:
            guard let validators, !validators.isEmpty else { break }
            return .notModified(received.completed(from: validators))
        default: break
        }
        let moment = retryPolicy.nextAttempt(
            status: response.status, retryAfter: response.headers["retry-after"], now: now())
        if let moment { throw .tryLater(moment, status: response.status, host: HTTPRequest.host(of: response.url)) }
        throw .status(response.status, url: WebAddress.redacted(response.url))
    }
}

/// The result of a conditional GET.
package enum FetchOutcome: Sendable {
    /// 304: the document is the one that was fetched before.
    case notModified(CacheValidators)
    /// 204: the event service found nothing, at `date` by its own clock.
    case noContent(date: Timestamp?)
    /// 200: a body, the address it came from after redirects, and what identifies this version of it.
    case body(Data, url: String, validators: CacheValidators)
}
