import QuakeTestSupport
import Testing

@testable import QuakeMirror

// Proves rule 13 of mirroring.md.
@Suite("Confirming unconfirmed changes") struct CorroborationTests {
    @Test("Only six snapshots with the same updated time confirm a version older than the cached one")
    func differentUpdated() {
        var noted = UnconfirmedChange(quakeKey: 1, kind: .backward, sourceTime: .minute(0), updated: .minute(-30))
        noted.snapshots = 5
        let newer = ConfirmationRules(settings: MirrorSettings(), sourceTime: .minute(60), unconfirmedChanges: [noted])
        guard case .confirmed(let sixth) = newer.judge(.backward, of: 1, updated: .minute(-30)) else {
            Issue.record("the sixth snapshot did not confirm the change")
            return
        }
        #expect(sixth.snapshots == 6 && sixth.first == .minute(0))
        let other = UnconfirmedChange(quakeKey: 1, kind: .backward, sourceTime: .minute(60), updated: .minute(-31))
        #expect(newer.judge(.backward, of: 1, updated: .minute(-31)) == .unconfirmed(other))
        let older = ConfirmationRules(settings: MirrorSettings(), sourceTime: .minute(-5), unconfirmedChanges: [noted])
        #expect(older.judge(.backward, of: 1, updated: .minute(-31)) == .unchanged)
    }

    @Test("An unconfirmed change that no snapshot repeats for 30 days is discarded") func expiry() {
        let month: Int64 = 30 * 1440
        let old = UnconfirmedChange(quakeKey: 1, kind: .absent, sourceTime: .minute(-1))
        let young = UnconfirmedChange(quakeKey: 2, kind: .absent, sourceTime: .minute(0))
        let judge = ConfirmationRules(
            settings: MirrorSettings(), sourceTime: .minute(month), unconfirmedChanges: [old, young])
        #expect(judge.operationsDroppingExpired == [.drop(.absent, key: 1)])
    }

    @Test("A snapshot that contradicts an unconfirmed change discards it unless older than the change")
    func contradiction() {
        let noted = UnconfirmedChange(quakeKey: 1, kind: .absent, sourceTime: .minute(0))
        let newer = ConfirmationRules(settings: MirrorSettings(), sourceTime: .minute(1), unconfirmedChanges: [noted])
        let older = ConfirmationRules(settings: MirrorSettings(), sourceTime: .minute(-1), unconfirmedChanges: [noted])
        let other = ConfirmationRules(settings: MirrorSettings(), sourceTime: .minute(0), unconfirmedChanges: [noted])
        #expect(newer.operationsDropping(UnconfirmedChange.Kind.allCases, of: 1) == [.drop(.absent, key: 1)])
        #expect(other.operationsDropping(UnconfirmedChange.Kind.allCases, of: 1) == [.drop(.absent, key: 1)])
        #expect(
            newer.operationsDropping([.backward], of: 1).isEmpty && newer.operationsDropping([.absent], of: 2).isEmpty)
        #expect(older.operationsDropping(UnconfirmedChange.Kind.allCases, of: 1).isEmpty)
    }
}
