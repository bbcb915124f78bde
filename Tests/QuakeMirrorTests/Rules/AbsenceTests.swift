import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Absences from a snapshot") struct AbsenceTests {
    private static let once = MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)

    // Proves rule 6 of mirroring.md.
    @Test("Absence counts only for origin times at least 60 seconds inside the feed's period") func certainPeriod() {
        #expect(SnapshotFacts.day(at: 0).certainWindow == .minute(-1439)...Timestamp.minute(-1))
    }

    // Proves rule 7 of mirroring.md.
    @Test(
        "A quake counts as absent from a snapshot only if it was last listed in an older one",
        arguments: [(0, 5), (4, 4), (5, 5), (6, 4)])
    func listedByOlderSnapshot(row: Int64, other: Int64) throws {
        let moment = row == 0 ? Timestamp(milliseconds: 0) : .minute(row)
        var cache = CacheInMemory(.sample("us", "7000zz01"), confirmed: moment)
        cache.confirmedByOthers[1] = row == 0 ? moment : .minute(other)
        let absences = try SnapshotRules(facts: .day(at: 5)).absences(among: [1], listed: [], cache: cache)
        #expect(absences.unconfirmed == (row == 4 ? 1 : 0))
    }

    @Test("A quake listed in an unreadable feature does not count as absent")
    func listedQuake() throws {
        let rules = SnapshotRules(facts: .day(at: 5), settings: AbsenceTests.once)
        var outcome = SnapshotOutcome()
        outcome.list([1])
        outcome.add(rules.decision(onUnreadable: 2))
        let absences = try rules.absences(among: [1, 2], listed: outcome.listed, cache: CacheInMemory())
        #expect(absences.operations.isEmpty)
        #expect(outcome.confirmed == ListedKeys([1]))
    }

    // Proves rule 15 of mirroring.md.
    @Test(
        "No absence counts if more than 20 quakes, and more than 20% of all, are newly missing",
        arguments: [
            (covered: 30, missing: 20, isSuspect: false), (covered: 30, missing: 21, isSuspect: true),
            (covered: 100, missing: 20, isSuspect: false), (covered: 100, missing: 21, isSuspect: true),
            (covered: 1000, missing: 200, isSuspect: false), (covered: 1000, missing: 201, isSuspect: true),
        ])
    func massDisappearance(covered: Int, missing: Int, isSuspect: Bool) throws {
        let absences = try SnapshotRules(facts: .day(at: 5)).absences(
            among: (0..<covered).map { QuakeKey(Int64($0)) },
            listed: Set((missing..<covered).map { QuakeKey(Int64($0)) }), cache: CacheInMemory(count: covered))
        #expect(absences.isSuspect == isSuspect)
        #expect(
            absences.operations.count == (isSuspect ? 0 : missing) && absences.unconfirmed == absences.operations.count)
    }

    // Proves rule 15 of mirroring.md.
    @Test("A quake whose absence is already unconfirmed does not count as newly missing")
    func recordedAbsences() throws {
        let unconfirmedChanges = (0..<15).map {
            UnconfirmedChange(quakeKey: QuakeKey($0), kind: .absent, sourceTime: .minute(0))
        }
        let rules = SnapshotRules(facts: .day(at: 5), unconfirmedChanges: unconfirmedChanges)
        let cache = CacheInMemory(count: 30)
        #expect(try !rules.absences(among: (0..<30).map { QuakeKey($0) }, listed: [], cache: cache).isSuspect)
    }
}
