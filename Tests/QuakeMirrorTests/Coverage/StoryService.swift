import Foundation
import QuakeMirror
import QuakeTestSupport
import Synchronization

/// The event service and feeds of a story: a catalog, its contents at every moment, and the current faults of its
/// responses.
struct StoryService: Sendable {
    /// A fault in the responses.
    enum Lie: CaseIterable {
        case empty, drops, cuts, old, ignoresConditions, miscounts, countsOneMore, lags, alternates, forgets, onePage
    }

    /// An event during a request: it fails, the program is stopped, the catalog changes, or another process works with
    /// the cache.
    enum Interruption: Hashable {
        case failure, cancellation, change
        case act(StoryHand.Act)
    }

    enum RequestKind: String, CaseIterable {
        case window, count, single

        init(_ url: String) {
            self = url.contains("/count?") ? .count : url.contains("eventid=") ? .single : .window
        }
    }

    /// The service's data from a moment on.
    struct State: Sendable {
        var since: Timestamp
        var quakes: [Quake]
        /// The number of each event, deleted or not, by its preferred id.
        var numbers: [String: Int]
        /// The preferred ids of the quakes that list each id in lowercase, in the order of the quakes.
        var listings: [String: [String]] = [:]

        init(since: Timestamp, _ catalog: EventCatalog) {
            self.since = since
            quakes = catalog.quakes
            numbers = catalog.numbers
            for quake in quakes {
                for alias in quake.aliases { listings[alias.lowercased(), default: []].append(quake.id) }
            }
        }
    }

    private struct Version: Hashable {
        var id: String
        var updated: Timestamp
    }

    var service: ModelService
    /// The service's data at every moment, in order.
    private(set) var states: [State] = []
    /// The numbers of the events that once were no longer there, deleted or merged.
    private(set) var everGone: Set<Int> = []
    private var everThere: Set<Int> = []
    /// The number of states up to the last one with each version of a quake.
    private var lastStates: [Version: Int] = [:]
    /// How far this machine's clock is ahead of the service's.
    var skew = Duration.zero
    /// Quakes about which a replica returned outdated data to a single request: no cache could know better.
    private(set) var misinformed: Set<String> = []
    private(set) var isCancelled = false
    /// The ids about which single requests have asked.
    private var askedIDs: [String] = []
    private var lie: Lie?
    /// The interruption at the n-th request from now on.
    private var interruptions: [Int: Interruption] = [:]
    private var requests = 0
    /// Requests already counted, if the first count of each is too large.
    private var counted: Set<String> = []
    /// The last states, the newest one last.
    private var past: [EventCatalog] = []
    /// The state that a replica still has, and the requests that reach it.
    private var stale: EventCatalog?
    private var lagging: Set<RequestKind> = []
    /// The response that each window gets.
    private var page: ServedAnswer?

    init(seed: Int) {
        let start = Timestamp.sample
        var catalog = EventCatalog(now: start)
        catalog.deletedForm = EventCatalog.DeletedForm.allCases[seed % 3]
        catalog.insertInvented(
            40, in: start - .seconds(90 * 86_400)...start - .seconds(60), seed: UInt64(seed), updated: start)
        for (place, quake) in catalog.quakes.enumerated() where place.isMultiple(of: 5) {
            catalog.revise(quake.id) { quake in
                quake.magnitude = 4.2 + Double(place) / 15
                quake.significance = 450 + 10 * place
            }
        }
        // Some quakes have a companion, located by another network.
        for quake in catalog.quakes.prefix(6) {
            let companion = Quake(
                net: quake.net == "tw" ? "it" : "tw", code: quake.code, originTime: quake.originTime + .seconds(40),
                updated: start, hypocenter: quake.hypocenter)
            catalog.insert(companion, updated: start)
        }
        service = ModelService(catalog)
        record(since: Timestamp(milliseconds: .min))
    }

    /// The service's clock.
    var now: Timestamp { service.catalog.now }

    /// Returns the number of the event, deleted or not, that last had the preferred id `id`, among the first `count`
    /// states.
    func truth(ofID id: String, inFirst count: Int? = nil) -> Int? {
        states.prefix(count ?? states.count).last { $0.numbers[id] != nil }?.numbers[id]
    }

    /// Returns the number of states up to the last one in which the service had this version of `quake`.
    func countOfStates(upTo quake: Quake) -> Int? { lastStates[Version(id: quake.id, updated: quake.updated)] }

    private mutating func record(since moment: Timestamp) {
        let state = State(since: moment, service.catalog)
        states.append(state)
        let there = Set(state.quakes.compactMap { state.numbers[$0.id] })
        everGone.formUnion(everThere.subtracting(there))
        everThere.formUnion(there)
        for quake in state.quakes { lastStates[Version(id: quake.id, updated: quake.updated)] = states.count }
    }

