@testable import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// A month of `quakes refresh` every five minutes, with feeds and a service that lag. `QUAKES_MONTH_SEED` repeats the
/// month of one seed.
// Proves rule 9 of mirroring.md.
@Suite("A month of refreshes by cron alone", .scratch, .computing, .endsInTime) struct RetractionMonthTests {
    /// A day, the longest lag, and a refresh or two.
    private static let patience = Duration.seconds(26 * 3_600)
    private static let seeds = Thoroughness.seeds(1, of: 20, orOnly: "QUAKES_MONTH_SEED")

    @Test("In a simulated month, retracted quakes leave the cache within 26 hours", arguments: seeds)
    func retractionsWithinDay(seeds: Range<Int>) throws {
        for seed in seeds {
            let month = try SimulatedMonth(seed: seed, in: .ofTest())
            try month.run()
            let ledger = try MonthLedger(of: month)
            let checked = ledger.retractions(lasting: Self.patience, outage: nil).map(\.retraction.age)
            // A quake that is retracted between two refreshes was never in the cache.
            #expect(Set(checked).isSuperset(of: MonthPlan.ages.filter { $0 > SimulatedMonth.interval }), "seed \(seed)")
            #expect(ledger.unrecorded(after: Self.patience) == [], "seed \(seed)")
            try expectHonesty(of: ledger, seed)
            let requests = month.servers.serviceRequests.filter { !$0.isAboutOne }
            #expect(requests.mostInADay <= 1, "seed \(seed)")
        }
    }

    @Test("Retractions during a week's outage of the event service are recorded afterward", arguments: seeds)
    func outage(seeds: Range<Int>) throws {
        let start = PublishedMonth.start + .seconds(10 * PublishedMonth.day)
        let week = start..<start + .seconds(7 * PublishedMonth.day)
        for seed in seeds {
            let month = try SimulatedMonth(seed: seed, outage: week, in: .ofTest())
            try month.run()
            #expect(month.refreshes == month.ticks, "seed \(seed)")
            let ledger = try MonthLedger(of: month)
            #expect(ledger.unrecorded(after: Self.patience, outage: week) == [], "seed \(seed)")
            try expectHonesty(of: ledger, seed)
            let requests = month.servers.serviceRequests.filter { !$0.isAboutOne }
            #expect(requests.filter { !$0.hasFailed }.mostInADay <= 1, "seed \(seed)")
            // It is asked again an hour after a failure at the earliest.
            #expect(requests.mostInADay <= 25, "seed \(seed)")
        }
    }

    private func expectHonesty(of ledger: MonthLedger, _ seed: Int) throws {
        #expect(ledger.falseDeletions == [], "seed \(seed)")
        #expect(ledger.repeatedInsertions == [], "seed \(seed)")
        #expect(ledger.wrongAtEnd == [], "seed \(seed)")
    }
}

extension [MonthServers.ServiceRequest] {
    /// The most requests in one day of the month.
    fileprivate var mostInADay: Int {
        let days = Dictionary(grouping: self) { ($0.moment - PublishedMonth.start).components.seconds / 86_400 }
        return days.values.map(\.count).max() ?? 0
    }
}
