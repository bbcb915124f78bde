import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeFormats

struct JSONRendererTests {
    @Test("Without any quakes, json output is [] and ndjson output is empty") func noQuakes() throws {
        #expect(rendered([], as: .json) == "[]\n")
        #expect(rendered([], as: .ndjson) == "")
    }

    @Test("In json and ndjson, each quake is an object on a line of its own") func objectPerLine() throws {
        let fields: [QuakeProperty] = [.id, .time, .mag, .felt]
        let one = "{\"id\":\"usa\",\"time\":\"2021-07-22T20:39:44.040Z\",\"mag\":4.5,\"felt\":null}"
        let two = "{\"id\":\"usb\",\"time\":\"2021-07-22T20:39:44.040Z\",\"mag\":null,\"felt\":null}"
        let quakes: [Quake] = [.inAlaska("a"), .inAlaska("b", magnitude: nil)]
        #expect(rendered(Array(quakes[..<1]), as: .json, fields: fields) == "[\n\(one)\n]\n")
        #expect(rendered(quakes, as: .json, fields: fields) == "[\n\(one),\n\(two)\n]\n")
        #expect(rendered(quakes, as: .ndjson, fields: fields) == "\(one)\n\(two)\n")
    }

    @Test("In ndjson, the field extra is nested JSON on one line with unsafe characters escaped")
    func extraIsNested() throws {
        var quake = Quake.inAlaska()
        quake.extra = "{\"a\":[1,{\"b\":\"x\\n\"}],\n \"c\":\"\u{202E}é\"}"
        let text = rendered([quake], as: .ndjson, fields: [.extra])
        #expect(text == "{\"extra\":{\"a\":[1,{\"b\":\"x\\n\"}],  \"c\":\"\\u202eé\"}}\n")
        let object = try #require(try parsedJSON(text) as? [String: [String: Any]])
        #expect(object["extra"]?["c"] as? String == "\u{202E}é")
    }

    @Test("Random Unicode text is unchanged after it is written as JSON and decoded by Foundation") func anyText()
        throws
    {
        var generator = SplitMix64(state: 5)
        let places = (0..<3_000).map { _ in
            var place = String.UnicodeScalarView()
            for _ in 0..<8 {
                let range: ClosedRange<UInt32> = Bool.random(using: &generator) ? 0...0x300 : 0...0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { place.append(scalar) }
            }
            return String(place)
        }
        let text = rendered(places.map { .inAlaska(place: $0) }, as: .json, fields: [.place])
        let parsed = try JSONDecoder().decode([[String: String]].self, from: Data(text.utf8))
        #expect(parsed.map { Array(($0["place"] ?? "").unicodeScalars) } == places.map { Array($0.unicodeScalars) })
        #expect(text.unicodeScalars.count { $0 == "\n" } == places.count + 2)
    }

    @Test("In JSON, invalid UTF-8 becomes U+FFFD") func invalidUTF8() throws {
        let text = rendered(row: [.bytes([0x61, 0xFF, 0x22])], as: .ndjson, fields: [.place])
        #expect(text == "{\"place\":\"a\u{FFFD}\\\"\"}\n")
    }

    @Test("A number that JSON cannot express, such as infinity, is written as null") func infiniteNumbers() throws {
        #expect(rendered(row: [.value(.real(.infinity))], as: .ndjson, fields: [.mag]) == "{\"mag\":null}\n")
    }
}

struct JSONObjectTests {
    @Test(
        "JSONText.isObject accepts valid JSON objects",
        arguments: [
            "{}", " { } ", "{\"a\":1}", "{\"a\":-1.5e+3,\"b\":[true,false,null,[],{}]}", "{\"a\":\"\\u00e9\\n\\\"\"}",
        ])
    func objects(text: String) {
        #expect(JSONText.isObject(text))
    }

    @Test(
        "JSONText.isObject rejects text that is not a valid JSON object",
        arguments: [
            "", "[]", "1", "null", "{", "}", "{}x", "{\"a\":}", "{\"a\":1}}", "{a:1}", "{\"a\":01}", "{\"a\":1,}",
            "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\" 1}", "{}{}", "{\"a\":nul}", "{\"a\":[1 2]}", "{\"a\":\"",
        ])
    func notObjects(text: String) {
        #expect(!JSONText.isObject(text))
    }

    @Test("JSONText.isObject rejects JSON nested more than 100 levels deep") func deepNesting() {
        let deep = 101
        #expect(
            !JSONText.isObject(
                "{\"a\":" + String(repeating: "[", count: deep) + String(repeating: "]", count: deep) + "}"))
    }
}
