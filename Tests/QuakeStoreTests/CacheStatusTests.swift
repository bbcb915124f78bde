import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// The age of the data and what it covers, as a library user sees them.
@Suite("The status of a cache", .scratch) final class CacheStatusTests: SuiteWithCache {
    private let hour = Duration.seconds(3600)

    /// Records that `name` was read at `checked` and published its newest document at `generated`.
    private func read(_ name: String, checked: Timestamp, generated: Timestamp?) throws {
        var record = FeedRecord(name: name)
        (record.checked, record.generated) = (checked, generated)
        try context.sources.save(record)
    }

    private func cover(_ range: CoveredRange) throws {
        try context.write { writer in try writer.changeCoverage { $0.add(range) } }
    }

    @Test("The status lists the sources, the newest publication and the covered ranges") func listsEverything() throws {
        let empty = try context.status()
        #expect(empty.sources == [] && empty.newestPublication == nil && empty.coveredRanges == [])
        try read("all_week", checked: .sample - hour, generated: .sample - hour * 2)
        try read("all_day", checked: .sample, generated: .sample - hour)
        try read("event service https://example.org", checked: .sample, generated: nil)
        var failed = FeedRecord(name: "all_hour")
        failed.error = "no route"
        try context.sources.save(failed)
        let range = CoveredRange(
            conditions: QuakeFilter(minimumMagnitude: 4.5), originTimes: (.sample - hour * 9)..<(.sample - hour),
            asOf: .sample)
        try cover(range)
        var uncertainties = range
        uncertainties.source = .uncertainties
        try cover(uncertainties)

        let status = try QuakeContext(scratch.store, access: .reading).status()
        #expect(status.sources?.map(\.name) == ["all_day", "all_hour", "all_week"])
        #expect(status.sources?.map(\.lastChecked) == [.sample, nil, .sample - hour])
        #expect(status.sources?.map(\.newestPublication) == [.sample - hour, nil, .sample - hour * 2])
        #expect(status.newestPublication == .sample - hour)
        #expect(status.coveredRanges?.map(\.originTimes) == [range.originTimes])
        #expect(status.coveredRanges?.first?.conditions == range.conditions)
        #expect(status.coveredRanges?.first?.asOf == .sample)
    }

    @Test("The newest publication never precedes that of a past state, even after a trim of the history")
    func newestOfAll() throws {
        func insert(_ id: String, published: Timestamp?) throws {
            let origin = TransactionOrigin(provenance: published.map { .init(generated: $0) })
            try context.write(origin) { try $0.insert(.sample(id), reason: .new) }
        }
        try read("all_day", checked: .sample, generated: .sample - hour * 2)
        // A response of the event service is newer than the feed.
        try insert("us1", published: .sample - hour)
        try insert("us2", published: nil)
        let pinned = try QuakeContext(scratch.store, access: .reading)
        try pinned.pin(to: context.history.token(afterTransaction: 1))
        #expect(try pinned.status().newestPublication == .sample - hour)
        #expect(try context.status().newestPublication == .sample - hour)
        try context.history.trim(through: 2)
        try insert("us3", published: .sample - hour * 3)
        #expect(try context.status().newestPublication == .sample - hour)
        try insert("us4", published: nil)
        try pinned.pin(to: context.history.token(afterTransaction: 3))
        #expect(try pinned.status().newestPublication == .sample - hour)
    }

    @Test("A pinned context reports the status at the pinned moment") func pinnedStatus() async throws {
        let origin = TransactionOrigin(provenance: .init(generated: .sample - hour * 3))
        try context.write(origin) { try $0.insert(.sample("us1"), reason: .new) }
        let token = try context.history.currentToken()
        try read("all_day", checked: .sample - hour, generated: .sample - hour)
        let pinned = try QuakeContext(scratch.store, access: .reading)
        try pinned.pin(to: .current)
        try read("all_day", checked: .sample, generated: .sample)
        let later = TransactionOrigin(provenance: .init(generated: .sample))
        try context.write(later) { try $0.insert(.sample("us2"), reason: .new) }
        try cover(CoveredRange(originTimes: (.sample - hour)..<(.sample), asOf: .sample))

        let then = try pinned.status()
        #expect(then.sources?.map(\.lastChecked) == [.sample - hour] && then.coveredRanges == [])
        #expect(then.newestPublication == .sample - hour)
        try pinned.pin(to: .token(token))
        let past = try pinned.status()
        #expect(past.sources == nil && past.coveredRanges == nil && past.newestPublication == .sample - hour * 3)
        try pinned.unpin()
        let now = try await scratch.store.read { try $0.status() }
        #expect(try now.sources == pinned.status().sources && now.newestPublication == .sample)
        #expect(now.coveredRanges?.count == 1)
    }
}
