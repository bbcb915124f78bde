import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Recognizing JSON without decoding it") struct JSONGrammarTests {
    private func isValue(_ text: String, depth: Int = 0) -> Bool {
        Data(text.utf8).withUnsafeBytes { JSONGrammar.isValue($0, depth: depth) }
    }

    @Test(
        "Every kind of valid JSON value is accepted",
        arguments: [
            "0", "-0", "10", "1.5", "-1.5e+3", "1E-400", "1e999", "true", "false", "null", "\"\"", " [ ] ", "\t{\r\n}",
            #""\"\\\/\b\f\n\r\t\u00E9\ud83d\uDE00""#, "\"é\u{7F}\"", "[1,\"a\",{\"b\":[null]},[]]",
            #"{"a":{},"b":[],"a":1}"#,
        ])
    func values(text: String) { #expect(isValue(text)) }

    @Test(
        "Text that is not JSON is rejected",
        arguments: [
            "", " ", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "tru", "truee", "nul", "True", "1 2", "\"",
            "\"\\\"", "\"\n\"", #""\x""#, #""\u12g4""#, #""\u+123""#, #""\ud800""#, #""\ud800\n""#, #""\udc00""#,
            #""\u12""#,
            #""\ud800\ud800""#,
            "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{1:2}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}",
            "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "[]]", "{}{}", "[\"a\":1]", "é", "\u{0}", "1\u{0}",
        ])
    func invalidText(text: String) { #expect(!isValue(text)) }

    @Test("JSON with up to 100 levels of nesting is accepted, and with 101 levels rejected", arguments: [0, 1, 50])
    func nesting(depth: Int) {
        for (count, isAllowed) in [(100 - depth, true), (101 - depth, false)] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
                #expect(isValue(text, depth: depth) == isAllowed)
            }
        }
    }

    @Test(
        "Randomly damaged JSON is accepted or rejected exactly as by JSONSerialization",
        arguments: Thoroughness.seeds(1, of: 10))
    func randomDamage(seeds: Range<Int>) throws {
        for seed in seeds {
            var random = SplitMix64(state: UInt64(seed))
            let sound = Array(#"{"a":[1,-2.5e3,{"b":"x\u00e9\ud83d\ude00y","c":null}],"d":true,"e":[]}"#.utf8)
            let alphabet = Array(#"{}[]",:\0159.eE+-ntfu "#.utf8)
            for _ in 0..<2000 {
                var bytes = sound
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let place = Int.random(in: bytes.indices, using: &random)
                    bytes[place] = alphabet[Int.random(in: alphabet.indices, using: &random)]
                }
                let text = String(decoding: bytes, as: UTF8.self)
                // Foundation accepts a comma before a closing bracket, and rejects numbers too large or too small.
                guard text.firstMatch(of: /,\s*[\]}]|[eE]/) == nil else { continue }
                let isAccepted = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
                #expect(isValue(text) == isAccepted, "\(text)")
            }
        }
    }
}
