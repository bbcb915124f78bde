import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Coding of history events") struct HistoryEventCodingTests {
    private func update(from before: Quake, to after: Quake) -> RelevantChange {
        let transaction = HistoryTransaction(
            storeID: "s", number: TransactionNumber(2), time: .sample, fingerprint: 7, author: "a", purpose: nil,
            processID: 1, host: "h", program: "p", provenance: .init(url: "u", etag: "e", featureCount: 3))
        let change = HistoryChange(
            id: ChangeID(3), transaction: transaction.number, reason: .revised, quakeKey: QuakeKey(1),
            effect: .update(before: before, after: after, changed: before.differences(from: after)))
        return RelevantChange(change: change, operation: .update, transaction: transaction, token: nil)
    }

    private func members(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test("An update is encoded as the state after it and the old and new values of what it changed")
    func changedValues() throws {
        var after = Quake(sample: "us1")
        after.magnitude = 5
        let event = HistoryEvent.change(update(from: Quake(sample: "us1"), to: after))
        let members = try members(event)
        #expect(members["kind"] as? String == "change" && members["op"] as? String == "update")
        #expect(members["before"] as? [String: Double] == ["mag": 4.6])
        #expect(members["after"] as? [String: Double] == ["mag": 5])
        #expect((members["values"] as? [String: Any])?["time"] as? String == "2026-03-14T12:00:00.000Z")
        #expect((members["transaction"] as? [String: Any])?["host"] as? String == "h")
        #expect(try JSONDecoder().decode(HistoryEvent.self, from: JSONEncoder().encode(event)) == event)
    }

    @Test("Titles and addresses that differ from the derived ones survive encoding, before and after an update")
    func publishedTexts() throws {
        let titles: [String?] = [nil, "Old", "M 4.6 - 5 km S of Pāhola, Hawaii"]
        for (old, new) in titles.flatMap({ old in titles.map { (old, $0) } }) {
            for magnitude in [4.6, 5] {
                var before = Quake(sample: "us1")
                (before.publishedTitle, before.publishedURL) = (old, old)
                var after = Quake(sample: "us1", magnitude: magnitude)
                (after.publishedTitle, after.publishedDetail) = (new, new)
                let change = update(from: before, to: after)
                let copy = try JSONDecoder().decode(RelevantChange.self, from: JSONEncoder().encode(change))
                #expect(copy == change, "\(old ?? "derived"), \(new ?? "derived"), \(magnitude)")
            }
        }
    }

    @Test("An update whose quakes were reduced to some properties survives encoding") func reducedQuakes() throws {
        var after = Quake(sample: "us1", time: .sample + .seconds(3), updated: .sample + .seconds(9), magnitude: 5)
        after.extra = #"{"a":[1,2.5,{"b":null}]}"#
        after.ids = PublishedSet(",us1,at2,")
        let whole = update(from: Quake(sample: "us1"), to: after)
        var reduced = whole
        reduced.change = whole.change.keepingOnly([.ids, .extra])
        for change in [whole, reduced] {
            let copy = try JSONDecoder().decode(RelevantChange.self, from: JSONEncoder().encode(change))
            #expect(
                copy == change && copy.change.after?.extra == after.extra && copy.change.after?.ids.text == ",us1,at2,")
        }
    }

    @Test("Words of a change that only a later version knows are decoded as other or omitted") func laterWords() throws
    {
        let before = Quake(sample: "us1")
        let change = update(from: before, to: Quake(sample: "us1", magnitude: 5))
        var members = try members(change)
        members["op"] = "corrected"
        members["reason"] = "recomputed"
        members["timeliness"] = "early"
        members["changed"] = ["mag", "rupture"]
        members["before"] = ["mag": 4.6, "rupture": "north"]
        let copy = try JSONDecoder().decode(
            RelevantChange.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(copy.operation == .update && copy.change.reason == .other && copy.timeliness == nil)
        #expect(copy.change.effect == change.change.effect)
        #expect(!ChangeReason.allCases.contains(.other))
        let event = Data(#"{"kind":"drop-everything","reason":"moved"}"#.utf8)
        #expect(try JSONDecoder().decode(HistoryEvent.self, from: event) == .dropEverything(.expired))
    }

    @Test(
        "Decoding an event throws if it is a heartbeat, or if its quake has no place",
        arguments: [
            #"{"kind":"heartbeat","token":"q1.0.1.00000000","time":"2021-07-22T20:39:44.040Z"}"#, #"{"kind":"new"}"#,
            #"{"kind":"change","resync":true,"quake":1,"values":{"net":"us","code":"1","time":"2021-07-22","updated":"2021-07-22","lat":null,"lon":1}}"#,
            #"{"kind":"change","resync":true,"quake":1,"values":{"net":"us","code":"1","time":5,"updated":"2021-07-22","lat":0,"lon":1}}"#,
        ])
    func refusedEvents(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(HistoryEvent.self, from: Data(json.utf8)) }
    }
}
