import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("What the mirroring rules decide about one document, case by case") struct RuleCaseTests {
    @Test(
        "In each case, the mirroring rules decide as its row says",
        arguments: RuleCase.all)
    func decision(of row: RuleCase) throws {
        let decision = try Situation(row.situation).decision
        #expect(decision == row.decision)
    }

    @Test("No two cases have the same title or situation") func differentRows() {
        let rows = RuleCase.all
        #expect(rows.count >= 200)
        #expect(Set(rows.map(\.title)).count == rows.count)
        #expect(Set(rows.map(\.situation)).count == rows.count)
    }
}
