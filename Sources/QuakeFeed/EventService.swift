package import FoundationEssentials
import Glibc
package import QuakeModel

/// Asks the event service about a quake that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds, and so is one that a stale server does not list yet. The service tells
/// them apart: it answers 409 for a deleted quake, and with another id for one that was merged or renamed.
package final class EventService {
    /// What the service answers.
    package enum Answer: Hashable, Sendable {
        /// The quake was deleted (409).
        case deleted
        /// The quake exists, under this or another id (200).
        case known(Quake)
        /// Nothing certain: 204, 404, or an answer over another scheme than the one that was asked.
        case unsettled
    }

    private let client: FeedClient
    private let endpoint: EventEndpoint
    private var pace: RequestPace

    /// The service at `endpoint`, called through `client` at `pace`.
    package init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        self.client = client
        self.endpoint = endpoint
        self.pace = pace
    }

    /// The address of the service, without what gives access (``/QuakeModel/WebAddress``).
    package var address: String { WebAddress.redacted(endpoint.base) }

    /// The name under which the cache remembers how the service answered.
    package var recordName: String { Self.recordPrefix + address }

    /// What the name of such a record starts with.
    package static let recordPrefix = "event service "

    /// Asks for the quake with the id `id`, waiting as long as the pace demands. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or answers with something else than a quake.
    package func ask(about id: String) throws(FeedError) -> Answer? {
        guard pace.take() else { return nil }
        let url = endpoint.url(forID: id)
        do throws(FeedError) {
            return try answer(to: url)
        } catch {
            switch error {
            case .status(409, let origin) where EventService.haveSameScheme(origin, url): return .deleted
            case .status(404, _), .status(409, _): return .unsettled
            default: throw error
            }
        }
    }

    /// Asks in one request which quakes of these origin times were deleted. Nil when this run may ask no more.
    ///
    /// - Returns: their ids in lower case; none when the service refuses the question, for example because it has too
    ///   many rows.
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or answers with something else.
    package func deletedIDs(in originTimes: ClosedRange<Timestamp>) throws(FeedError) -> Set<String>? {
        guard pace.take() else { return nil }
        let url = endpoint.url(forDeletedIn: originTimes)
        do throws(FeedError) {
            guard let body = try body(of: url) else { return [] }
            do throws(DocumentError) {
                return try DeletedEventsDocument(body).ids
            } catch {
                throw .document(error, source: WebAddress.redacted(url))
            }
        } catch {
            if case .status(400...499, _) = error { return [] }
            throw error
        }
    }

    private func answer(to url: String) throws(FeedError) -> Answer {
        guard let body = try body(of: url) else { return .unsettled }
        do throws(DocumentError) {
            return .known(try EventDocument(body).quake)
        } catch {
            throw .document(error, source: WebAddress.redacted(url))
        }
    }

    /// The answer to `url`; nil for an empty one and for one over another scheme.
    private func body(of url: String) throws(FeedError) -> Data? {
        guard case .body(let body, let origin, _) = try client.fetch(url: url),
            EventService.haveSameScheme(origin, url)
        else { return nil }
        return body
    }

    private static func haveSameScheme(_ left: String, _ right: String) -> Bool {
        func scheme(_ url: String) -> String { url.prefix { $0 != ":" }.lowercased() }
        return scheme(left) == scheme(right)
    }
}

/// The address of the event service.
public struct EventEndpoint: Hashable, Sendable {
    /// The address of the query, without parameters.
    public let base: String

    /// The service at `base`; by default that of earthquake.usgs.gov.
    public init(base: String = "https://earthquake.usgs.gov/fdsnws/event/1/query") {
        self.base = base
    }

    /// The address for the quake one of whose ids is `id`, in GeoJSON.
    package func url(forID id: String) -> String {
        url(with: "eventid=\(EventEndpoint.escaped(id))&format=geojson")
    }

    /// The address for the deleted quakes of these origin times, both ends included, in GeoJSON.
    package func url(forDeletedIn originTimes: ClosedRange<Timestamp>) -> String {
        // Without a time zone the service takes a time as UTC.
        func text(_ moment: Timestamp) -> String { String(moment.iso8601.prefix { $0 != "Z" }) }
        return url(
            with: "format=geojson&includedeleted=only&starttime=\(text(originTimes.lowerBound))"
                + "&endtime=\(text(originTimes.upperBound))")
    }

    private func url(with parameters: String) -> String {
        "\(base)\(base.contains("?") ? "&" : "?")\(parameters)"
    }

    /// An id comes from the network: everything but letters, digits, `-_.` is percent-encoded (RFC 3986, 2.1).
    private static func escaped(_ id: String) -> String {
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

    /// Reads `body`.
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
            throw .notJSON(offset: 0, reason: context.debugDescription)
        } catch {
            throw .notAFeature(found: "a list or a single value")
        }
    }

    private struct Kind: Decodable {
        var type: String?
    }
}

/// The event service's answer about the deleted quakes of a stretch of time: a FeatureCollection.
struct DeletedEventsDocument {
    /// All ids of the quakes that it says were deleted, in lower case.
    let ids: Set<String>

    /// Reads `body`. Only features with the status `deleted` count: a server that does not know the question may answer
    /// with quakes that exist.
    init(_ body: Data) throws(DocumentError) {
        let collection: Collection
        do {
            collection = try JSONDecoder().decode(Collection.self, from: body)
        } catch DecodingError.dataCorrupted(let context) {
            throw .notJSON(offset: 0, reason: context.debugDescription)
        } catch {
            throw .notAFeatureCollection(found: "a value of another kind")
        }
        if let status = collection.metadata?.status, status >= 400 {
            throw .sourceFailure(status: status, title: collection.metadata?.title)
        }
        guard collection.type == "FeatureCollection", let features = collection.features else {
            throw .notAFeatureCollection(found: collection.type.map { "a \($0)" } ?? "an object without a type")
        }
        var ids: Set<String> = []
        for feature in features where feature.properties?.status?.lowercased() == "deleted" {
            if let id = feature.id { ids.insert(id.lowercased()) }
            ids.formUnion((feature.properties?.ids ?? "").lowercased().split(separator: ",").map { String($0) })
        }
        self.ids = ids
    }

    private struct Collection: Decodable {
        var type: String?
        var metadata: Metadata?
        var features: [Feature]?
    }

    private struct Metadata: Decodable {
        var status: Int?
        var title: String?
    }

    private struct Feature: Decodable {
        var id: String?
        var properties: Properties?
    }

    private struct Properties: Decodable {
        var status: String?
        var ids: String?
    }
}

/// How fast and how often a server may be called in one run.
package struct RequestPace: Sendable {
    /// The minimum time from one request to the next.
    package var interval: Duration
    /// How many requests are left.
    package var limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) -> Void
    private var last: ContinuousClock.Instant?

    /// A pace; by default one request a second and 50 in all, well below the event service's limit of 500 in 5 minutes.
    package init(
        interval: Duration = .seconds(1), limit: Int = 50,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) -> Void = RequestPace.sleep
    ) {
        self.interval = interval
        self.limit = limit
        self.now = now
        self.pause = pause
    }

    /// Waits until the next request may be sent, and counts it. False when no more may be sent.
    mutating func take() -> Bool {
        guard limit > 0 else { return false }
        limit -= 1
        // A signal may end a pause early.
        while let last, now() - last < interval { pause(interval - (now() - last)) }
        last = now()
        return true
    }

    /// Lets the thread sleep.
    package static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
