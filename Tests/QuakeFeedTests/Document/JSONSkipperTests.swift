import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeFeed

/// The walk over blocks of 64 bytes against one over single bytes.
@Suite("A container ends where a walk byte by byte says")
struct JSONSkipperTests {
    /// Where a container ends, or what is wrong with it and where.
    private enum Outcome: Hashable {
        case end(Int)
        case fault(Int)
        case truncated
    }

    private func skipped(_ document: [UInt8]) -> Outcome {
        document.withUnsafeBytes { bytes in
            var skipper = JSONSkipper(bytes, at: 0)
            do throws(DocumentError) {
                try skipper.skipContainer { _, _ in }
                return .end(skipper.position)
            } catch {
                if case .notJSON(let offset, _) = error { return .fault(offset) }
                return .truncated
            }
        }
    }

    private func walked(_ document: [UInt8]) -> Outcome {
        var open: [UInt8] = []
        var inString = false
        var isEscaped = false
        for (index, byte) in document.enumerated() {
            switch (inString, byte) {
            case (true, _) where isEscaped: isEscaped = false
            case (true, UInt8(ascii: "\\")): isEscaped = true
            case (_, UInt8(ascii: "\"")): inString.toggle()
            case (true, _): continue
            case (false, UInt8(ascii: "{")), (false, UInt8(ascii: "[")):
                guard open.count < JSONSkipper.maximumDepth else { return .fault(index) }
                open.append(byte + 2)
            case (false, UInt8(ascii: "}")), (false, UInt8(ascii: "]")):
                guard open.popLast() == byte else { return .fault(index) }
                if open.isEmpty { return .end(index + 1) }
            default: continue
            }
        }
        return .truncated
    }

    /// An object or array, after that something else.
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
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let index = Int.random(in: 1..<document.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: document[index] = bytes.randomElement(using: &random) ?? 0
            case 1: document.insert(bytes.randomElement(using: &random) ?? 0, at: index)
            default: document.removeSubrange(index...)
            }
            guard document.count > 1 else { return }
        }
    }

    @Test("In random documents, whole and spoiled", arguments: [false, true])
    func randomDocuments(spoiled: Bool) {
        var random = SplitMix64(state: 64)
        var ends = 0
        for _ in 0..<20_000 {
            var document = document(&random)
            if spoiled { spoil(&document, &random) }
            let outcome = walked(document)
            if case .end = outcome { ends += 1 }
            let found = skipped(document)
            guard found == outcome else {
                Issue.record("\(found) instead of \(outcome): \(String(decoding: document, as: UTF8.self))")
                return
            }
        }
        #expect(spoiled ? (1000..<19_000).contains(ends) : ends == 20_000)
    }

    @Test("However deep it is nested, up to what JSONDecoder reads", arguments: [63, 64, 65, 129, 511, 512, 513])
    func nesting(depth: Int) {
        let document =
            Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        #expect(skipped(document) == walked(document))
        #expect(skipped(document) == (depth > 512 ? .fault(512) : .end(2 * depth)))
    }

    @Test("With a backslash at every place of a block")
    func backslashes() {
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
