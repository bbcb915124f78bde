import FoundationEssentials

/// The client for the event service, which determines what happened to quakes that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds, but so is a quake that a stale server does not list yet. The service
/// tells them apart: it returns status 409 for a deleted quake. For a merged or renamed quake, it returns the new id.
package final class EventService {
    /// The maximum size in bytes of a response with a count. It is small, because JSONDecoder takes 30 bytes of memory
    /// per byte.
    private static let maximumCountBytes = 64 << 10
    /// The maximum size in bytes of the response for one quake, which includes all its products.
    private static let maximumEventBytes = 4 << 20

    private let client: FeedClient
    private let endpoint: EventEndpoint
    private var pace: RequestPace
    /// The error because of which this run no longer requests CSV; nil if there was none.
    var refusalOfCSV: FeedError?
    /// Whether the service has answered a request for CSV in this run.
    private var hasSentCSV = false

    package init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        self.client = client
        self.endpoint = endpoint
        self.pace = pace
    }

    /// The URL of the service, without credentials (``/QuakeModel/WebAddress``).
    package var address: String { WebAddress.redacted(endpoint.base) }
    /// The name under which the cache records the service.
    package var feedRecordName: String { Self.feedRecordName(of: endpoint) }

    /// Returns the name under which the cache records the service at `endpoint`.
    package static func feedRecordName(of endpoint: EventEndpoint) -> String {
        SourceName.servicePrefix + WebAddress.redacted(endpoint.base)
    }

    /// The name under which the cache records the daily requests for deleted quakes.
    package var deletionsFeedRecordName: String { Self.deletionsFeedRecordName(of: endpoint) }

    package static func deletionsFeedRecordName(of endpoint: EventEndpoint) -> String {
        feedRecordName(of: endpoint) + SourceName.deletionsSuffix
    }

    /// Returns the URL of `query`, without credentials.
    package func shownURL(of query: CatalogQuery) -> String {
        WebAddress.redacted(endpoint.url(with: query.parametersWithDeleted))
    }

    package var interval: Duration { pace.interval }
    package var requests: Int { pace.taken }
    /// The number of requests that this run may still send.
    package var requestsLeft: Int { pace.limit }

    /// Requests the quake with the id `id`, after the minimum time since the last request. Returns nil if this run may
    /// send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or returns anything but this quake.
    package func ask(about id: String) throws(FeedError) -> DatedAnswer<Quake>? {
        let url = endpoint.url(forID: id)
        return try answer(about: id, from: url, limit: EventService.maximumEventBytes) { body throws(DocumentError) in
            let quake = try EventDocument(body).quake
            return (quake, Set(quake.aliases.map { $0.lowercased() }))
        }
    }

    /// Requests the quake with the id `id` and every version of its products. Returns nil if this run may send no more
    /// requests.
    ///
    /// - Throws: the same errors as ``ask(about:)``.
    package func details(ofID id: String) throws(FeedError) -> DatedAnswer<DetailDocument>? {
        let url = endpoint.url(forVersionsOfID: id)
        return try answer(about: id, from: url, limit: DetailDocument.maximumBytes) { body throws(DocumentError) in
            let document = try DetailDocument(body)
            return (document, document.ids)
        }
    }

    /// - Parameter read: decodes the body of a response, and returns the document and all ids, in lowercase, of its
    ///   quake.
    private func answer<Document: Sendable>(
        about id: String, from url: String, limit: Int,
        _ read: (Data) throws(DocumentError) -> (document: Document, ids: Set<String>)
    ) throws(FeedError) -> DatedAnswer<Document>? {
        guard pace.take() else { return nil }
        let response = try client.response(from: url, limit: limit)
        let answer = try answer(in: response, to: url, about: id, read)
        return DatedAnswer(answer: answer, date: response.date)
    }

    private func answer<Document: Sendable>(
        in response: TransportResponse, to url: String, about id: String,
        _ read: (Data) throws(DocumentError) -> (document: Document, ids: Set<String>)
    ) throws(FeedError) -> EventAnswer<Document> {
        let hasSameScheme = EventService.haveSameScheme(response.url, url)
        switch response.status {
        case 409 where hasSameScheme: return .deleted
        case 404, 409: return .unsettled
        default: break
        }
        guard try client.accepted(response).status == 200, hasSameScheme else { return .unsettled }
        do throws(DocumentError) {
            let (document, ids) = try read(response.body)
            guard ids.contains(id.lowercased()) else {
                throw .otherDocument(asked: id, found: "about \(ids.sorted().joined(separator: ", "))")
            }
            return .known(document)
        } catch {
            throw .document(error, source: WebAddress.redacted(url))
        }
    }

    /// Requests the number of quakes that match `query`. Returns nil if this run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, rejects the request, or returns anything but a
    ///   count.
    package func count(of query: CatalogQuery) throws(FeedError) -> CatalogCount? {
        guard pace.take() else { return nil }
        let url = try endpoint.countURL(with: query.parameters)
        let response = try client.fetch(url: url, limit: EventService.maximumCountBytes)
        guard response.status == 200 else { return CatalogCount(count: 0) }
        guard let count = try? JSONDecoder().decode(CatalogCount.self, from: response.body), count.isPlausible else {
            throw .document(
                DocumentError(.unsuitable, "it does not contain a count"), source: WebAddress.redacted(url))
        }
        return count
    }

    /// Requests the quakes that match `query`. Returns nil if this run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or rejects the request.
    package func response(to query: CatalogQuery) throws(FeedError) -> TransportResponse? {
        guard pace.take() else { return nil }
        return try client.fetch(url: endpoint.url(with: query.parametersWithDeleted))
    }

    /// Requests the quakes that match `query`, with their uncertainties. The service has just sent the same quakes as
    /// GeoJSON. So if the service rejects the first request for CSV, the number of quakes is not the reason. Returns
    /// nil if this run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, rejects the request, or cannot send CSV.
    package func uncertainties(for query: CatalogQuery) throws(FeedError) -> TransportResponse? {
        do throws(FeedError) {
            let response = try response(to: query)
            hasSentCSV = hasSentCSV || response != nil
            return response
        } catch .status(400, _) where !hasSentCSV {
            throw .document(.noUncertainties("format=csv was rejected with status 400"), source: address)
        }
    }

    /// Requests the quakes that happened at `start` or later and were deleted at `since` or later. Returns nil if this
    /// run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or rejects the request.
    package func deletions(since: Timestamp, originTimesFrom start: Timestamp) throws(FeedError) -> TransportResponse? {
        guard pace.take() else { return nil }
        let parameters =
            "format=geojson&includedeleted=only&starttime=\(start.wholeSecondText)"
            + "&updatedafter=\(since.wholeSecondText)"
        return try client.fetch(url: endpoint.url(with: parameters))
    }

    private static func haveSameScheme(_ left: String, _ right: String) -> Bool {
        func scheme(_ url: String) -> String { url.prefix { $0 != ":" }.lowercased() }
        return scheme(left) == scheme(right)
    }
}
