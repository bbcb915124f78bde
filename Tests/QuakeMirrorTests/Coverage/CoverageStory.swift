import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization

@testable import QuakeStore

/// A coverage rule that a story can switch off, to check that the oracle notices.
enum SwitchedOff: String, CaseIterable, Sendable {
    /// A purge removes covered ranges.
    case purge
    /// An undo removes covered ranges.
    case undo
    /// An edit by a program removes covered ranges.
    case edit
    /// A restore restores the backup's covered ranges.
    case restoredCoverage
    /// The number of quakes received is compared with the count.
    case count
    /// Only quakes within a window count as sent.
    case sentInWindow
    /// Nothing is covered beyond the moment of a response.
    case moment
    /// An incomplete feed document makes no covered range.
    case wholeFeed
    /// A deletion by a document not from the service removes covered ranges.
    case document
    /// An unreadable feature, or one that lost an id, is in question.
    case idsInQuestion
    /// An id stays in question until its answer has been applied.
    case answers
    /// A window makes no covered range if the cache withheld one of its features because it knows something newer.
    case withheld
}

/// A cache, a model of the service, and the service's data at every moment: random acts, each followed by a comparison
/// of every covered range with the truth as of the covered range.
final class CoverageStory {
    let off: SwitchedOff?
    let service: Arc<StoryService>
    /// The quakes that a replica lost or took for others: covered ranges from feeds are about what the feeds list.
    private(set) var lostByFeeds: Set<String> = []
    /// The quakes, by lowercase id, whose split from another quake no response could tell.
    var unseenSplits: Set<String> = []
    private(set) var acts: [String] = []
    /// The covered ranges found to be false.
    private(set) var falsities: [String] = []
    /// The number of covered ranges compared.
    var compared = 0

    let hand: StoryHand
    /// What a reader of the history has been told.
    private var consumer = StoryConsumer()
    private let path: String
    private var random: SplitMix64
    private var backups: [String] = []
    /// Feed documents to be read from files later.
    private var keptFiles: [String] = []

    init(seed: Int, in directory: ScratchDirectory, without off: SwitchedOff? = nil) throws {
        self.off = off
        random = SplitMix64(state: UInt64(seed) &* 7_919 &+ 17)
        let service = Arc(StoryService(seed: seed))
        self.service = service
        path = directory.path("story-\(seed).db")
        let clock: @Sendable () -> Timestamp = { service.value.withLock { $0.now + $0.skew } }
        let cache = QuakeCache(path: path, configuration: StoreConfiguration(program: "story", now: clock))
        hand = StoryHand(cache: cache, service: service, edited: Arc([]))
        _ = try QuakeContext(cache, access: .creating)
    }

    /// Performs `count` acts, and then makes peace, unless a covered range is false before.
    func run(_ count: Int) throws {
        if random.next(2) == 0 { backfill(.quakes(QuakeFilter(), again: false)) }
        for _ in 0..<count {
            for act in next() {
                try act()
                if off == .idsInQuestion { try context().write { try $0.dropIDsInQuestion() } }
                if off == .answers {
                    let ids = service.value.withLock { $0.takeAskedIDs() }
                    try dropIDsInQuestion(ids)
                }
                try compare()
                guard falsities.isEmpty else { return }
            }
        }
        if off == nil { try end() }
    }

    func context() throws -> QuakeContext { try hand.context() }

    func act(_ words: String) {
        acts.append(words)
    }

    func isEdited(_ key: QuakeKey) -> Bool { hand.edited.value.withLock { $0.contains(key) } }

    func note(_ falsity: String) {
        falsities.append(falsity)
    }

    /// Lets the reader of the history read what is new, and notes what it was told falsely.
    func informConsumer() throws {
        for falsity in try consumer.read(context(), service.value.withLock { $0 }, excepting: lostByFeeds) {
            note(falsity)
        }
    }

    /// The next act, or several acts that belong together.
    private func next() -> [() throws -> Void] {
        switch random.next(38) {
        case 0...2: [changeCatalog]
        case 3...6: [refresh]
        case 7...11: [{ self.backfill(self.request()) }]
        case 12, 13: [{ self.backfill(.update) }]
        case 14...16: [{ try self.byHand(.purge, without: .purge) }]
        case 17: [{ try self.byHand(.undo, without: .undo) }]
        case 18: random.next(2) == 0 ? undonePurge() : undonePurges()
        case 19...21: [{ try self.byHand(.edit, without: .edit) }]
        case 22: [backUp]
        case 23: [restore]
        case 24...27: [replica]
        case 28, 29: [setClock]
        case 30, 31: [readKeptFile]
        case 32...34: [changeIDs]
        case 35, 36: [changeIDs, { self.backfill(.update) }]
        default: [forget]
        }
    }

