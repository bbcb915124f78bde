public import QuakeModel

/// Asks the event service what it knows of a quake that the feeds no longer list (rule 9).
///
/// A deleted quake is simply absent from feeds; the service tells it from one that a slow server forgot: it answers 409
/// for a deleted quake, and with another id for one that was merged or renamed.
public final class EventService {
    /// What the service knows.
    public enum Answer: Hashable, Sendable {
        /// The quake was deleted (409).
        case deleted
        /// The quake, under this or another id (200).
        case known(Quake)
        /// Nothing that decides anything: 204, 404, or the word of another scheme than the one that was asked.
        case unsettled
    }

    private let client: FeedClient
    private let endpoint: EventEndpoint
    private var pace: RequestPace

    /// The service at `endpoint`, asked through `client` at `pace`.
    public init(client: FeedClient, endpoint: EventEndpoint = EventEndpoint(), pace: RequestPace = RequestPace()) {
        self.client = client
        self.endpoint = endpoint
        self.pace = pace
    }

    /// The address of the service.
    public var address: String { endpoint.base }

    /// Asks for the quake with the id `id`; waits for its turn. Nil when this run may ask no more.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, fails, or answers with something else than a quake.
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
        guard case .body(let document, let origin, _) = try client.fetch(url: url),
            EventService.haveSameScheme(origin, url)
        else { return .unsettled }
        do throws(DocumentError) {
            return .known(try EventDocument(document.bytes).quake)
        } catch {
            throw .document(error, source: url)
        }
    }

    private static func haveSameScheme(_ left: String, _ right: String) -> Bool {
        func scheme(_ url: String) -> String { url.prefix { $0 != ":" }.lowercased() }
        return scheme(left) == scheme(right)
    }
}
