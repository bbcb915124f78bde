import QuakeTestSupport
import Foundation
import QuakeModel
import Testing

@Suite("Coding of values") struct CodedValueTests {
    private var quake: Quake {
        var quake = Quake(
            net: "us", code: "7000abcd", originTime: Timestamp(milliseconds: -1_234),
            updated: Timestamp(milliseconds: 5),
            hypocenter: Hypocenter(longitude: -155.29, latitude: 19.42, depthKilometers: 0.1))
        quake.magnitude = 0.1 + 0.2
        quake.place = "Pāhala"
        quake.feltReports = .max
        quake.ids = PublishedSet(members: ["us7000abcd", "hv1"])
        quake.publishedTitle = "Felt"
        quake.extra = #"{"a":1}"#
        return quake
    }

    @Test("A quake's JSON encoding uses the property names of the USGS feed") func quakeAsFeed() throws {
        let stored = StoredQuake(key: 7, quake: quake)
        let data = try JSONEncoder().encode(stored)
        #expect(try JSONDecoder().decode(StoredQuake.self, from: data) == stored)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let members = try #require(object["quake"] as? [String: Any])
        #expect(members["ids"] as? String == ",hv1,us7000abcd,")
        #expect(members["time"] as? Int == -1_234)
        #expect(members["mmi"] == nil && members["url"] == nil)
        #expect(members["id"] as? String == "us7000abcd")
    }

    @Test("Decoding JSON that lacks a quake's id throws an error") func quakeWithoutIdentity() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Quake.self, from: Data(#"{"mag":4}"#.utf8)) }
    }

    @Test("Timestamp and Date convert to each other, and out-of-range dates are clamped") func timestampAndDate() {
        let moment = Timestamp(milliseconds: 1_773_489_600_123)
        #expect(Date(moment).timeIntervalSince1970 == 1_773_489_600.123)
        #expect(Timestamp(Date(moment)) == moment)
        #expect(Timestamp(Date(timeIntervalSince1970: -0.0004)) == Timestamp(milliseconds: 0))
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)).milliseconds == .max)
        #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)).milliseconds == .min)
        #expect(Timestamp(Date(timeIntervalSince1970: .nan)).milliseconds == .min)
    }
}
