package import FoundationEssentials

/// Asks the event service about a quake that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds, and so is one that a stale server does not list yet. The service tells
/// them apart: it answers 409 for a deleted quake, and with another id for one that was merged or renamed.
package final class EventService {
    /// What the service answers.
    package enum Response: Hashable, Sendable {
        /// The quake was deleted (409).
        case deleted
        /// The quake exists, under this or another id (200).
        case known(Quake)
        /// Nothing certain: 204, 404, or an answer over another scheme than the one that was asked.
        case unsettled
        /// The service cannot answer the question, however often it is asked, or its answer cannot be read.
        case unreadable
    }

    /// Answers that are decoded as a whole are small: JSONDecoder takes thirty bytes for each.
    private static let largestCount = 64 << 10
    /// The service adds all products of a quake.
    private static let largestEvent = 4 << 20

    private let client: FeedClient
    private let endpoint: EventEndpoint
    private var pace: RequestPace

    package init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        (self.client, self.endpoint, self.pace) = (client, endpoint, pace)
    }

    /// The address of the service, without what gives access (``/QuakeModel/WebAddress``).
    package var address: String { WebAddress.redacted(endpoint.base) }
    /// The name under which the cache remembers how the service answered.
    package var recordName: String { Self.recordName(of: endpoint) }

    /// The name under which the cache remembers how the service at `endpoint` answered.
    package static func recordName(of endpoint: EventEndpoint) -> String {
        SourceName.servicePrefix + WebAddress.redacted(endpoint.base)
    }

    /// The address of the answer to `query`, without what gives access.
    package func address(of query: CatalogQuery) -> String {
        WebAddress.redacted(endpoint.url(with: query.parametersWithDeleted))
    }

    package var interval: Duration { pace.interval }
    package var requests: Int { pace.taken }
    /// How many requests this run may still send.
    package var requestsLeft: Int { pace.limit }

    /// Asks for the quake with the id `id`, waiting as long as the pace demands. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or answers with something else than this quake.
    package func ask(about id: String) throws(FeedError) -> Response? {
        guard pace.take() else { return nil }
        let url = endpoint.url(forID: id)
        return try answer(to: url, deleted: .deleted, unknown: .unsettled) { () throws(FeedError) in
            guard let body = try body(of: url, limit: EventService.largestEvent) else { return .unsettled }
            return try read(url) { () throws(DocumentError) in
                let quake = try EventDocument(body).quake
                try requireID(id, among: Set(quake.aliases.map { $0.lowercased() }))
                return .known(quake)
            }
        }
    }

    /// Asks for the quake with the id `id` and every version of its products. Nil when this run may ask no more.
    ///
    /// - Throws: as ``ask(about:)``.
    package func details(ofID id: String) throws(FeedError) -> DetailAnswer? {
        guard pace.take() else { return nil }
        let url = endpoint.url(forVersionsOfID: id)
        return try answer(to: url, deleted: .deleted, unknown: .unknown) { () throws(FeedError) in
            guard let body = try body(of: url, limit: DetailDocument.mostBytes) else { return .unknown }
            return try read(url) { () throws(DocumentError) in
                let document = try DetailDocument(body)
                try requireID(id, among: document.ids)
                return .known(document)
            }
        }
    }

    /// Asks how many quakes answer `query`. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, refuses the question, or answers with something
    ///   else.
    package func count(of query: CatalogQuery) throws(FeedError) -> CatalogCount? {
        guard pace.take() else { return nil }
        let url = try endpoint.countURL(with: query.parameters)
        guard case .body(let body, _, _) = try client.fetch(url: url, limit: EventService.largestCount) else {
            return CatalogCount(count: 0)
        }
        guard let answer = try? JSONDecoder().decode(CatalogCount.self, from: body), answer.isPlausible else {
            throw .document(
                DocumentError(.unsuitable, "it does not contain a count"), source: WebAddress.redacted(url))
        }
        return answer
    }

    /// Asks for the quakes that answer `query`. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or refuses the question.
    package func answer(to query: CatalogQuery) throws(FeedError) -> FetchOutcome? {
        guard pace.take() else { return nil }
        return try client.fetch(url: endpoint.url(with: query.parametersWithDeleted))
    }

    /// What `body` finds out about a quake, or what the service says by a status of its own: 409 or 404.
    private func answer<Result>(
        to url: String, deleted: Result, unknown: Result, _ body: () throws(FeedError) -> Result
    ) throws(FeedError) -> Result {
        do throws(FeedError) {
            return try body()
        } catch {
            switch error {
            case .status(409, let origin) where EventService.haveSameScheme(origin, url): return deleted
            case .status(404, _), .status(409, _): return unknown
            default: throw error
            }
        }
    }

    /// Refuses an answer about another quake than `id`, which has none of these ids, in lower case.
    private func requireID(_ id: String, among ids: Set<String>) throws(DocumentError) {
        guard ids.contains(id.lowercased()) else {
            throw .other(asked: id, found: "about \(ids.sorted().joined(separator: ", "))")
        }
    }

    private func read<Result>(
        _ url: String, _ body: () throws(DocumentError) -> Result
    ) throws(FeedError) -> Result {
        do throws(DocumentError) {
            return try body()
        } catch {
            throw .document(error, source: WebAddress.redacted(url))
        }
    }

    /// The answer to `url`; nil for an empty one and for one over another scheme.
    private func body(of url: String, limit: Int) throws(FeedError) -> Data? {
        guard case .body(let body, let origin, _) = try client.fetch(url: url, limit: limit),
            EventService.haveSameScheme(origin, url)
        else { return nil }
        return body
    }

    private static func haveSameScheme(_ left: String, _ right: String) -> Bool {
        func scheme(_ url: String) -> String { url.prefix { $0 != ":" }.lowercased() }
        return scheme(left) == scheme(right)
    }
}