    // MARK: The service

    private func changeCatalog() {
        acts.append("the catalog changes")
        let passed = Duration.milliseconds(Int64(1_000 + random.next(3) * random.next(3 * 86_400_000)))
        service.value.withLock { $0.changeAtRandom(after: passed, &random) }
    }

    private func changeIDs() {
        acts.append(service.value.withLock { $0.changeIDsAtRandom(&random) })
    }

    private func setClock() {
        let hours = [-49, -12, -3, 0, 0, 3, 12, 49][random.next(8)]
        acts.append("this machine's clock is \(hours) h ahead")
        service.value.withLock { $0.skew = .seconds(hours * 3_600) }
    }

    private func lie() {
        acts += service.value.withLock { $0.lieAtRandom(&random) }
    }

    func mirror() -> FeedMirror {
        let (service, off) = (service, off)
        let neighbor = StoryHand(
            cache: QuakeCache(path: path, configuration: hand.cache.configuration), service: service,
            edited: hand.edited)
        let transport = StoryTransport { (url) throws(TransportError) in
            switch service.value.withLock({ $0.nextInterruption() }) {
            case .failure: throw TransportError(.unusableResponse, "The server redirects too often.")
            case .change:
                var random = SplitMix64(state: UInt64(url.utf8.count))
                service.value.withLock { $0.changeAtRandom(after: .seconds(2), &random) }
            case .act(let act):
                var random = SplitMix64(state: UInt64(url.utf8.count))
                _ = try? neighbor.perform(act, &random)
            case .cancellation, nil: break
            }
            return service.value.withLock { $0.answer(to: url, without: off) }
        }
        var mirror = FeedMirror(hand.cache, transport: transport)
        mirror.service = EventEndpoint(base: "http://127.0.0.1/fdsnws/event/1/query")
        mirror.settings = MirrorSettings(confirmSnapshots: 50)
        return mirror
    }

    private func refresh() {
        let bands = FeedName.Band.allCases + [.all, .all]
        let periods = FeedName.Period.allCases + [.hour]
        let feed = FeedName(bands[random.next(bands.count)], periods[random.next(periods.count)])
        acts.append("refresh \(feed)")
        let file = "\(path).kept-\(acts.count).geojson"
        let body = service.value.withLock { $0.answer(to: "/\(feed).geojson", without: nil).body }
        if (try? body.write(to: URL(fileURLWithPath: file))) != nil { keptFiles.append(file) }
        lie()
        _ = try? mirror().session { try $0.refresh(.summary(feed)) }
    }

    /// Reads a stored feed document, usually an old one.
    private func readKeptFile() throws {
        guard !keptFiles.isEmpty else { return }
        let file = keptFiles[random.next(keptFiles.count)]
        acts.append("refresh \(file)")
        _ = try? mirror().session { try $0.refresh(.file(file)) }
    }

