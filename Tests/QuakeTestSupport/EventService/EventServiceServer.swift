import Foundation
import Synchronization

/// A real HTTP server on the loopback interface that implements the protocol of the USGS event service, over a catalog
/// that a test changes while it runs.
///
/// It is strict: unknown parameters and values are rejected as by the service. Faults happen only when a test requests
/// them.
public final class EventServiceServer: Sendable {
    private struct State {
        var service: EventService
        var requests: [EventServiceRequest] = []
        var inFlight = 0
        var queuedFaults: [EventServiceFault] = []
        var faults: @Sendable (EventServiceRequest) -> EventServiceFault? = { _ in nil }
    }

    private let listener: LoopbackServer
    private let state: Mutex<State>

    private init(_ catalog: EventCatalog) throws {
        listener = try LoopbackServer()
        state = Mutex(State(service: EventService(catalog: catalog)))
    }

    /// Returns an event service over `catalog`, which stops with the test. The suite must have the trait `.scratch`.
    public static func ofTest(_ catalog: EventCatalog = EventCatalog()) throws -> EventServiceServer {
        let server = try EventServiceServer(catalog)
        try server.listener.start(server.answer)
        return server
    }

    /// The port on which it listens.
    public var port: UInt16 { listener.port }

    /// The address of `query`, without parameters.
    public var queryURL: String { "http://127.0.0.1:\(port)/fdsnws/event/1/query" }

    /// The catalog's current state.
    public var catalog: EventCatalog { state.withLock { $0.service.catalog } }

    /// Changes the catalog between two responses.
    @discardableResult
    public func change<Result: Sendable>(_ body: (inout EventCatalog) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0.service.catalog) }
    }

    /// Changes how the service responds.
    public func configure(_ body: (inout EventServiceSettings) -> Void) {
        state.withLock { body(&$0.service.settings) }
    }

    /// Makes the next requests fail, with one fault for each.
    public func fail(next faults: EventServiceFault...) { state.withLock { $0.queuedFaults += faults } }

    /// Calls `faults` with every request without a queued fault. It must not call this server.
    public func fail(where faults: @escaping @Sendable (EventServiceRequest) -> EventServiceFault?) {
        state.withLock { $0.faults = faults }
    }

    /// The requests received so far.
    public var requests: [EventServiceRequest] { state.withLock { $0.requests } }

    /// The number of requests in progress. A request whose client is gone counts until the server notices.
    public var inFlight: Int { state.withLock { $0.inFlight } }

    /// The requests that arrived while another was in progress.
    public var overlappingRequests: [EventServiceRequest] { requests.filter { $0.inFlight > 0 } }

    /// Forgets the requests received so far.
    public func forgetRequests() { state.withLock { $0.requests = [] } }

    private func answer(_ connection: LoopbackConnection) {
        guard let request = connection.request() else { return }
        let (path, query) = Self.parts(of: request.target)
        let parameters = Self.parameters(of: query)
        let prefix = "/fdsnws/event/1/"
        let method = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
        let (number, fault) = state.withLock { state in
            let received = EventServiceRequest(
                method: method, parameters: Dictionary(parameters.map { ($0.name, $0.value) }) { $1 },
                headers: request.headers, arrival: .now, inFlight: state.inFlight)
            state.requests.append(received)
            state.inFlight += 1
            let fault = state.queuedFaults.isEmpty ? state.faults(received) : state.queuedFaults.removeFirst()
            return (state.requests.count - 1, fault)
        }
        var isInFlight = true
        // A request ends when the last byte is handed to the socket, or when nobody sends any more.
        func land() {
            guard isInFlight else { return }
            isInFlight = false
            state.withLock { $0.inFlight -= 1 }
        }
        defer { land() }
        if case .slow(let duration)? = fault, connection.hasEnded(within: duration) { return }
        let answer = state.withLock { state -> ServedAnswer? in
            var (answer, rows) = state.service.answer(method, parameters, target: request.target, fault: fault)
            answer?.headers["Date"] = state.service.catalog.now.httpDate
            // A test may have forgotten the requests meanwhile.
            if state.requests.indices.contains(number) {
                state.requests[number].status = answer?.status
                state.requests[number].rows = rows
            }
            return answer
        }
        guard let answer else { return }
        var part = 1.0
        if case .truncated(let fraction)? = fault { part = fraction }
        connection.send(answer, part: part, beforeLast: land)
    }

    private static func parts(of target: String) -> (path: String, query: String) {
        let sides = target.split(separator: "?", maxSplits: 1)
        return (String(sides.first ?? ""), sides.count > 1 ? String(sides[1]) : "")
    }

    private static func parameters(of query: String) -> [(name: String, value: String)] {
        func decoded(_ text: Substring) -> String {
            let spaced = text.replacing("+", with: " ")
            return spaced.removingPercentEncoding ?? String(spaced)
        }
        return query.split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(sides[0]), sides.count > 1 ? decoded(sides[1]) : "")
        }
    }
}

extension EventService {
    /// Returns the response with `fault` applied to it or replacing it; nil to close the connection.
    fileprivate mutating func answer(
        _ method: String, _ parameters: [(name: String, value: String)], target: String, fault: EventServiceFault?
    ) -> (answer: ServedAnswer?, rows: Int?) {
        switch fault {
        case .status(let status, let retryAfter):
            return (text(status, "The service cannot answer.", target, retryAfter: retryAfter), nil)
        case .body(let body): return (.document(body), nil)
        case .closed: return (nil, nil)
        case .falseCount(let count):
            settings.falseCount = count
            defer { settings.falseCount = nil }
            return answer(method, parameters, target: target)
        case .slow, .truncated, nil: return answer(method, parameters, target: target)
        }
    }
}
