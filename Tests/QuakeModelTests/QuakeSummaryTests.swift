import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

struct QuakeSummaryTests {
    /// Magnitudes that follow the Gutenberg-Richter relation from 1.95 on, rounded to one decimal.
    private func magnitudes(_ count: Int, b: Double, seed: UInt64) -> [Double] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            let magnitude = 1.95 - log10(1 - Double.random(in: 0..<1, using: &random)) / b
            return (magnitude * 10).rounded() / 10
        }
    }

    @Test("In 90% of synthetic catalogs, the b-value is within two standard errors of the true value")
    func bValueOfSyntheticCatalogs() throws {
        for b in [0.8, 1.0, 1.2] {
            let hits = try (1...20).count { seed in
                var counts = MagnitudeCounts()
                magnitudes(10_000, b: b, seed: UInt64(seed)).forEach { counts.add($0) }
                let relation = try counts.gutenbergRichter()
                #expect(relation.completeness == 2.2 && relation.fit > 95)
                return abs(relation.b - b) <= 2 * relation.standardError
            }
            #expect(hits >= 18, "b = \(b): \(hits) of 20")
        }
    }

    /// A table of more bins has another order, which differs from process to process.
    @Test("The b-value and its error have the same digits for every order of the counts in memory")
    func sameDigits() throws {
        func relation(_ magnitudes: [Double]) throws -> [Double] {
            var counts = MagnitudeCounts()
            magnitudes.forEach { counts.add($0) }
            let relation = try counts.gutenbergRichter()
            return [relation.b, relation.standardError]
        }
        for seed in 1...20 {
            let magnitudes = magnitudes(500, b: 0.7, seed: UInt64(seed))
            let others = (1...1000).map { -Double($0) / 10 }
            #expect(try relation(magnitudes) == relation(magnitudes + others))
        }
    }

    @Test("If the b-value cannot be computed, the error says why") func unknownBValue() {
        func refusal(_ magnitudes: [Double?]) -> GutenbergRichter.Failure? {
            var counts = MagnitudeCounts()
            magnitudes.forEach { counts.add($0) }
            do {
                _ = try counts.gutenbergRichter()
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([]) == .noMagnitudes && refusal([nil, .nan, 1e300]) == .noMagnitudes)
        let small = Array(repeating: 1.0, count: 60)
        #expect(refusal(small) == .tooFew(0, completeness: 1.2))
        #expect(refusal(small + Array(repeating: 1.2, count: 49)) == .tooFew(49, completeness: 1.2))
        #expect(refusal(small + [1.3] + Array(repeating: 1.2, count: 49)) == nil)
        #expect(refusal(small + Array(repeating: 1.15, count: 50)) == .noSpread)
        for equal in [1.2, 2.3, 4.57, 9.1] { #expect(refusal(small + Array(repeating: equal, count: 50)) == .noSpread) }
    }

    @Test("If two magnitude bins tie for the most quakes, the larger magnitude sets the completeness") func equalBins()
        throws
    {
        var counts = MagnitudeCounts()
        let magnitudes = [1.0, 1.4].flatMap { Array(repeating: $0, count: 60) }
        (magnitudes + Array(repeating: 1.6, count: 40) + Array(repeating: 1.8, count: 20)).forEach { counts.add($0) }
        #expect(try counts.gutenbergRichter().completeness == 1.6)
    }

    @Test("A summary has counts by magnitude, the completeness, and the b-value with its fit")
    func magnitudesOfSummary() throws {
        var summary = QuakeSummary()
        #expect(summary.magnitudeOfCompleteness == nil && summary.gutenbergRichter == nil)
        for (number, magnitude) in (Array(repeating: 1.0, count: 60) + [nil]).enumerated() {
            summary.add(Quake(sample: "us\(number)", time: .sample, magnitude: magnitude))
        }
        #expect(summary.magnitudeCounts == [1: 60, nil: 1])
        #expect(summary.magnitudeOfCompleteness == 1.2 && summary.gutenbergRichter == nil)
        for (number, magnitude) in magnitudes(10_000, b: 1, seed: 7).enumerated() {
            summary.add(Quake(sample: "ci\(number)", time: .sample, magnitude: magnitude))
        }
        let relation = try #require(summary.gutenbergRichter)
        #expect(relation.completeness == summary.magnitudeOfCompleteness && relation.completeness == 2.2)
        #expect(abs(relation.b - 1) < 3 * relation.standardError && relation.fit > 95)
    }

    /// Computed in Python: 25 times 1.2 and 25 times 1.6 have a mean of 1.4; the squared differences sum to 2.
    @Test("The standard error of the b-value is that of Shi and Bolt (1982)") func standardError() throws {
        var counts = MagnitudeCounts()
        for magnitude in Array(repeating: 1.0, count: 60) + (0..<50).map({ $0 < 25 ? 1.2 : 1.6 }) {
            counts.add(magnitude)
        }
        let relation = try counts.gutenbergRichter()
        #expect(abs(relation.b - 1.7371779276) < 1e-9)
        #expect(abs(relation.standardError - 0.1985346203) < 1e-9)
        // Cumulative counts of 50, 25, 25, 25 and 25, against a line through 50, 33.516, 22.466, 15.059 and 10.095.
        #expect(abs(relation.fit - 76.0698) < 1e-3)
    }

    /// By Aki and Utsu from 2.5 on; a limit below the estimated 2.2 has no effect.
    @Test("A minimum magnitude above the estimated completeness replaces the estimate") func minimumMagnitude() throws {
        var counts = MagnitudeCounts()
        magnitudes(10_000, b: 1, seed: 1).forEach { counts.add($0) }
        for (least, completeness) in [(2.5, 2.5), (2.44, 2.5), (1.1, 2.2), (1e300, nil)] {
            #expect((try? counts.gutenbergRichter(from: least))?.completeness == completeness)
        }
    }

    @Test("The largest quake of a summary does not depend on the order in which quakes are added")
    func countsQuakesOnce() {
        var summary = QuakeSummary()
        var quakes = [
            Quake(sample: "us1", magnitude: 4.99), Quake(sample: "us2", magnitude: -0.3),
            Quake(sample: "us3", magnitude: nil), Quake(sample: "ci4", magnitude: 4.99),
        ]
        quakes[0].eventType = "earthquake"
        quakes[1].feltReports = 3
        quakes[2].hypocenter.depthKilometers = 600
        quakes[3].feltReports = 0
        quakes.forEach { summary.add($0) }
        #expect(summary.count == 4 && summary.earliest == .sample && summary.latest == .sample)
        #expect(summary.magnitudes.classes == [4: 2, -1: 1, nil: 1])
        #expect(summary.networks == ["us": 3, "ci": 1] && summary.eventTypes == ["earthquake": 1, nil: 3])
        // Of two equally large quakes, the one whose id comes first.
        #expect(summary.largest?.id == "ci4" && summary.deepest?.id == "us3" && summary.mostFelt?.id == "us2")
        var reversed = QuakeSummary()
        quakes.reversed().forEach { reversed.add($0) }
        #expect(reversed.largest == summary.largest)
    }

    @Test(
        "A summary counts quakes by hour, day, month or year, depending on the time range",
        arguments: [
            (
                ["2024-01-01T00:30:00Z", "2024-01-02T01:00:00Z"], OriginTimeCounts.Unit.hour, 26,
                "2024-01-01T00:00:00.000Z"
            ),
            (["2024-02-27T00:30:00Z", "2024-03-02T01:00:00Z"], .day, 5, "2024-02-27T00:00:00.000Z"),
            (["2023-11-27T00:30:00Z", "2024-03-02T01:00:00Z"], .day, 97, "2023-11-27T00:00:00.000Z"),
            (["1969-12-27T00:30:00Z", "1970-01-01T01:00:00Z"], .day, 6, "1969-12-27T00:00:00.000Z"),
            (["2023-11-27T00:30:00Z", "2024-12-31T01:00:00Z"], .month, 14, "2023-11-01T00:00:00.000Z"),
            (["1899-11-27T00:30:00Z", "2024-12-31T01:00:00Z"], .year, 126, "1899-01-01T00:00:00.000Z"),
        ])
    func timeSpans(times: [String], unit: OriginTimeCounts.Unit, count: Int, start: String) throws {
        var counts = OriginTimeCounts()
        for time in times { counts.add(try #require(Timestamp(iso8601: time))) }
        let spans = counts.spans
        #expect(counts.unit == unit && spans.count == count && spans.first?.start.iso8601 == start)
        #expect(spans.map(\.count).reduce(0, +) == 2 && spans.first?.count == 1 && spans.last?.count == 1)
    }

    @Test("Times outside the years 0 to 9999 are counted in the first or last year") func extremeTimes() {
        var counts = OriginTimeCounts()
        for milliseconds in [Int64.min, .max, 0] { counts.add(Timestamp(milliseconds: milliseconds)) }
        let spans = counts.spans
        #expect(spans.count == 10_000 && spans.map(\.count).reduce(0, +) == 3 && spans.last?.count == 1)
    }
}
