import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Compares a pass over blocks of 64 bytes with one over single bytes.
@Suite("Skipping JSON values", .computing) struct JSONSkipperTests {
    /// The end of a container, or the error in it and its position.
    private enum Outcome: Hashable {
        case end(Int)
        case fault(Int)
        case truncated
    }

    /// The end of the container at the start of a document, and the strings directly in it.
    private struct Walk: Hashable {
        var outcome = Outcome.truncated
        var strings: [Range<Int>] = []
    }

    private func skipped(_ document: [UInt8]) -> Walk {
        document.withUnsafeBytes { bytes in
            var walk = Walk()
            var skipper = JSONSkipper(bytes, at: 0)
            do throws(DocumentError) {
                try skipper.skipContainer { string, _ in walk.strings.append(string) }
                walk.outcome = .end(skipper.position)
            } catch {
                if let offset = error.words.firstMatch(of: /at byte (\d+)/).flatMap({ Int($0.1) }) {
                    walk.outcome = .fault(offset)
                }
            }
            return walk
        }
    }

    private func walked(_ document: [UInt8]) -> Walk {
        var walk = Walk()
        var open: [UInt8] = []
        var string: Int?
        var isEscaped = false
        for (index, byte) in document.enumerated() {
            if let start = string {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    if open.count == 1 { walk.strings.append(start..<index) }
                    string = nil
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): string = index + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(byte + 2)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                walk.outcome = .fault(index)
                guard open.popLast() == byte else { return walk }
                walk.outcome = .end(index + 1)
                if open.isEmpty { return walk }
            default: continue
            }
        }
        walk.outcome = .truncated
        return walk
    }

    /// Returns an object or array, followed by something else.
    private func document(_ random: inout SplitMix64) -> [UInt8] {
        var text = Array((Bool.random(using: &random) ? "{[" : "[[").utf8)
        var open = text.map { $0 + 2 }
        while let closer = open.last {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<2:
                let isBrace = Bool.random(using: &random)
                text.append(UInt8(ascii: isBrace ? "{" : "["))
                open.append(UInt8(ascii: isBrace ? "}" : "]"))
            case 2..<5:
                text.append(closer)
                open.removeLast()
            case 5..<8:
                text += string(&random)
            default:
                text += Array(repeating: UInt8(ascii: "1"), count: .random(in: 0...70, using: &random))
            }
        }
        return text + Array("}]\"\\,".utf8.shuffled(using: &random))
    }

    private func string(_ random: inout SplitMix64) -> [UInt8] {
        let pieces = [#"\""#, #"\\"#, "{", "}", "[", "]", "é", #"\u005c"#, "plain text", ":,"]
        let inside = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
        }
        return Array("\"\(inside.joined())\"".utf8)
    }

    private func spoil(_ document: inout [UInt8], _ random: inout SplitMix64) {
        let bytes = Array(#"{}[]"\x"#.utf8)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let index = Int.random(in: 1..<document.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: document[index] = bytes.randomElement(using: &random) ?? 0
            case 1: document.insert(bytes.randomElement(using: &random) ?? 0, at: index)
            default: document.removeSubrange(index...)
            }
            guard document.count > 1 else { return }
        }
    }

    @Test(
        "The JSON skipper and a byte-by-byte scan agree on where random or damaged JSON ends",
        arguments: [false, true])
    func randomDocuments(spoiled: Bool) {
        var random = SplitMix64(state: 64)
        var ends = 0
        let count = Thoroughness.count(1_000, of: 20_000)
        for _ in 0..<count {
            var document = document(&random)
            if spoiled { spoil(&document, &random) }
            let expected = walked(document)
            if case .end = expected.outcome { ends += 1 }
            let found = skipped(document)
            guard found == expected else {
                Issue.record("\(found) instead of \(expected): \(String(decoding: document, as: UTF8.self))")
                return
            }
        }
        #expect(spoiled ? (count / 20..<count).contains(ends) : ends == count)
    }

    @Test(
        "The JSON skipper finds the end of an array nested up to 100,000 levels deep",
        arguments: [63, 64, 65, 129, 511, 512, 513, 100_000])
    func nesting(depth: Int) {
        let document =
            Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        #expect(skipped(document) == walked(document))
        #expect(skipped(document).outcome == .end(2 * depth))
    }

    @Test("The JSON skipper and a byte-by-byte scan agree on where JSON with backslashes ends") func backslashes() {
        for filling in 0..<200 {
            for backslashes in 0..<5 {
                let text =
                    #"{"a":{"b":""# + String(repeating: "x", count: filling)
                    + String(repeating: #"\"#, count: backslashes)
                    + #""},"c":"}"}"}}"#
                #expect(skipped(Array(text.utf8)) == walked(Array(text.utf8)), "\(filling), \(backslashes)")
            }
        }
    }
}
