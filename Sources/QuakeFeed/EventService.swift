public import FoundationEssentials
import Glibc
public import QuakeModel

/// Asks the event service about a quake that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds, and so is one that a stale server does not list yet. The service tells them
/// apart: it answers 409 for a deleted quake, and with another id for one that was merged or renamed.
public final class EventService {
    /// What the service answers.
    public enum Answer: Hashable, Sendable {
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
    public init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        self.client = client
        self.endpoint = endpoint
        self.pace = pace
    }

    /// The address of the service.
    public var address: String { endpoint.base }

    /// Asks for the quake with the id `id`, waiting as long as the pace demands. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` if the service cannot be reached, fails, or answers with something else than a quake.
    public func ask(about id: String) throws(FeedError) -> Answer? {
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

    private func answer(to url: String) throws(FeedError) -> Answer {
        guard case .body(let body, let origin, _) = try client.fetch(url: url),
            EventService.haveSameScheme(origin, url)
        else { return .unsettled }
        do throws(DocumentError) {
            return .known(try EventDocument(body).quake)
        } catch {
            throw .document(error, source: url)
        }
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
    public func url(forID id: String) -> String {
        "\(base)\(base.contains("?") ? "&" : "?")eventid=\(EventEndpoint.escaped(id))&format=geojson"
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
public struct EventDocument: Sendable {
    /// The quake. Unknown properties are left out: the service adds all products of a quake.
    public let quake: Quake

    /// Reads `body`.
    public init(_ body: Data) throws(DocumentError) {
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

/// How fast and how often a server may be called in one run.
public struct RequestPace: Sendable {
    /// The minimum time from one request to the next.
    public var interval: Duration
    /// How many requests are left.
    public var limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) -> Void
    private var last: ContinuousClock.Instant?

    /// A pace; by default one request a second and 50 in all, well below the event service's limit of 500 in 5 minutes.
    public init(
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
    public static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