    // MARK: Changes to the catalog

    /// Lets time pass, then lets `body` change the catalog.
    mutating func change(after passed: Duration = .seconds(2), _ body: (inout EventCatalog) -> Void = { _ in }) {
        stale = service.catalog
        past = past.suffix(4) + [service.catalog]
        service.catalog.now = now + passed
        body(&service.catalog)
        record(since: now)
    }

    mutating func changeAtRandom(after passed: Duration, _ random: inout SplitMix64) {
        change(after: passed) { catalog in
            let times = catalog.now - .seconds(90 * 86_400)...catalog.now
            catalog.changeAtRandom(1 + random.next(12), in: times, &random)
            if random.next(3) == 0 {
                catalog.insertInvented(
                    3, in: catalog.now - .seconds(86_400)...catalog.now, seed: random.next(), updated: catalog.now)
            }
            guard random.next(2) == 0 else { return }
            let (quakes, moment) = (catalog.quakes, times.lowerBound + .seconds(random.next(90 * 86_400)))
            guard !quakes.isEmpty else { return }
            switch random.next(3) {
            case 0: catalog.garble(quakes[random.next(quakes.count)].id)
            case 1: quakes.forEach { catalog.garble($0.id, false) }
            default: catalog.changeIDsAtRandom(at: moment, &random)
            }
        }
    }

    /// Returns a description.
    mutating func changeIDsAtRandom(_ random: inout SplitMix64) -> String {
        var words: [String] = []
        change { catalog in
            let moment = catalog.now - .seconds(random.next(90 * 86_400))
            for _ in 0...random.next(3) { words.append(catalog.changeIDsAtRandom(at: moment, &random)) }
        }
        return words.joined(separator: ", ")
    }

    // MARK: Responses

    /// Draws the current fault at random, and returns a description.
    mutating func lieAtRandom(_ random: inout SplitMix64) -> [String] {
        (lie, interruptions, requests, isCancelled) = (nil, [:], 0, false)
        (lagging, page) = ([], nil)
        if random.next(3) == 0 { lie = Lie.allCases[random.next(Lie.allCases.count)] }
        if random.next(3) == 0, !past.isEmpty { stale = past[random.next(past.count)] }
        if lie == .alternates { lagging = Set(RequestKind.allCases) }
        if lie == .lags { lagging = Set(RequestKind.allCases.filter { _ in random.next(2) == 0 }) }
        if random.next(3) == 0 {
            let acts = StoryHand.Act.allCases.map { Interruption.act($0) }
            let kinds = [.failure, .cancellation, .change, .act(.purge)] + acts
            interruptions[1 + random.next(8)] = kinds[random.next(kinds.count)]
        }
        service.settings.maximumRows = random.next(2) == 0 ? 12 : 20_000
        service.settings.answersNothingWith204 = random.next(3) == 0
        service.settings.cutsAt = lie == .cuts ? 7 : nil
        service.settings.ignoresConditions = lie == .ignoresConditions
        return (lie.map { ["the service lies: \($0) \(lagging.isEmpty ? "" : "\(lagging.map(\.rawValue))")"] } ?? [])
            + interruptions.map { number, interruption in
                if case .act(let act) = interruption {
                    "\(act) at request \(number)"
                } else {
                    "\(interruption) at \(number)"
                }
            }
    }

    /// Ends all faults and makes every feature readable.
    mutating func makePeace() {
        (lie, interruptions, lagging, page, skew) = (nil, [:], [], nil, .zero)
        service.settings = EventServiceSettings()
        change { catalog in catalog.quakes.forEach { catalog.garble($0.id, false) } }
    }

    /// Counts a request, and returns the interruption during it.
    mutating func nextInterruption() -> Interruption? {
        requests += 1
        let interruption = interruptions[requests]
        if interruption == .cancellation { isCancelled = true }
        return interruption
    }

    /// Returns the ids about which single requests have asked since the last call.
    mutating func takeAskedIDs() -> [String] {
        defer { askedIDs = [] }
        return askedIDs
    }

    mutating func answer(to url: String, without off: SwitchedOff?) -> ServedAnswer {
        if let id = url.split(separator: "eventid=").dropFirst().first?.prefix(while: { $0 != "&" }) {
            askedIDs.append(String(id))
        }
        var answer = undatedAnswer(to: url, without: off)
        let moment = isBehind(RequestKind(url)) ? stale?.now : now
        answer.headers["Date"] = (moment ?? now).httpDate
        return answer
    }

    /// Whether the next request of this kind reaches a replica that lags.
    private func isBehind(_ kind: RequestKind) -> Bool {
        lagging.contains(kind) && (lie != .alternates || requests.isMultiple(of: 2))
    }

