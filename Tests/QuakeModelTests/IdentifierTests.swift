import QuakeTestSupport
import Foundation
import QuakeModel
import Testing

@Suite("Identifiers") struct IdentifierTests {
    @Test("Quake keys, transaction numbers and change ids are encoded and printed as plain numbers") func plainNumber()
        throws
    {
        let highest = QuakeKey(.max)
        #expect(try json([highest]) == "[9223372036854775807]" && "\(highest)" == "9223372036854775807")
        #expect(try json([TransactionNumber(42)]) == "[42]" && "\(TransactionNumber(42))" == "42")
        #expect(try json([ChangeID(-7)]) == "[-7]" && "\(ChangeID(-7))" == "-7")
        #expect(try JSONDecoder().decode([QuakeKey].self, from: Data("[9223372036854775807]".utf8)) == [highest])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(QuakeKey.self, from: Data("\"1\"".utf8)) }
    }

    @Test("In the JSON of a history event, every identifier is a plain number") func withinValues() throws {
        let transaction = HistoryTransaction(
            storeID: "s", number: TransactionNumber(2), time: .sample, fingerprint: 7, author: "", purpose: nil,
            processID: 1, host: "", program: "", provenance: nil)
        let change = HistoryChange(
            id: ChangeID(3), transaction: transaction.number, reason: .merged, quakeKey: QuakeKey(1),
            effect: .delete(tombstone: Quake(sample: "us1"), mergedInto: QuakeKey(9)))
        let event = HistoryEvent.change(
            RelevantChange(change: change, operation: .delete, transaction: transaction, token: transaction.token))
        let written = try json(event)
        for member in ["\"change_id\":3", "\"number\":2", "\"quake\":1", "\"merged_into\":9"] {
            #expect(written.contains(member), "\(written)")
        }
        #expect(try JSONDecoder().decode(HistoryEvent.self, from: Data(written.utf8)) == event)
    }

    @Test("Quake keys, transaction numbers and change ids sort numerically") func order() {
        #expect(QuakeKey(9) < QuakeKey(10) && TransactionNumber.zero < TransactionNumber(1))
        #expect([ChangeID(3), ChangeID(-1), ChangeID(2)].sorted() == [ChangeID(-1), ChangeID(2), ChangeID(3)])
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