/// What the service answers about a quake and the versions of its products.
package enum DetailAnswer: Sendable {
    /// The versions (200).
    case known(DetailDocument)
    /// The quake was deleted (409).
    case deleted
    /// The service does not know the quake (204, 404).
    case unknown
}

/// How many quakes answer a ``CatalogQuery``.
package struct CatalogCount: Hashable, Sendable, Decodable {
    package var count: Int
    /// The service refuses to answer with more; nil if it does not say so.
    package var maxAllowed: Int?

    /// Whether a catalog of quakes can have the count.
    fileprivate var isPlausible: Bool { (0...1_000_000_000).contains(count) && maxAllowed.map { $0 > 0 } ?? true }

    package init(count: Int, maxAllowed: Int? = nil) { (self.count, self.maxAllowed) = (count, maxAllowed) }
}

/// The address of the event service.
public struct EventEndpoint: Hashable, Sendable, Codable {
    /// The address of the query, without parameters.
    public let base: String

    /// The service at `base`; by default that of earthquake.usgs.gov.
    public init(base: String = Quake.eventService) { self.base = base }

    /// Whether the service runs on this machine, as a copy or a test does.
    package var isOnThisMachine: Bool {
        let host = HTTPRequest.host(of: base)
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// The address for the quake one of whose ids is `id`, in GeoJSON.
    package func url(forID id: String) -> String { url(with: "eventid=\(EventEndpoint.escaped(id))&format=geojson") }

    /// The address for the quake one of whose ids is `id` and every version of its products, in GeoJSON.
    package func url(forVersionsOfID id: String) -> String {
        url(with: "format=geojson&eventid=\(EventEndpoint.escaped(id))&includesuperseded=true&includedeleted=false")
    }

    /// The address of the query with these parameters.
    func url(with parameters: String) -> String { "\(base)\(base.contains("?") ? "&" : "?")\(parameters)" }

    /// Refuses a base that is not the URL of a query: its 404s would read as quakes that the service does not know.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    package func requireQuery() throws(FeedError) {
        guard EventEndpoint.isQuery(base) else {
            throw .unusableQuery(
                "\(WebAddress.redacted(base)) is not the URL of an event service. It must end with /query.")
        }
    }

    /// Whether `url` is that of a query, as event services have them.
    package static func isQuery(_ url: String) -> Bool { url.prefix { $0 != "?" }.hasSuffix("/query") }

    /// Whether `url` asks an event service for quakes or for their number.
    static func isRequest(_ url: String) -> Bool {
        isQuery(url) || url.contains("://") && url.prefix { $0 != "?" }.hasSuffix("/count")
    }

    /// The URL of the count with these parameters: `count` stands beside `query`.
    ///
    /// - Throws: ``FeedError/unusableQuery(_:)``.
    func countURL(with parameters: String) throws(FeedError) -> String {
        try requireQuery()
        let parts = base.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let keys = parts.count > 1 ? "?\(parts[1])&" : "?"
        return "\(parts[0].dropLast("query".count))count\(keys)\(parameters)"
    }

    /// Percent-encodes everything but letters, digits and `-_.` of a value from outside (RFC 3986, 2.1).
    static func escaped(_ id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": text.unicodeScalars.append(scalar)
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

/// The event service's answer about one quake: a bare GeoJSON Feature.
package struct EventDocument: Sendable {
    /// The quake. Unknown properties are left out: the service adds all products of a quake.
    package let quake: Quake

    package init(_ body: Data) throws(DocumentError) {
        do {
            let decoder = JSONDecoder()
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
