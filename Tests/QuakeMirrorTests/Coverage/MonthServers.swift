import Foundation
import QuakeHTTP
import QuakeModel
import QuakeTestSupport
import Synchronization

/// The feeds and the event service of a ``PublishedMonth``: independent replicas that lag, each of which is now and
/// then frozen for two hours. A response gives the time of the state that it is from.
final class MonthServers: HTTPTransport {
    static let longestLag = Duration.seconds(1_200)
    static let longestFreeze = Duration.seconds(7_200)
    private static let replicas = 4

    /// A request to the event service.
    struct ServiceRequest {
        var moment: Timestamp
        var isAboutOne: Bool
        var hasFailed: Bool
    }

    fileprivate struct State {
        /// The feeds' responses do not depend on requests to the service.
        var random: (feeds: SplitMix64, service: SplitMix64)
        var requests: [ServiceRequest] = []
        /// When each replica of the feeds, and of the service, was last frozen.
        var frozen = [Timestamp?](repeating: nil, count: 2 * MonthServers.replicas)
    }

    private let published: PublishedMonth
    private let now: @Sendable () -> Timestamp
    /// The times at which the service fails.
    private let outage: Range<Timestamp>?
    private let state: Mutex<State>

    init(_ published: PublishedMonth, seed: Int, outage: Range<Timestamp>?, now: @escaping @Sendable () -> Timestamp) {
        (self.published, self.outage, self.now) = (published, outage, now)
        let random = (feeds: SplitMix64(state: UInt64(seed)), service: SplitMix64(state: ~UInt64(seed)))
        state = Mutex(State(random: random))
    }

    /// The requests to the event service so far.
    var serviceRequests: [ServiceRequest] { state.withLock(\.requests) }

    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        let path = String(request.url.prefix { $0 != "?" })
        let name = String(path.split(separator: "/").last?.dropLast(".geojson".count) ?? "")
        let feed = path.hasSuffix(".geojson") ? FeedName(name) : nil
        let answer = if let feed { self.feed(feed) } else { try service(request.url) }
        let headers = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.key.lowercased(), $0.value) })
        let head = TransportResponseHead(status: answer.status, headers: headers, url: request.url)
        return TransportResponse(head: head, body: answer.body)
    }

    private func feed(_ feed: FeedName) -> ServedAnswer {
        let moment = state.withLock { $0.moment(now(), ofService: false) }
        let features = published.versions(of: moment - feed.period.window...moment, at: moment)
            .compactMap { $0.isListed ? $0.feature : nil }
        let address = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/\(feed).geojson"
        var answer = ServedAnswer.document(FeedText.document(address, generated: moment, features: features))
        answer.headers["Date"] = moment.httpDate
        return answer
    }

    private func service(_ url: String) throws(TransportError) -> ServedAnswer {
        let id = url.split(separator: "eventid=").dropFirst().first.map { String($0.prefix { $0 != "&" }) }
        let (clock, fails) = (now(), outage?.contains(now()) == true)
        let (moment, isUnreachable) = state.withLock { state in
            state.requests.append(ServiceRequest(moment: clock, isAboutOne: id != nil, hasFailed: fails))
            return (state.moment(clock, ofService: true), state.random.service.next(2) == 0)
        }
        if fails, isUnreachable { throw TransportError(.unreachable, "There is no connection.") }
        if fails { return ServedAnswer(status: 503) }
        let isDeleted = url.contains("includedeleted=only")
        var model = ModelService(published.catalog(at: moment, id: id, isDeleted: isDeleted))
        return model.answer(to: url)
    }
}

extension MonthServers.State {
    /// Returns the moment of the state that the next response is from, in whole seconds.
    fileprivate mutating func moment(_ now: Timestamp, ofService: Bool) -> Timestamp {
        func draw(_ bound: Int) -> Int { ofService ? random.service.next(bound) : random.feeds.next(bound) }
        let replica = draw(frozen.count / 2) + (ofService ? frozen.count / 2 : 0)
        let lag = Duration.seconds(draw(Int(MonthServers.longestLag.components.seconds)))
        // Each replica of the feeds is frozen about once a week.
        if draw(500) == 0 { frozen[replica] = now }
        let froze = frozen[replica].flatMap { now - $0 < MonthServers.longestFreeze ? $0 : nil }
        let moment = (froze ?? now) - lag
        return Timestamp(milliseconds: moment.milliseconds / 1_000 * 1_000)
    }
}
