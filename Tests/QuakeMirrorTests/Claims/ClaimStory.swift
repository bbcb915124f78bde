import Foundation
import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeTestSupport
import Synchronization

@testable import QuakeMirror
@testable import QuakeStore

/// A rule of the ledger that a story can do without, to find out whether the oracle notices.
enum SwitchedOff: String, CaseIterable, Sendable {
    /// A purge takes claims back.
    case purge
    /// An undo takes claims back.
    case undo
    /// An edit by a program takes claims back.
    case edit
    /// A restore brings the claims of the backup.
    case restoredClaims
    /// What came is compared with what was counted.
    case count
    /// Nothing is claimed beyond the moment of an answer.
    case moment
    /// A document of a feed that is not whole makes no claim.
    case wholeFeed
    /// A deletion by a document that is not the service's word takes claims back.
    case document
}

/// A cache, a model of the service, and what the service had at every moment: random acts, and after each of them the
/// comparison of every claim with the truth at its moment.
final class ClaimStory {
    fileprivate struct Model {
        var service: ModelService
        /// What the service had from each moment on, in their order.
        var states: [(since: Timestamp, quakes: [Quake])]
        /// What happens at the n-th request from now on.
        var interruptions: [Int: Interruption] = [:]
        var lie: Lie?
        var requests = 0
        var isCancelled = false
        /// Questions that were counted, when the first count of each is too large.
        var counted: Set<String> = []
        /// The state that a stale replica still has.
        var stale: (EventCatalog)?
    }

    fileprivate enum Interruption {
        case failure, cancellation, change, purge
    }

    /// What is wrong with the answers of the service.
    fileprivate enum Lie: CaseIterable {
        case empty, drops, cuts, old, ignoresConditions, miscounts, countsOneMore
    }

    private final class Transport: HTTPTransport {
        let answer: @Sendable (String) throws(TransportError) -> ServedAnswer
        init(_ answer: @escaping @Sendable (String) throws(TransportError) -> ServedAnswer) { self.answer = answer }

