import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("The verdicts: what the rules decide about one document, row by row") struct VerdictTests {
    @Test(
        "In each situation of the verdict table, the mirroring rules decide as the table says",
        arguments: VerdictRow.all)
    func verdict(of row: VerdictRow) throws {
        let verdict = try Situation(row.situation).verdict
        #expect(verdict == row.verdict)
    }

    @Test("No two rows of the verdict table have the same title or situation") func differentRows() {
        let rows = VerdictRow.all
        #expect(rows.count >= 200)
        #expect(Set(rows.map(\.title)).count == rows.count)
        #expect(Set(rows.map(\.situation)).count == rows.count)
    }
}
