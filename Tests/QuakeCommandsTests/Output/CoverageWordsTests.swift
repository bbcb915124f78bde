import QuakeMirror
import QuakeModel
import Testing

@testable import QuakeCommands

struct CoverageWordsTests {
    @Test("quakes status joins adjacent covered ranges and shows the time as of which both are complete")
    func adjacentRanges() {
        let times: [Timestamp] = (0...3).map { Timestamp(milliseconds: $0 * 86_400_000) }
        func recordCoverage(_ first: Int, asOf: Int) -> CoveredRange {
            CoveredRange(
                source: .backfill, conditions: QuakeFilter(), originTimes: times[first]..<times[first + 1],
                asOf: times[asOf], isOpenEnded: false)
        }
        for ages in [(2, 3), (3, 2)] {
            let words = [recordCoverage(0, asOf: ages.0), recordCoverage(1, asOf: ages.1)].words
            #expect(words.count == 1)
            #expect(words[0].hasSuffix("last checked 1970-01-03 00:00 UTC or later"), "\(words)")
        }
    }
}
