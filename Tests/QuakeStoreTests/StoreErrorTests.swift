import QuakeTestSupport
import Foundation
import QuakeStore
import Testing

@Suite struct StoreErrorTests {
    @Test func aProgramCanLogAnErrorAsOneSentence() {
        let errors: [StoreError] = [
            .noCache(path: "/c"), .token(.expired), .unstorable(id: "us1", property: .mag, value: "nan"),
            .beforeHistory(begins: nil), .beforeHistory(begins: Timestamp(milliseconds: 0)),
            .idTaken(id: "us1", key: 2),
        ]
        #expect(
            errors.map { ($0 as any Error).localizedDescription } == [
                "There is no cache at /c.", "The token is no longer valid: the history following it has been purged.",
                "The quake us1 cannot be stored: its mag is nan.",
                "That state is not available: the history is empty.",
                "That state is not available: the history begins at 1970-01-01 00:00:00 UTC.",
                "Another quake already has the id us1.",
            ])
    }
}
