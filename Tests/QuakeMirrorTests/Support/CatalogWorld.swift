import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization

@testable import QuakeStore

/// A cache and the service that it queries.
final class CatalogWorld {
    struct Service: Sendable {
        var model = ModelService(EventCatalog(now: .minute(0)))
        /// Changes the response for an address.
        var edit: @Sendable (String, inout ServedAnswer) -> Void = { _, _ in }
    }

    let service = Arc(Service())
    /// The addresses that the mirror requested.
    let addresses = Arc<[String]>([])
    let context: QuakeContext
    var mirror: FeedMirror

    init(_ quakes: [Quake]) throws {
        let service = service
        let addresses = addresses
        let transport = StoryTransport { url in
            addresses.value.withLock { $0.append(url) }
            return service.value.withLock { service in
                var answer = service.model.answer(to: url)
                service.edit(url, &answer)
                return answer
            }
        }
        (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport, name: "\(UUID()).db") {
            service.value.withLock { $0.model.catalog.now }
        }
        mirror.settings = MirrorSettings(confirmSnapshots: 2, confirmAfter: .zero)
        change { catalog in quakes.forEach { catalog.insert($0, updated: $0.originTime + .seconds(600)) } }
    }

    func change(_ body: (inout EventCatalog) -> Void) { service.value.withLock { body(&$0.model.catalog) } }

    func pass(minutes: Int) { change { $0.now = $0.now + .seconds(minutes * 60) } }

    func editAnswers(_ edit: @escaping @Sendable (String, inout ServedAnswer) -> Void) {
        service.value.withLock { $0.edit = edit }
    }

    @discardableResult
    func backfill(_ since: Timestamp, until: Timestamp? = nil) throws -> BackfillReport {
        try mirror.fetch(.quakes(QuakeFilter(since: since, until: until), again: false))
    }

    /// Forgets the addresses requested so far, and returns those that `body` makes the mirror request.
    func requests(during body: () throws -> Void) rethrows -> [String] {
        addresses.value.withLock { $0 = [] }
        try body()
        return addresses.value.withLock { $0 }
    }

    /// Refreshes from a feed of the service; without a name, as `quakes refresh` does.
    @discardableResult
    func refresh(_ feed: FeedName? = nil) throws -> RefreshReport {
        guard let feed else { return try ScheduledRefresh(mirror, observer: MirrorObserver()).run(dryRun: false) }
        return try mirror.session { try $0.refresh(.summary(feed)) }
    }

    /// The reasons of the changes since transaction `number`, in order.
    func reasons(since number: TransactionNumber) throws -> [ChangeReason] {
        var reasons: [ChangeReason] = []
        try context.history.fetch(HistoryDescriptor(start: .transaction(number)), resyncs: false) { event in
            if case .change(let relevant) = event { reasons.append(relevant.change.reason) }
        }
        return reasons
    }

    @discardableResult
    func update() throws -> BackfillReport { try mirror.fetch(.update) }

    var ids: [String] { get throws { try context.fetch().map(\.quake.id).sorted() } }

    /// The covered ranges from backfills.
    var coveredRanges: [CoveredRange] {
        get throws { try context.sources.coveredRanges().filter { $0.source == .backfill } }
    }

    /// The times that backfills cover.
    var covered: RangeSet<Timestamp> { get throws { RangeSet(try coveredRanges.map(\.originTimes)) } }
}