    private mutating func undatedAnswer(to url: String, without off: SwitchedOff?) -> ServedAnswer {
        let kind = RequestKind(url)
        if lie == .old, kind != .count, let stale { return oldAnswer(of: stale, to: url, without: off) }
        if lie == .forgets, kind == .single {
            return ServedAnswer(status: requests.isMultiple(of: 2) ? 204 : 404)
        }
        if isBehind(kind), let stale {
            if kind == .single { noteMisinformed(by: stale) }
            var replica = service
            replica.catalog = stale
            return replica.answer(to: url)
        }
        let answer = page.flatMap { kind == .window ? $0 : nil } ?? service.answer(to: url)
        let isFeed = url.contains(".geojson")
        if lie == .onePage, kind == .window, !isFeed { page = answer }
        if kind == .count { return count(answer, of: url, without: off) }
        guard answer.status == 200, kind == .window, lie == .empty || lie == .drops || lie == .miscounts else {
            return answer
        }
        return answer.editingFeatures { features, count in
            features = lie == .empty ? [] : features.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
            // A truncated feed gives the correct count; otherwise nobody could detect the fault.
            if !isFeed || off == .wholeFeed { count = features.count }
        }
    }

    private func oldAnswer(of stale: EventCatalog, to url: String, without off: SwitchedOff?) -> ServedAnswer {
        var replica = service
        replica.catalog = stale
        var answer = replica.answer(to: url)
        // Without the rule, a response counts as made when it arrived.
        let told = off == .moment ? now : url.contains(".geojson") ? stale.now : stale.now - .seconds(40 * 86_400)
        let generated = (stale.now.milliseconds / 1000 * 1000, told.milliseconds / 1000 * 1000)
        let text = String(decoding: answer.body, as: UTF8.self)
        answer.body = Data(text.replacing("\"generated\":\(generated.0)", with: "\"generated\":\(generated.1)").utf8)
        return answer
    }

    private mutating func count(_ answer: ServedAnswer, of url: String, without off: SwitchedOff?) -> ServedAnswer {
        let maximumRows = service.settings.maximumRows
        switch lie {
        case .countsOneMore where counted.insert(url).inserted:
            // As if a quake had been merged since, so that the service then counts as many quakes as it has sent.
            let count = String(decoding: answer.body, as: UTF8.self).dropFirst(9).prefix { $0.isNumber }
            return .document(#"{"count":\#((Int(count) ?? 0) + 1),"maxAllowed":\#(maximumRows)}"#)
        // Without the rule, the service seems to have counted exactly what it sends.
        case .empty where off == .count, .drops where off == .count, .miscounts where off == .count,
            .onePage where off == .sentInWindow:
            return .document(#"{"count":0,"maxAllowed":20000}"#)
        default: return answer
        }
    }

    private mutating func noteMisinformed(by stale: EventCatalog) {
        let (old, new) = (Set(stale.quakes), Set(service.catalog.quakes))
        misinformed.formUnion(old.symmetricDifference(new).flatMap(\.aliases))
    }

    /// A file of `feed` with all quakes except `quake`, whose ids are added to `twin`.
    mutating func snapshot(of feed: FeedName, without quake: Quake, calling twin: Quake?) -> Data {
        let updated = now.milliseconds
        return service.answer(to: "/\(feed).geojson").editingFeatures { features, count in
            features = features.filter { $0["id"] as? String != quake.id }.map { feature in
                guard let twin, feature["id"] as? String == twin.id,
                    var properties = feature["properties"] as? [String: Any]
                else { return feature }
                properties["ids"] = PublishedSet(members: twin.aliases + quake.aliases).text
                properties["updated"] = updated
                return feature.merging(["properties": properties]) { $1 }
            }
            count = features.count
        }.body
    }
}

extension ServedAnswer {
    /// Returns the response with other features, and another count in its metadata.
    func editingFeatures(_ edit: (inout [[String: Any]], inout Any?) -> Void) -> ServedAnswer {
        guard var document = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            var features = document["features"] as? [[String: Any]],
            var metadata = document["metadata"] as? [String: Any]
        else { return self }
        edit(&features, &metadata["count"])
        (document["features"], document["metadata"]) = (features, metadata)
        var answer = self
        answer.body = (try? JSONSerialization.data(withJSONObject: document)) ?? body
        return answer
    }
}

/// Queries a story's service. Anything that happens meanwhile happens before the response.
final class StoryTransport: HTTPTransport {
    private let answer: @Sendable (String) throws(TransportError) -> ServedAnswer
    init(_ answer: @escaping @Sendable (String) throws(TransportError) -> ServedAnswer) { self.answer = answer }

    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        let answer = try answer(request.url)
        let headers = answer.headers.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }
        return TransportResponse(
            head: TransportResponseHead(status: answer.status, headers: headers, url: request.url), body: answer.body)
    }
}

/// A value shared by several threads.
final class Arc<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: sending Value) { self.value = Mutex(value) }
}