        func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
            let answer = try answer(request.url)
            let head = HTTPResponseHead(
                status: answer.status, headers: answer.headers.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value },
                url: request.url)
            return HTTPResponse(head: head, body: answer.body)
        }
    }

    private static let service = "http://127.0.0.1/fdsnws/event/1/query"

    private let off: SwitchedOff?
    private let path: String
    private let cache: QuakeCache
    private let model: Arc<Model>
    private var random: SplitMix64
    /// The quakes that a replica lost or called another one: claims of feeds are about what the feeds list.
    private var lostByFeeds: Set<String> = []
    private var backups: [String] = []
    /// Quakes whose values a program or an undo changed: what they are is not the service's word.
    private var edited: Set<QuakeKey> = []
    private(set) var acts: [String] = []
    /// What was found to be false.
    private(set) var falsities: [String] = []
    /// How many claims were compared.
    private(set) var compared = 0

    init(seed: Int, in directory: ScratchDirectory, without off: SwitchedOff? = nil) throws {
        self.off = off
        random = SplitMix64(state: UInt64(seed) &* 7_919 &+ 17)
        let start = Timestamp.sample
        var catalog = EventCatalog(now: start)
        catalog.deletedForm = EventCatalog.DeletedForm.allCases[seed % 3]
        catalog.insertInvented(
            40, in: start - .seconds(90 * 86_400)...start - .seconds(60), seed: UInt64(seed), updated: start)
        let model = Arc(
            Model(service: ModelService(catalog), states: [(Timestamp(milliseconds: .min), catalog.quakes)]))
        self.model = model
        path = directory.path("story-\(seed).db")
        cache = QuakeCache(
            path: path,
            configuration: StoreConfiguration(
                program: "story", now: { model.value.withLock { $0.service.catalog.now } })
        )
        _ = try cache.context(access: .creating)
    }

    /// Acts `count` times.
    func run(_ count: Int) throws {
        for _ in 0..<count {
            try act()
            try compare()
            guard falsities.isEmpty else { return }
        }
    }

    private func act() throws {
        switch random.next(28) {
        case 0...2: changeCatalog()
        case 3...6: refresh()
        case 7...11: backfill(request())
        case 12, 13: backfill(.update)
        case 14...16:
            let filter = purgeFilter()
            acts.append("purge \(filter)")
            try keepingClaims(.purge) { try context().maintenance.purge(filter) }
        case 17:
            let context = try context()
            let head = try context.history.head().number
            guard head > 0 else { return }
            let number = TransactionNumber(head.rawValue - Int64(random.next(Int(min(head.rawValue, 4)))))
            acts.append("undo \(number)")
            try keepingClaims(.undo) { _ = try? context.history.undo(transaction: number) }
            edited.formUnion(try Set(context.fetch().map(\.key)))
        case 18...20: try edit()
        case 21: try backUp()
        case 22: try restore()
        case 23...26: try replica()
        default:
            acts.append("forget")
            try context().sources.forgetClaims(QuakeFilter(since: moment(), until: moment()))
        }
    }

    private func context() throws -> QuakeContext { try cache.context(author: "story") }

    private var now: Timestamp { model.value.withLock { $0.service.catalog.now } }

    /// A moment of the last 100 days, mostly at midnight.
    private func moment() -> Timestamp {
        now - .seconds(random.next(4) == 0 ? random.next(100 * 86_400) : random.next(100) * 86_400)
    }

    // MARK: The service

    private func changeCatalog() {
        acts.append("the catalog changes")
        let passed = Duration.milliseconds(Int64(1_000 + random.next(3) * random.next(3 * 86_400_000)))
        var random = random
        model.value.withLock { $0.change(after: passed, &random) }
        self.random = random
    }

    private func transport() -> Transport {
        let (model, path) = (model, path)
        let off = off
        return Transport { (url: String) throws(TransportError) -> ServedAnswer in
            let interruption = model.value.withLock { model in
                model.requests += 1
                return model.interruptions[model.requests]
            }
            switch interruption {
            case .failure: throw .tooManyRedirects(limit: 1)
            case .cancellation: model.value.withLock { $0.isCancelled = true }
            case .change:
                var random = SplitMix64(state: UInt64(url.utf8.count))
                model.value.withLock { $0.change(after: .seconds(2), &random) }
            case .purge:
                guard let context = try? QuakeCache(path: path).context() else { break }
                _ = try? context.maintenance.purge(QuakeFilter(maximumMagnitude: 1))
            case nil: break
            }
            return model.value.withLock { $0.answer(to: url, without: off) }
        }
    }

    private func mirror() -> FeedMirror {
        var mirror = FeedMirror(cache, transport: transport())
        mirror.service = EventEndpoint(base: Self.service)
        mirror.settings = MirrorSettings(confirmSnapshots: 50)
        return mirror
    }

    private func lieAtRandom() {
        let lie = random.next(3) == 0 ? Lie.allCases[random.next(Lie.allCases.count)] : nil
        if let lie { acts.append("the service lies: \(lie)") }
        var interruptions: [Int: Interruption] = [:]
        if random.next(3) == 0 {
            let kinds: [Interruption] = [.failure, .cancellation, .change, .purge, .purge]
            let kind = kinds[random.next(kinds.count)]
            interruptions[1 + random.next(8)] = kind
            acts.append("\(kind) at request \(interruptions.keys)")
        }
        let (mostRows, is204) = (random.next(2) == 0 ? 12 : 20_000, random.next(3) == 0)
        model.value.withLock { model in
            (model.lie, model.interruptions, model.requests, model.isCancelled) = (lie, interruptions, 0, false)
            model.service.settings.mostRows = mostRows
            model.service.settings.answersNothingWith204 = is204
            model.service.settings.cutsAt = lie == .cuts ? 7 : nil
            model.service.settings.ignoresConditions = lie == .ignoresConditions
        }
    }

    private func refresh() {
        let bands: [FeedName.Band] = [.all, .all, .magnitude10, .magnitude25]
        let feed = FeedName(
            bands[random.next(4)], FeedName.Period.allCases[random.next(FeedName.Period.allCases.count)])
        acts.append("refresh \(feed)")
        lieAtRandom()
        _ = try? mirror().session { try $0.refresh(.summary(feed)) }
        model.value.withLock { $0.lie = nil }
    }

    /// Refreshes from files of a replica that lost quakes, until these are retracted, or that calls two quakes one.
    private func replica() throws {
        let cached = try context().fetch().map(\.quake)
        let listed = model.value.withLock { $0.service.catalog.quakes }.filter { quake in
            cached.contains { $0.id == quake.id }
        }
        guard !listed.isEmpty else { return }
        let quake = listed[random.next(listed.count)]
        let twin = random.next(2) == 0 ? listed.first { $0.mayBeCalled(quake) } : nil
        let feed = FeedName(.all, random.next(3) == 0 ? .week : .month)
        acts.append("a replica of \(feed) \(twin.map { "calls \(quake.id) \($0.id)" } ?? "lost \(quake.id)")")
        lostByFeeds.formUnion(quake.aliases)
        var mirror = mirror()
        mirror.settings = MirrorSettings(confirmSnapshots: 3, confirmAfter: .zero)
        mirror.serviceScope = .downloads
        try keepingClaims(.document) {
            for _ in 0..<3 {
                let body = model.value.withLock { model in
                    model.service.catalog.now = model.service.catalog.now + .seconds(2)
                    return model.snapshot(of: feed, without: quake, calling: twin)
                }
                let file = "\(path).\(acts.count).geojson"
                try body.write(to: URL(fileURLWithPath: file))
                _ = try? mirror.session { try $0.refresh(.file(file)) }
            }
        }
        // Half of the time a companion comes, which another network located too.
        guard random.next(2) == 0 else { return }
        let second = Quake(
            net: quake.net == "tw" ? "it" : "tw", code: "\(random.next(1 << 40))",
            originTime: quake.originTime + .seconds(1), updated: quake.updated, hypocenter: quake.hypocenter)
        model.value.withLock { model in
            model.service.catalog.now = model.service.catalog.now + .seconds(2)
            model.service.catalog.insert(second)
            model.states.append((model.service.catalog.now, model.service.catalog.quakes))
        }
    }

    private func backfill(_ request: BackfillRequest) {
        acts.append("backfill \(request)")
        lieAtRandom()
        let model = model
        let observer = MirrorObserver(isCancelled: { model.value.withLock { $0.isCancelled } })
        let limits = BackfillSettings(maximumRequests: random.next(5) == 0 ? 2 + random.next(4) : nil)
        _ = try? mirror().backfill(request, limits: limits, dryRun: false, observer)
        model.value.withLock { $0.lie = nil }
    }

    private func request() -> BackfillRequest {
        var filter = conditions()
        filter.since = moment()
        if random.next(2) == 0 { filter.until = moment() }
        if let since = filter.since, let until = filter.until, until < since { filter.until = nil }
        return .part(filter, again: random.next(6) == 0)
    }

    private func conditions() -> QuakeFilter {
        switch random.next(7) {
        case 0: QuakeFilter(minimumMagnitude: Double(random.next(3)))
        case 1: QuakeFilter(maximumMagnitude: Double(random.next(3)))
        case 2: QuakeFilter(minimumDepthKilometers: 100)
        case 3: QuakeFilter(eventTypes: ["earthquake"])
        case 4: QuakeFilter(circle: .init(center: GeographicPoint(latitude: 0, longitude: 0), radiusKilometers: 9_000))
        default: QuakeFilter()
        }
    }

    // MARK: What is done to the cache

    private func purgeFilter() -> QuakeFilter {
        switch random.next(9) {
        case 0: return QuakeFilter()
        case 1: return QuakeFilter(until: moment())
        case 2: return QuakeFilter(since: moment())
        case 3: return QuakeFilter(maximumMagnitude: Double(random.next(4)) / 2)
        case 4: return QuakeFilter(minimumMagnitude: 1, until: moment())
        case 5: return QuakeFilter(minimumMagnitude: 0.8, maximumMagnitude: 1.5)
        case 6: return QuakeFilter(since: moment(), maximumDepthKilometers: 200)
        case 7: return QuakeFilter(eventTypes: ["quarry blast"])
        default: return QuakeFilter(networks: ["us", "ci"])
        }
    }

    private func edit() throws {
        let context = try context()
        let quakes = try context.fetch()
        guard !quakes.isEmpty else { return }
        let quake = quakes[random.next(quakes.count)]
        acts.append("edit \(quake.quake.id)")
        edited.insert(quake.key)
        try keepingClaims(.edit) {
            try context.write { writer in
                switch random.next(4) {
                case 0: try writer.delete(quake)
                case 1:
                    try writer.update(quake, to: quake.quake.with { $0.magnitude = 0.1 })
                case 2:
                    let time = moment()
                    try writer.update(quake, to: quake.quake.with { $0.originTime = time })
                default:
                    try writer.delete(where: QuakeFilter(since: quake.quake.originTime, networks: [quake.quake.net]))
                }
            }
        }
    }

    private func backUp() throws {
        acts.append("backup")
        let copy = "\(path).\(backups.count)"
        _ = try context().maintenance.backup(to: copy, replacing: true)
        backups.append(copy)
    }

    private func restore() throws {
        guard !backups.isEmpty else { return }
        let backup = backups[random.next(backups.count)]
        acts.append("restore")
        try keepingClaims(.restoredClaims) { _ = try cache.restore(from: backup) }
        edited.formUnion(try Set(context().fetch().map(\.key)))
    }

    /// Runs `body`; where `rule` is switched off, the claims are afterward what they were.
    private func keepingClaims(_ rule: SwitchedOff, _ body: () throws -> Void) throws {
        let context = try context()
        let before = try context.sources.coverage()
        try body()
        guard off == rule else { return }
        let restored = try self.context()
        try Coverage.change(in: restored.connection) { $0 = before }
    }

    // MARK: The truth

    /// Compares every claim with what the service had at its moment.
    private func compare() throws {
        let context = try context()
        let states = model.value.withLock { $0.states }
        for claim in try context.sources.claims() {
            compared += 1
            let index = states.lastIndex { $0.since <= claim.asOf } ?? 0
            // The service tells its moments to the second.
            let sameSecond = states[index...].prefix { $0.since < claim.asOf + .seconds(1) }
            for quake in states[index].quakes where claim.contains(quake) {
                if claim.source == .feed, !lostByFeeds.isDisjoint(with: quake.aliases) { continue }
                let held = try names(of: quake, in: states[index...]).compactMap { try context.quake(forID: $0) }
                    .first { !$0.quake.isAnother(than: quake, in: states[index]) }
                if let held {
                    let told = sameSecond.map { state in state.quakes.first { $0.id == quake.id }?.updated }
                    guard !edited.contains(held.key), told.allSatisfy({ held.quake.updated < $0 ?? held.quake.updated })
                    else { continue }
                    falsities.append("\(quake.id) is older than the claim \(claim)")
                } else if isStillThere(quake, in: states[index...], claim) {
                    falsities.append("\(quake.id) of \(quake.originTime.iso8601) is missing from \(claim)")
                }
            }
        }
        let findings = try context.maintenance.verify().findings
        if !findings.isEmpty, off == nil { falsities.append("verify: \(findings)") }
    }

    /// The preferred ids that the quake has had since: a replica may have led an earlier one to another quake.
    private func names(of quake: Quake, in states: ArraySlice<(since: Timestamp, quakes: [Quake])>) -> [String] {
        let known = states.flatMap(\.quakes).filter { later in later.aliases.contains { $0.isSameID(as: quake.id) } }
        return [quake.id] + known.map(\.id).filter { !$0.isSameID(as: quake.id) }.reversed()
    }

    /// Whether the service has neither deleted the quake since, nor moved it: out of the claim, or from one window
    /// that the claim was made of into another that had been read before.
    private func isStillThere(
        _ quake: Quake, in states: ArraySlice<(since: Timestamp, quakes: [Quake])>, _ claim: Claim
    ) -> Bool {
        states.allSatisfy { state in
            state.quakes.contains { later in
                later.aliases.contains { $0.isSameID(as: quake.id) } && later.originTime == quake.originTime
                    && claim.contains(later)
            }
        }
    }
}

