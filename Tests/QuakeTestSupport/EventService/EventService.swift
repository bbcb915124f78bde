import Foundation
import QuakeModel

/// The rules of the event service, which determine the response to a request from a catalog.
///
/// Statuses and texts are those in the service's published source.
struct EventService: Sendable {
    var catalog: EventCatalog
    var settings = EventServiceSettings()

    /// Returns the response to `method` (`query`, `count`) with `parameters`, and its number of features. `target` is
    /// what the client sent.
    mutating func answer(
        _ method: String, _ parameters: [(name: String, value: String)], target: String
    ) -> (answer: ServedAnswer, rows: Int?) {
        guard method == "query" || method == "count" else { return (text(404, "Not Found", target), nil) }
        do throws(EventQuery.Refusal) {
            var query = try EventQuery(parameters)
            if query.isCSV, settings.csv == .rejected { throw EventQuery.Refusal("format", "csv") }
            if settings.cutsMilliseconds { query.cutMilliseconds() }
            if method == "count" { return (count(query), nil) }
            if let id = query.eventID { return (detail(id, query, target), nil) }
            return summary(query, target)
        } catch {
            return (text(400, error.message, target), nil)
        }
    }

    private func count(_ query: EventQuery) -> ServedAnswer {
        let count = settings.falseCount ?? catalog.rows(of: query).count
        guard settings.cutsAt == nil else { return .document(#"{"count":\#(count)}"#) }
        return .document(#"{"count":\#(count),"maxAllowed":\#(settings.maximumRows)}"#)
    }

    private mutating func summary(_ query: EventQuery, _ target: String) -> (ServedAnswer, Int?) {
        var query = query
        if settings.ignoresConditions { query.forgetConditions() }
        var rows = catalog.rows(of: query)
        if let least = settings.leastSignificance {
            rows.removeAll { catalog.events[$0].quake.significance ?? 0 < least }
        }
        if let most = settings.cutsAt { rows = Array(rows.prefix(most)) }
        let count = rows.count
        if let most = settings.mostRowsInTime, count > most { return (text(settings.lateStatus, "", target), nil) }
        guard count <= settings.maximumRows else {
            return (text(400, "\(count) matching events exceeds search limit of \(settings.maximumRows).", target), nil)
        }
        if count == 0 {
            if !query.includesDeleted {
                var other = query
                other.deleted = .included
                if !catalog.rows(of: other).isEmpty { return (text(409, Self.conflict, target), nil) }
            }
            if settings.answersNothingWith204 { return (ServedAnswer(status: 204), 0) }
        }
        if query.isCSV, settings.csv == .sent { return (.csv(catalog.csv(of: rows)), rows.count) }
        let body = catalog.collection(of: rows, target: target, count: settings.falseCount ?? count)
        return (.document(body), rows.count)
    }

    private func detail(_ id: String, _ query: EventQuery, _ target: String) -> ServedAnswer {
        guard let place = catalog.place(ofID: id) else { return text(404, "Not Found", target) }
        guard !catalog.events[place].isDeleted || query.includesDeleted else {
            return text(409, Self.conflict, target)
        }
        if query.includesSuperseded {
            return .document(catalog.details[id] ?? catalog.detailOfTwoSolutions(at: place))
        }
        return .document(catalog.detail(at: place))
    }

    private static let conflict =
        "The requested event has been deleted. To see information for deleted events, perform a search and use the "
        + "\"includedeleted\" option."

    /// Returns the service's text response with `status`.
    func text(_ status: Int, _ message: String, _ target: String, retryAfter: String? = nil) -> ServedAnswer {
        let body = "Error \(status)\n\n\(message)\n\nRequest:\n\(target.replacing("&", with: "&amp;"))\n"
        var answer = ServedAnswer(status: status, headers: ["Content-Type": "text/plain"], body: Data(body.utf8))
        answer.headers["Retry-After"] = retryAfter
        return answer
    }
}

/// The settings that a test may change on an ``EventServiceServer``.
public struct EventServiceSettings: Sendable {
    /// The maximum number of rows; a larger response is rejected.
    public var maximumRows = 20_000
    /// A query with more rows than this takes too long, and its response is ``lateStatus``.
    public var mostRowsInTime: Int?
    /// 503 or 504.
    public var lateStatus = 504
    /// Whether an empty result has the status 204, rather than being an empty collection.
    public var answersNothingWith204 = false
    /// What a request for CSV gets.
    public var csv = CSV.sent
    /// Whether times are truncated to whole seconds, as in the source of 2020.
    public var cutsMilliseconds = false
    /// The number of rows at which a response is silently truncated; the count does not reveal this.
    public var cutsAt: Int?
    /// Whether a query is treated as if it had only times.
    public var ignoresConditions = false
    /// The least significance of the quakes in a feed of significant quakes.
    var leastSignificance: Int64?
    /// A count reported instead of the true one.
    var falseCount: Int?

    /// The ways in which a service treats a request for CSV.
    public enum CSV: Sendable {
        case sent, rejected
        /// The response is GeoJSON.
        case ignored
    }

    /// Creates the settings of an honest service with generous limits.
    public init() {}
}

extension EventQuery {
    fileprivate mutating func forgetConditions() {
        (magnitudes, depths, latitudes, longitudes) = (Bounds(), Bounds(), Bounds(), Bounds())
        (center, radiusKilometers, types) = ((nil, nil), nil, nil)
    }

    fileprivate mutating func cutMilliseconds() {
        func cut(_ moment: Timestamp?) -> Timestamp? {
            moment.map { Timestamp(milliseconds: ($0.milliseconds - ($0.milliseconds % 1000 + 1000) % 1000)) }
        }
        (start, end, updatedAfter) = (cut(start), cut(end), cut(updatedAfter))
    }
}
