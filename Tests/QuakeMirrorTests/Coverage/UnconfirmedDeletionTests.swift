import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("Coverage after unconfirmed deletions", .scratch) struct UnconfirmedDeletionTests {
    private static let now = Timestamp.minute(0)
    private static let since = now - .seconds(20 * 86_400)

    private static let catalog: EventCatalog = {
        var catalog = EventCatalog(now: now)
        catalog.insertInvented(30, in: since + .seconds(86_400)...now - .seconds(2 * 86_400))
        return catalog
    }()

    private static let whole = BackfillRequest.quakes(QuakeFilter(since: since), again: false)

    private let quakes = catalog.quakes
    private let service = Arc(ModelService(catalog))
    private var mirror: FeedMirror
    /// A cache filled by a backfill.
    private let context: QuakeContext

    init() throws {
        let service = service
        let transport = ScriptedTransport { url in
            let answer = service.value.withLock { $0.answer(to: url) }
            return .init(status: answer.status, headers: answer.headers, body: answer.body)
        }
        (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) {
            service.value.withLock { $0.catalog.now }
        }
        mirror.serviceScope = .downloads
        #expect(try mirror.fetch(Self.whole).inserted == 30)
    }

    /// Refreshes from a monthly feed file with these quakes, made that many minutes after the backfill.
    private func refresh(_ quakes: [Quake], at minute: Int64) throws -> RefreshReport {
        service.value.withLock { $0.catalog.now = .minute(minute) }
        let document = Document.feed("all_month", at: minute, quakes)
        let path = try ScratchDirectory.ofTest().write(document, to: "month.geojson")
        return try mirror.session { try $0.refresh(.file(path)) }
    }

    /// Whether a covered range includes the quake.
    private func coveredRanges(_ quake: Quake) throws -> Bool {
        try context.sources.coveredRanges().contains { $0.source == .backfill && $0.contains(quake) }
    }

    /// Refreshes from snapshots without `quake` until it is retracted.
    private func retract(_ quake: Quake) throws {
        for minute in 1...9 as ClosedRange<Int64> {
            _ = try refresh(quakes.filter { $0.id != quake.id }, at: minute * 20)
        }
        #expect(try context.quake(id: quake.id) == nil)
    }

    // Proves rule 23 of mirroring.md.
    @Test(
        "A backfill brings back a quake retracted without the service's confirmation",
        arguments: [BackfillRequest.update, whole])
    func retraction(request: BackfillRequest) throws {
        let lost = quakes[7]
        try retract(lost)
        #expect(try !coveredRanges(lost) && coveredRanges(quakes[20]))
        #expect(try mirror.fetch(request).inserted == 1)
        #expect(try context.quake(id: lost.id) != nil)
        #expect(try coveredRanges(lost))
        #expect(try mirror.fetch(request).inserted == 0)
        #expect(try context.maintenance.verify().findings == [])
    }

    // Proves rule 23 of mirroring.md.
    @Test("An update separates two quakes that a feed alone merged, and covers both again") func merge() throws {
        let (kept, lost) = try #require(Self.twoOfDifferentNetworks(quakes))
        var both = kept
        both.ids = PublishedSet(members: [kept.id, lost.id])
        both.updated = .minute(10)
        let listed = quakes.filter { $0.id != lost.id && $0.id != kept.id } + [both]
        #expect(try refresh(listed, at: 20).deleted == [.merged: 1])
        #expect(try !coveredRanges(lost))
        let report = try mirror.fetch(.update)
        #expect(report.inserted == 1 && report.isComplete)
        let (first, second) = (try context.quake(id: kept.id), try context.quake(id: lost.id))
        #expect(first != nil && second != nil && first?.key != second?.key)
        #expect(try coveredRanges(lost) && coveredRanges(kept))
    }

    // Proves rule 10 of mirroring.md.
    @Test("A snapshot older than a service response does not change the quakes in the response")
    func olderThanResponse() throws {
        service.value.withLock { $0.catalog.now = .minute(600) }
        #expect(try mirror.fetch(.again).updated == 0)
        var revised = quakes[8]
        (revised.magnitude, revised.updated) = (9, .minute(590))
        for minute in 1...9 as ClosedRange<Int64> {
            let listed = quakes.filter { ![quakes[7].id, revised.id].contains($0.id) } + [revised]
            let report = try refresh(listed, at: minute * 60)
            #expect(report.missing == 0 && report.updated.isEmpty)
        }
        #expect(try context.fetch().count == 30)
        #expect(try context.quake(id: revised.id)?.quake.magnitude == quakes[8].magnitude)
        // Later snapshots count.
        #expect(try refresh(quakes.filter { $0.id != quakes[7].id }, at: 601).missing == 1)
    }

    // Proves rule 7 of mirroring.md.
    @Test("A quake inserted by an editor, which no snapshot ever listed, never counts as missing") func neverListed()
        throws
    {
        let own = Quake(sample: "my1", time: Self.since + .seconds(5 * 86_400))
        let editor = QuakeEditor(context)
        try editor.insert(own)
        try editor.save()
        for minute in 1...9 as ClosedRange<Int64> {
            #expect(try refresh(quakes, at: minute * 20).missing == 0)
        }
        #expect(try context.quake(id: "my1")?.quake.magnitude == own.magnitude)
    }

    @Test("A backfill response older than a retraction covers nothing and inserts nothing") func olderThanDeletion()
        throws
    {
        let lost = quakes[7]
        try retract(lost)
        service.value.withLock { $0.catalog.now = .minute(90) }
        let report = try mirror.fetch(Self.whole)
        #expect(report.inserted == 0 && report.requests == 4 && !report.isComplete)
        #expect(report.incompleteWindows.map(\.reason) == [.outdated(asOf: .minute(90))])
        #expect(try !coveredRanges(lost))
        service.value.withLock { $0.catalog.now = .minute(200) }
        #expect(try mirror.fetch(Self.whole).inserted == 1)
        #expect(try coveredRanges(lost))
    }

    @Test("If the user purges the day of an unconfirmed retraction, updates no longer fetch that day") func missingDay()
        throws
    {
        try retract(quakes[7])
        let day = quakes[7].originTime.milliseconds / 86_400_000
        let missing = try context.sources.coverage().missing(until: .minute(0) - .seconds(86_400))
        #expect(missing.map { $0.originTimes.lowerBound.milliseconds / 86_400_000 } == [day])
        #expect(missing.map { $0.originTimes.upperBound - $0.originTimes.lowerBound } == [.seconds(86_400)])
        // By purging the quake, the user wants none of it back.
        try context.maintenance.purge(
            QuakeFilter(since: missing[0].originTimes.lowerBound, until: missing[0].originTimes.upperBound))
        #expect(try mirror.fetch(.update).inserted == 0)
    }

    /// Returns two quakes without a common network, the older one first, so that a merge removes the second.
    private static func twoOfDifferentNetworks(_ quakes: [Quake]) -> (Quake, Quake)? {
        let single = quakes.filter { $0.ids.members.count == 1 }
        guard let first = single.first, let second = single.first(where: { $0.net != first.net }) else { return nil }
        return (first, second)
    }
}