    /// Refreshes from files of a replica that lost quakes until these are retracted, or that takes two quakes for one.
    private func replica() throws {
        let cached = try context().fetch().map(\.quake)
        let listed = service.value.withLock { $0.service.catalog.quakes }.filter { quake in
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
        try keepingCoverage(.document) {
            for _ in 0..<3 {
                let body = service.value.withLock { service in
                    service.change()
                    return service.snapshot(of: feed, without: quake, calling: twin)
                }
                let file = "\(path).\(acts.count).geojson"
                try body.write(to: URL(fileURLWithPath: file))
                _ = try? mirror.session { try $0.refresh(.file(file)) }
            }
        }
        // Half of the time there is a companion that another network also located.
        guard random.next(2) == 0 else { return }
        let second = Quake(
            net: quake.net == "tw" ? "it" : "tw", code: "\(random.next(1 << 40))",
            originTime: quake.originTime + .seconds(1), updated: quake.updated, hypocenter: quake.hypocenter)
        service.value.withLock { $0.change { $0.insert(second) } }
    }

    private func dropIDsInQuestion(_ ids: [String]) throws {
        guard !ids.isEmpty else { return }
        try context().write { try $0.dropIDsInQuestion(ids) }
    }

    private func backfill(_ request: BackfillRequest) {
        acts.append("backfill \(request.words)")
        lie()
        let service = service
        let observer = MirrorObserver(isCancelled: { service.value.withLock { $0.isCancelled } })
        let limits = BackfillSettings(maximumRequests: random.next(5) == 0 ? 2 + random.next(4) : nil)
        let report = try? mirror().backfill(request, limits: limits, dryRun: false, observer)
        if off == .withheld, let report {
            _ = try? context().write { try $0.coverWithheld(report.incompleteWindows, of: request) }
        }
    }

    private func request() -> BackfillRequest {
        var filter = conditions()
        filter.since = hand.moment(&random)
        if random.next(2) == 0 { filter.until = hand.moment(&random) }
        if let since = filter.since, let until = filter.until, until < since { filter.until = nil }
        return .quakes(filter, again: random.next(6) == 0)
    }

    private func conditions() -> QuakeFilter {
        switch random.next(7) {
        case 0: QuakeFilter(minimumMagnitude: Double(random.next(3)))
        case 1: QuakeFilter(maximumMagnitude: Double(random.next(3)))
        case 2: QuakeFilter(minimumDepthKilometers: 100)
        case 3: QuakeFilter(eventTypes: ["earthquake"])
        case 4:
            QuakeFilter(circles: [.init(center: GeographicPoint(latitude: 0, longitude: 0), radiusKilometers: 9_000)])
        default: QuakeFilter()
        }
    }

    // MARK: Acts on the cache

    private func byHand(_ act: StoryHand.Act, without rule: SwitchedOff) throws {
        try keepingCoverage(rule) { acts.append(try hand.perform(act, &random)) }
    }

    /// Two purges that are undone in any order, with other acts before the first undo half of the time.
    private func undonePurges() -> [() throws -> Void] {
        var numbers: [TransactionNumber] = []
        let purge = {
            try self.byHand(.purge, without: .purge)
            numbers.append(try self.hand.currentToken())
        }
        let isFirstLast = random.next(2) == 0
        let undo = {
            let number = isFirstLast ? numbers.popLast() : numbers.isEmpty ? nil : numbers.removeFirst()
            guard let number else { return }
            try self.keepingCoverage(.undo) { self.acts.append(try self.hand.undo(number)) }
        }
        let between = [{ self.backfill(.update) }, changeCatalog, refresh]
        return [purge, purge] + (random.next(2) == 0 ? between : []) + [undo, undo]
    }

    /// A purge that is undone, after an update half of the time.
    private func undonePurge() -> [() throws -> Void] {
        var number = TransactionNumber(0)
        let purge = {
            try self.byHand(.purge, without: .purge)
            number = try self.hand.currentToken()
        }
        let undo = { try self.keepingCoverage(.undo) { self.acts.append(try self.hand.undo(number)) } }
        return random.next(2) == 0 ? [purge, undo] : [purge, { self.backfill(.update) }, undo]
    }

    private func forget() throws {
        acts.append("forget")
        try context().sources.forgetCoverage(QuakeFilter(since: hand.moment(&random), until: hand.moment(&random)))
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
        try keepingCoverage(.restoredCoverage) { _ = try hand.cache.restore(from: backup) }
    }

    /// Runs `body`. If `rule` is switched off, restores the covered ranges afterward.
    private func keepingCoverage(_ rule: SwitchedOff, _ body: () throws -> Void) throws {
        let before = try context().sources.coverage()
        try body()
        if off == rule { try Coverage.change(in: context().session.connection) { $0 = before } }
    }
}

extension QuakeWriter {
    fileprivate func dropIDsInQuestion() throws {
        try dropIDsInQuestion(coverage().idsInQuestion.map(\.id))
    }

    /// Covers windows that were left uncovered because their responses were too old.
    fileprivate func coverWithheld(_ windows: [IncompleteWindow], of request: BackfillRequest) throws {
        guard let filter = request.filter else { return }
        for window in windows {
            guard case .outdated(let moment) = window.reason, window.originTimes.lowerBound < moment else { continue }
            let originTimes = window.originTimes.lowerBound..<min(window.originTimes.upperBound, moment)
            try add(CoveredRange(conditions: filter.withoutTimes, originTimes: originTimes, asOf: moment))
        }
    }
}

extension BackfillRequest {
    fileprivate var words: String {
        guard case .quakes(let filter, let again) = kind else { return "\(kind)" }
        return filter.words + (again ? " again" : "")
    }
}

extension Quake {
    /// Whether a replica may take this quake for `other`, one of the same day located by other networks.
    fileprivate func mayBeCalled(_ other: Quake) -> Bool {
        id != other.id && originTime.milliseconds / 86_400_000 == other.originTime.milliseconds / 86_400_000
            && Set(sources.members + [net]).isDisjoint(with: other.sources.members + [other.net])
    }
}