extension ClaimStory.Model {
    /// A file of `feed` that lists all but `quake`, whose ids it gives to `twin`.
    fileprivate mutating func snapshot(of feed: FeedName, without quake: Quake, calling twin: Quake?) -> Data {
        let answer = service.answer(to: "/\(feed).geojson")
        guard var document = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
            let features = document["features"] as? [[String: Any]],
            var metadata = document["metadata"] as? [String: Any]
        else { return answer.body }
        let kept = features.filter { $0["id"] as? String != quake.id }.map { feature in
            guard let twin, feature["id"] as? String == twin.id,
                var properties = feature["properties"] as? [String: Any]
            else { return feature }
            properties["ids"] = PublishedSet(members: twin.aliases + quake.aliases).text
            properties["updated"] = service.catalog.now.milliseconds
            return feature.merging(["properties": properties]) { $1 }
        }
        metadata["count"] = kept.count
        document["features"] = kept
        document["metadata"] = metadata
        return (try? JSONSerialization.data(withJSONObject: document)) ?? answer.body
    }

    fileprivate mutating func change(after passed: Duration, _ random: inout SplitMix64) {
        let moment = service.catalog.now + passed
        stale = service.catalog
        service.catalog.now = moment
        service.catalog.changeAtRandom(1 + random.next(12), in: moment - .seconds(90 * 86_400)...moment, &random)
        if random.next(3) == 0 {
            service.catalog.insertInvented(
                3, in: moment - .seconds(86_400)...moment, seed: random.next(), updated: moment)
        }
        states.append((moment, service.catalog.quakes))
    }

