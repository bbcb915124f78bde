import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("DoubtRules: doubtful news is believed when repeated, dropped when contradicted") struct CorroborationTests {
    @Test("Another claimed stamp is other news, and an older snapshot is none") func otherClaim() {
        var noted = Doubt(quakeKey: 1, kind: .backward, generated: .minute(0), claimedUpdate: .minute(-30))
        noted.sightings = 5
        let newer = DoubtRules(settings: MirrorSettings(), generated: .minute(60), doubts: [noted])
        guard case .believed(let sixth) = newer.judge(.backward, of: 1, claimedUpdate: .minute(-30)) else {
            Issue.record("the sixth sighting was not believed")
            return
        }
        #expect(sixth.sightings == 6 && sixth.first == .minute(0))
        let other = Doubt(quakeKey: 1, kind: .backward, generated: .minute(60), claimedUpdate: .minute(-31))
        #expect(newer.judge(.backward, of: 1, claimedUpdate: .minute(-31)) == .noted(other))
        let older = DoubtRules(settings: MirrorSettings(), generated: .minute(-5), doubts: [noted])
        #expect(older.judge(.backward, of: 1, claimedUpdate: .minute(-31)) == .unchanged)
    }

    @Test("A doubt of which nothing was heard for longer than a month's window is dropped") func expiry() {
        let month: Int64 = 30 * 1440
        let old = Doubt(quakeKey: 1, kind: .absent, generated: .minute(-1))
        let young = Doubt(quakeKey: 2, kind: .absent, generated: .minute(0))
        let judge = DoubtRules(settings: MirrorSettings(), generated: .minute(month), doubts: [old, young])
        #expect(judge.expired == [.drop(.absent, key: 1)])
    }

    @Test("A snapshot that contradicts drops the doubt, also one of the same moment, unless it is older than the doubt")
    func contradiction() {
        let noted = Doubt(quakeKey: 1, kind: .absent, generated: .minute(0))
        let newer = DoubtRules(settings: MirrorSettings(), generated: .minute(1), doubts: [noted])
        let older = DoubtRules(settings: MirrorSettings(), generated: .minute(-1), doubts: [noted])
        let other = DoubtRules(settings: MirrorSettings(), generated: .minute(0), doubts: [noted])
        #expect(newer.contradicted(Doubt.Kind.allCases, by: 1) == [.drop(.absent, key: 1)])
        #expect(other.contradicted(Doubt.Kind.allCases, by: 1) == [.drop(.absent, key: 1)])
        #expect(newer.contradicted([.backward], by: 1).isEmpty && newer.contradicted([.absent], by: 2).isEmpty)
        #expect(older.contradicted(Doubt.Kind.allCases, by: 1).isEmpty)
    }
}
