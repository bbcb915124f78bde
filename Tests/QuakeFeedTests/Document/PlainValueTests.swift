import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeFeed

@Suite("A value that is read without JSONDecoder is the one that JSONDecoder reads", .computing)
struct PlainValueTests {
    private func reading<Value>(_ text: String, _ read: (PlainValue) throws -> Value) -> Value? {
        Array(text.utf8).withUnsafeBytes { bytes in try? read(PlainValue(bytes, 0..<bytes.count)) }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        (try? JSONDecoder().decode([Value].self, from: Data("[\(text)]".utf8)))?.first
    }

    /// Numbers of every form, well formed or not.
    private static let numbers = [
        "0", "-0", "0.0", "-0.0", "5", "-7.25", "1.5", "0.1", "123456789.012345", "999999999999999",
        "0.000000000000001", "179.9999999999999", "-118.89616666666666", "9007199254740993", "12345678901234567890",
        "1e3", "2E+2",
        "01", "-01", "00.5", "1.", ".5", "-", "+1", "--1", "1.2.3", "1-2", "0x10", "inf", "nan", "Infinity", "NaN", "",
        "true", "null", "\"5\"", "1 ", "1,", "1e", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "999999999999999999", "0.30000000000000004441", "2.2250738585072011",
    ]

    @Test("A number has the same bits, and what JSONDecoder refuses is not read", arguments: numbers)
    func number(text: String) {
        guard let number = reading(text, { try $0.number() }) else { return }
        #expect(number.bitPattern == decoded(Double.self, text)?.bitPattern)
    }

    @Test("A whole number is the same, and what JSONDecoder refuses is not read", arguments: numbers)
    func integer(text: String) {
        guard let integer = reading(text, { try $0.integer() }) else { return }
        #expect(integer == decoded(Int64.self, text))
    }

    @Test("Numbers of up to 25 digits, at random")
    func randomNumbers() {
        var random = SplitMix64(state: 7)
        for _ in 0..<5_000 {
            let whole = String(UInt64.random(in: 0...(1 << UInt64.random(in: 0...40, using: &random)), using: &random))
            let fraction = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            let text = (Bool.random(using: &random) ? "-" : "") + whole + "." + fraction.joined()
            #expect(
                reading(text) { try $0.number() }?.bitPattern == decoded(Double.self, text)?.bitPattern, "\(text)")
        }
    }

    @Test(
        "A text is the same, and one with escapes or bytes that JSON does not allow is not read",
        arguments: ["", "Fox, Alaska", "Pāhala, Hawaii", "東京", "a/b", "\u{7F}", "\u{FEFF}x", "e\u{301}"])
    func text(text: String) {
        #expect(reading("\"\(text)\"") { try $0.text() } == text)
        #expect(decoded(String.self, "\"\(text)\"") == text)
        for special in ["\\n", "\\u0000", "\u{0}", "\n", "\u{1F}"] {
            #expect(reading("\"\(text)\(special)\"") { try $0.text() } == nil)
        }
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
            let value = [UInt8(ascii: "\"")] + Array(text.utf8) + bytes + [UInt8(ascii: "\"")]
            #expect(value.withUnsafeBytes { try? PlainValue($0, 0..<$0.count).text() } == nil)
        }
    }

    @Test(
        "What is left out is checked all the same",
        arguments: [
            ("true", true), ("false", true), ("null", true), ("1.5", true), ("\"x\"", true), ("nul", false),
            ("True", false), ("1.", false), ("\"\\q\"", false), ("[]", false), ("{}", false),
        ])
    func validity(text: String, isValid: Bool) {
        #expect(reading(text) { $0.isValid } == isValid)
    }
}
