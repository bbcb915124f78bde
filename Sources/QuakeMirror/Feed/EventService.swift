package import FoundationEssentials

/// The client for the event service, which determines what happened to quakes that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds, but so is a quake that a stale server does not list yet. The service
/// distinguishes the two: it returns 409 for a deleted quake, and another id for a merged or renamed quake.
package final class EventService {
    /// The maximum size of a count, which is small because JSONDecoder takes 30 bytes of memory per byte.
    private static let largestCount = 64 << 10
    /// The maximum size of the response for one quake, which includes all its products.
    private static let largestEvent = 4 << 20

    private let client: FeedClient
    private let endpoint: EventEndpoint
    private var pace: RequestPace

    package init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        self.client = client
        self.endpoint = endpoint
        self.pace = pace
    }

    /// The address of the service, without credentials (``/QuakeModel/WebAddress``).
    package var address: String { WebAddress.redacted(endpoint.base) }
    /// The name under which the cache records the service.
    package var recordName: String { Self.recordName(of: endpoint) }

    /// Returns the name under which the cache records the service at `endpoint`.
    package static func recordName(of endpoint: EventEndpoint) -> String {
        SourceName.servicePrefix + WebAddress.redacted(endpoint.base)
    }

    /// The name under which the cache records the daily requests for deleted quakes.
    package var deletionsRecordName: String { Self.deletionsRecordName(of: endpoint) }

    package static func deletionsRecordName(of endpoint: EventEndpoint) -> String {
        recordName(of: endpoint) + SourceName.deletionsSuffix
    }

    /// Returns the address of `query`, without credentials.
    package func address(of query: CatalogQuery) -> String {
        WebAddress.redacted(endpoint.url(with: query.parametersWithDeleted))
    }

    package var interval: Duration { pace.interval }
    package var requests: Int { pace.taken }
    /// The number of requests that this run may still send.
    package var requestsLeft: Int { pace.limit }

    /// Requests the quake with the id `id`, after waiting as long as the pace demands. Returns nil if this run may send
    /// no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or returns anything but this quake.
    package func ask(about id: String) throws(FeedError) -> DatedAnswer<Quake>? {
        let url = endpoint.url(forID: id)
        return try answer(about: id, from: url, limit: EventService.largestEvent) { body throws(DocumentError) in
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
        return try answer(about: id, from: url, limit: DetailDocument.mostBytes) { body throws(DocumentError) in
            let document = try DetailDocument(body)
            return (document, document.ids)
        }
    }

    /// - Parameter read: reads a response and the ids, in lowercase, of the quake that it is about.
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
        guard case .body(let body, _, _, _) = try client.outcome(of: response), hasSameScheme else {
            return .unsettled
        }
        do throws(DocumentError) {
            let (document, ids) = try read(body)
            guard ids.contains(id.lowercased()) else {
                throw .other(asked: id, found: "about \(ids.sorted().joined(separator: ", "))")
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
        guard case .body(let body, _, _, _) = try client.fetch(url: url, limit: EventService.largestCount) else {
            return CatalogCount(count: 0)
        }
        guard let answer = try? JSONDecoder().decode(CatalogCount.self, from: body), answer.isPlausible else {
            throw .document(
                DocumentError(.unsuitable, "it does not contain a count"), source: WebAddress.redacted(url))
        }
        return answer
    }

    /// Requests the quakes that match `query`. Returns nil if this run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or rejects the request.
    package func answer(to query: CatalogQuery) throws(FeedError) -> FetchOutcome? {
        guard pace.take() else { return nil }
        return try client.fetch(url: endpoint.url(with: query.parametersWithDeleted))
    }

    /// Requests the quakes that happened at `start` or later and were deleted at `since` or later. Returns nil if this
    /// run may send no more requests.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or rejects the request.
    package func deletions(since: Timestamp, originTimesFrom start: Timestamp) throws(FeedError) -> FetchOutcome? {
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

/// The result of a request for one quake.
package enum EventAnswer<Document: Sendable>: Sendable {
    /// The quake was deleted (409).
    case deleted
    /// The quake exists, under this or another id (200).
    case known(Document)
    /// The outcome is uncertain: status 204 or 404, a response over a different scheme than the request, or one that
    /// cannot be used.
    case unsettled
}

extension EventAnswer: Equatable where Document: Equatable {}

/// An answer about one quake, and its time by the server's clock.
package struct DatedAnswer<Document: Sendable>: Sendable {
    package let answer: EventAnswer<Document>
    /// Nil if the response contains no `Date`.
    package let date: Timestamp?
}

/// The number of quakes that match a ``CatalogQuery``.
package struct CatalogCount: Hashable, Sendable, Decodable {
    package var count: Int
    /// The maximum number of quakes in a response; nil if the service does not report it.
    package var maxAllowed: Int?

    /// Whether the count is possible for a catalog of quakes.
    fileprivate var isPlausible: Bool { (0...1_000_000_000).contains(count) && maxAllowed.map { $0 > 0 } ?? true }
}

/// The address of an event service.
public struct EventEndpoint: Hashable, Sendable {
    /// The address for queries, without parameters.
    public let base: String

    /// Creates an endpoint with the address `base`, which is the USGS service by default.
    public init(base: String = "https://earthquake.usgs.gov/fdsnws/event/1/query") { self.base = base }

    /// Whether the service runs on this machine, as a copy or test server does.
    package var isOnThisMachine: Bool {
        let host = TransportRequest.host(of: base)
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Returns the GeoJSON address for the quake with the id `id`, which need not be its preferred id.
    package func url(forID id: String) -> String { url(with: "eventid=\(EventEndpoint.escaped(id))&format=geojson") }

    /// Returns the GeoJSON address for the same quake as ``url(forID:)``, with every version of its products.
    package func url(forVersionsOfID id: String) -> String {
        url(with: "format=geojson&eventid=\(EventEndpoint.escaped(id))&includesuperseded=true&includedeleted=false")
    }

    /// Returns the address of the query with these parameters.
    func url(with parameters: String) -> String { "\(base)\(base.contains("?") ? "&" : "?")\(parameters)" }

    /// Rejects a base that is not the URL of a query, because its 404s would look like unknown quakes.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    package func requireQuery() throws(FeedError) {
        guard EventEndpoint.isQuery(base) else {
            throw .unusableQuery(
                "\(WebAddress.redacted(base)) is not the URL of an event service. The URL must end with /query.")
        }
    }

    /// Returns whether `url` is the URL of an event service query.
    package static func isQuery(_ url: String) -> Bool { url.prefix { $0 != "?" }.hasSuffix("/query") }

    /// Returns whether `url` requests quakes or their number from an event service.
    static func isRequest(_ url: String) -> Bool {
        isQuery(url) || url.contains("://") && url.prefix { $0 != "?" }.hasSuffix("/count")
    }

    /// Returns the URL for counting quakes with these parameters: `count` replaces `query`.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    func countURL(with parameters: String) throws(FeedError) -> String {
        try requireQuery()
        let parts = base.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let keys = parts.count > 1 ? "?\(parts[1])&" : "?"
        return "\(parts[0].dropLast("query".count))count\(keys)\(parameters)"
    }

    /// Percent-encodes everything except letters, digits and `-_.` in an external value (RFC 3986, 2.1).
    static func escaped(_ id: String) -> String {
        id.utf8.map { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": String(Unicode.Scalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

/// The event service's response about one quake, a bare GeoJSON Feature.
package struct EventDocument: Sendable {
    /// The quake. Unknown properties are omitted, because the service includes all products among them.
    package let quake: Quake

    package init(_ body: Data) throws(DocumentError) {
        do {
            let decoder = JSONDecoder()
            let body = body.withUnsafeBytes { Data(JSONRepair($0).text) }
            let type = try decoder.decode(Kind.self, from: body).type
            guard type == "Feature" else {
                throw DocumentError.notAFeature(found: type.map { "a \($0)" } ?? "an object without a type")
            }
            quake = try decoder.decode(GeoJSONFeature.self, from: body).quake
        } catch let error as DocumentError {
            throw error
        } catch let defect as FeatureDefect {
            throw .badFeatures([SkippedFeature(position: 1, id: nil, defect: defect)])
        } catch DecodingError.dataCorrupted(let context) {
            throw .notJSON(offset: 0, reason: context.reason)
        } catch {
            throw .notAFeature(found: "a list or a single value")
        }
    }

    private struct Kind: Decodable {
        var type: String?
    }
}
