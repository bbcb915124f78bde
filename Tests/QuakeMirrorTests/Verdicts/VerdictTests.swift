import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("The verdicts: what the rules decide about one document, row by row") struct VerdictTests {
    @Test("Each row leads to its verdict", arguments: VerdictRow.all) func verdict(of row: VerdictRow) throws {
        let verdict = try Situation(row.situation).verdict
        #expect(verdict == row.verdict)
    }

    @Test("Each row has a title and a situation of its own") func differentRows() {
        let rows = VerdictRow.all
        #expect(rows.count >= 200)
        #expect(Set(rows.map(\.title)).count == rows.count)
        #expect(Set(rows.map(\.situation)).count == rows.count)
    }
}
