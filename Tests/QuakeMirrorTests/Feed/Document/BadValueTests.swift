import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Documents in which one feature has a value that JSONDecoder rejects, after a feature without defects.
// Proves rule 16 of mirroring.md.
@Suite("Bad values in a feature") struct BadValueTests {
    /// Returns a feature called us2 with the given JSON for one property.
    private func feature(_ property: QuakeProperty, _ value: String) throws -> String {
        var members = ["net": #""us""#, "code": #""2""#, "time": "1773486000000", "updated": "1773486100000"]
        var coordinates = ["1", "2", "3"]
        switch property {
        case .lon: coordinates[0] = value
        case .lat: coordinates[1] = value
        case .depth: coordinates[2] = value
        default: members[property.rawValue] = value
        }
        let properties = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return """
            {"type":"Feature","id":"us2",
            "geometry":{"type":"Point","coordinates":[\(coordinates.joined(separator: ","))]},
            "properties":{\(properties.joined(separator: ","))}}
            """
    }

    private func document(_ features: String...) throws -> FeedDocument {
        let document = try FeedDocument(
            Document.feed("all_day", at: 60, features: [FeedText.feature(.sample("us", "1"))] + features))
        #expect(document.quakes.first?.id == "us1")
        return document
    }

    private static let texts: [QuakeProperty] = QuakeProperty.inFeatures.filter {
        $0.kind == .text && ![.net, .code].contains($0)
    }
    private static let numbers: [QuakeProperty] =
        [.lon, .lat, .depth]
        + QuakeProperty.inFeatures.filter { [.real, .integer].contains($0.kind) }

    @Test("Half a surrogate pair in a feature's text becomes U+FFFD", arguments: texts)
    func surrogates(property: QuakeProperty) throws {
        for (value, text) in [
            (#"a\ud800b"#, "a\u{FFFD}b"), (#"\udc00"#, "\u{FFFD}"), (#"\uD83D\ude00"#, "😀"),
            (#"\\ud800"#, #"\ud800"#),
            (#"\ud800\ud83d\ude00\ud800"#, "\u{FFFD}😀\u{FFFD}"), (#"\ud800\n"#, "\u{FFFD}\n"),
        ] {
            let bad = try document(feature(property, "\"\(value)\""))
            let plain = try document(feature(property, String(decoding: JSONEncoder().encode(text), as: UTF8.self)))
            #expect(bad.skipped == plain.skipped && bad.quakes == plain.quakes, "\(value)")
            #expect(bad.quakes.count == 2, "\(value)")
        }
    }

    @Test("A number in a feature that is too small for a double becomes 0", arguments: numbers)
    func tinyNumber(property: QuakeProperty) throws {
        let zeros = String(repeating: "0", count: 400)
        for value in ["1e-400", "-1.5E-999", "0.\(zeros)1"] {
            let quake = try #require(try document(feature(property, value)).quakes.last)
            #expect(quake.id == "us2")
            #expect(quake[property] == (property.kind == .real ? .real(0) : .integer(0)), "\(value)")
        }
    }

    @Test("A feature nested more than 512 levels deep is skipped and reported with its id") func nesting() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        for feature in try [
            feature(.place, deep), FeedText.feature(.sample("us", "2"), products: ",\"odd\":\(deep)"),
            feature(.depth, deep), "{\"odd\":\(deep),\"id\":\"us2\"}",
        ] {
            let skipped = try document(feature, FeedText.feature(.sample("us", "3"))).skipped
            #expect(skipped.map(\.position) == [2] && skipped.first?.id == "us2")
            #expect(skipped.first?.defect.words == "it is nested more than 512 levels deep")
        }
    }

    @Test("A feature of more than 64 KiB is skipped and reported with its id", arguments: [0, 1])
    func size(excess: Int) throws {
        let plain = FeedText.feature(.sample("us", "2"), products: #","odd":"""#)
        let filling = String(repeating: "x", count: FeatureSpan.maximumBytes - plain.utf8.count + excess)
        let document = try document(plain.replacing(#""odd":""#, with: "\"odd\":\"\(filling)"))
        #expect(document.quakes.count == 2 - excess)
        #expect(document.skipped.map(\.words) == (excess == 0 ? [] : ["entry 2 (us2): it is too long (65537 bytes)"]))
    }

    @Test(
        "The value of an unknown property is stored as published, except for whitespace",
        arguments: [
            "1e999", "1.50", "-0", #""\u00e9\/""#, #""é""#, "[1,[2,{\"a\":null}]]", "123456789012345678901234567890",
            String(repeating: "[", count: 99) + String(repeating: "]", count: 99),
        ])
    func unknownProperty(value: String) throws {
        for space in ["", " ", "\n\t"] {
            let feature = FeedText.feature(
                .sample("us", "2"), products: ",\"odd\":\(space)\(value)\(space),\"x\":[\(space)1\(space)]")
            #expect(try document(feature).quakes.last?.extra == "{\"odd\":\(value),\"x\":[1]}")
        }
    }

    @Test("Half a surrogate pair in an unknown property becomes U+FFFD") func surrogateInUnknownProperty() throws {
        let feature = FeedText.feature(.sample("us", "2"), products: #","odd":["\udead"]"#)
        #expect(try document(feature).quakes.last?.extra == #"{"odd":["\uFFFD"]}"#)
    }

    @Test("A response about one quake is readable despite half a surrogate pair or too small a number")
    func eventResponse() throws {
        let answer = String(decoding: Document.event(.sample("us", "1")), as: UTF8.self)
            .replacing(#","felt""#, with: #","odd":"\ud800","felt""#).replacing("N of", with: #"\ud800"#)
            .replacing(",5]}", with: ",1e-400]}")
        let quake = try EventDocument(Data(answer.utf8)).quake
        #expect(quake.place == "9 km \u{FFFD} Nowhere" && quake.hypocenter.depthKilometers == 0)
    }
}
