import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("DoubtRules: doubtful news is believed when repeated, dropped when contradicted")
struct CorroborationTests {
    /// Returns the verdict on an absence after each snapshot, at the given minutes.
    private func verdicts(_ minutes: [Int64], _ settings: MirrorSettings = MirrorSettings()) -> [Bool] {
        var doubts: [Doubt] = []
        return minutes.map { minute in
            let judge = DoubtRules(settings: settings, generated: .minute(minute), doubts: doubts)
            switch judge.judge(.absent, of: 1) {
            case .believed: return true
            case .noted(let doubt): doubts = [doubt]
            case .unchanged: break
            }
            return false
        }
    }

    @Test("Six snapshots over an hour, the first included, are enough")
    func sixOverAnHour() {
        #expect(verdicts([0, 12, 24, 36, 48, 60]) == [false, false, false, false, false, true])
    }

    @Test("Five over an hour are not")
    func fiveOverAnHour() {
        #expect(verdicts([0, 15, 30, 45, 60]) == [false, false, false, false, false])
    }

    @Test("Six within less than an hour are not, the next one at the hour is")
    func sixTooFast() {
        #expect(verdicts([0, 1, 2, 3, 4, 59, 60]) == [false, false, false, false, false, false, true])
    }

    @Test("A snapshot that is no newer than the last does not count")
    func sameMoment() {
        #expect(verdicts([0, 60, 60, 60, 60, 60, 30]) == [false, false, false, false, false, false, false])
    }

    @Test("Both figures are settings; one snapshot over no time believes at once")
    func settings() {
        #expect(verdicts([0], MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)) == [true])
        let slower = MirrorSettings(confirmSnapshots: 2, confirmAfter: .seconds(120))
        #expect(verdicts([0, 1, 2], slower) == [false, false, true])
    }

    @Test("Another claimed stamp is other news, and an older snapshot is none")
    func otherClaim() {
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

    @Test("Another place name is other news")
    func otherName() {
        var noted = Doubt(quakeKey: 1, kind: .place, generated: .minute(0), claimedName: "Fox")
        noted.sightings = 5
        let rules = DoubtRules(settings: MirrorSettings(), generated: .minute(60), doubts: [noted])
        let other = Doubt(quakeKey: 1, kind: .place, generated: .minute(60), claimedName: "Nenana")
        #expect(rules.judge(.place, of: 1, claimedName: "Nenana") == .noted(other))
        guard case .believed = rules.judge(.place, of: 1, claimedName: "Fox") else {
            Issue.record("the sixth sighting was not believed")
            return
        }
    }

    @Test("A doubt of which nothing was heard for longer than a month's window is dropped")
    func expiry() {
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