    fileprivate mutating func answer(to url: String, without off: SwitchedOff?) -> ServedAnswer {
        var answer: ServedAnswer
        if lie == .old, let stale, !url.contains("/count?") {
            var replica = service
            replica.catalog = stale
            answer = replica.answer(to: url)
            let text = String(decoding: answer.body, as: UTF8.self)
            let (made, real) = (stale.now, service.catalog.now)
            // Without the rule an answer counts as made when it came.
            let told = off == .moment ? real : url.contains(".geojson") ? made : made - .seconds(40 * 86_400)
            let generated = (made.milliseconds / 1000 * 1000, told.milliseconds / 1000 * 1000)
            answer.body = Data(
                text.replacing("\"generated\":\(generated.0)", with: "\"generated\":\(generated.1)").utf8)
            return answer
        }
        answer = service.answer(to: url)
        if lie == .countsOneMore, url.contains("/count?"), counted.insert(url).inserted {
            // As if a quake had been merged since: the count after the answer is that of the answer.
            let count = String(decoding: answer.body, as: UTF8.self).dropFirst(9).prefix { $0.isNumber }
            return .document(#"{"count":\#((Int(count) ?? 0) + 1),"maxAllowed":\#(service.settings.mostRows)}"#)
        }
        guard answer.status == 200, let lie, [.empty, .drops, .miscounts].contains(lie) else { return answer }
        if url.contains("/count?") {
            // Without the rule it is as if the service had counted what it sends.
            return off == .count ? .document(#"{"count":0,"maxAllowed":20000}"#) : answer
        }
        let isFeed = url.contains(".geojson")
        guard var document = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
            let features = document["features"] as? [Any], var metadata = document["metadata"] as? [String: Any]
        else { return answer }
        let kept = lie == .empty ? [] : features.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
        document["features"] = kept
        // A feed that is cut says how many there should be; a feed that does not, nobody can see through.
        if !isFeed || off == .wholeFeed { metadata["count"] = kept.count }
        document["metadata"] = metadata
        answer.body = (try? JSONSerialization.data(withJSONObject: document)) ?? answer.body
        return answer
    }
}

/// A value that several threads share.
final class Arc<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: sending Value) { self.value = Mutex(value) }
}

extension Quake {
    /// Whether this quake of the cache, which the id of `quake` leads to, is another one that the service had beside
    /// it.
    fileprivate func isAnother(than quake: Quake, in state: (since: Timestamp, quakes: [Quake])) -> Bool {
        !id.isSameID(as: quake.id) && state.quakes.contains { $0.id.isSameID(as: id) }
    }

    /// Whether a replica may take this quake for `other`: one of the same day, located by other networks.
    fileprivate func mayBeCalled(_ other: Quake) -> Bool {
        id != other.id && originTime.milliseconds / 86_400_000 == other.originTime.milliseconds / 86_400_000
            && Set(sources.members + [net]).isDisjoint(with: other.sources.members + [other.net])
    }

    fileprivate func with(_ change: (inout Quake) -> Void) -> Quake {
        var copy = self
        change(&copy)
        return copy
    }
}
