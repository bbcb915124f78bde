import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct TerminalTextTests {
    @Test(arguments: [
        "\u{1B}[31m", "\u{7}", "\u{8}", "\r", "\n", "\t", "\u{7F}", "\u{9B}31m", "\u{85}", "\u{202E}", "\u{2066}",
        "\u{200F}",
        "\u{2028}", "\u{FEFF}", "\u{200B}", "\u{E0041}", "\0",
    ])
    func hostileCharactersAreReplaced(hostile: String) {
        let safe = TerminalText.sanitized("a\(hostile)b")
        #expect(safe.hasPrefix("a\u{FFFD}") && safe.hasSuffix("b"))
        #expect(!safe.unicodeScalars.contains(where: TerminalText.isUnsafe))
    }

    @Test(arguments: ["8 km E of Fox", "Pāhala", "Pa\u{304}hala", "能登半島", "🌋", "", "👩‍👩‍👧", "می‌خواهم"])
    func ordinaryTextStaysAsItIs(text: String) {
        #expect(TerminalText.sanitized(text) == text)
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0x1B, 0x62]
        let written = try captured { writer in bytes.withUnsafeBufferPointer { writer.append(sanitized: $0) } }
        #expect(written == "a\u{FFFD}\u{FFFD}(\u{FFFD}b")
    }

    @Test(arguments: OutputFormat.allCases)
    func noSequenceOfBytesReachesATerminalUnchecked(format: OutputFormat) throws {
        var generator = SplitMix64(state: 4)
        let quakes = (0..<2_000).map { _ in
            let bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
            return Quake.sample(place: String(decoding: bytes, as: UTF8.self))
        }
        let text = try rendered(quakes, as: format, style: OutputStyle(terminalColumns: 80))
        let separators: Set<Unicode.Scalar> = ["\n", "\t"]
        #expect(!text.unicodeScalars.contains { TerminalText.isUnsafe($0) && !separators.contains($0) })
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } <= quakes.count + 3)
    }
}

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Fox", 3), ("Pāhala", 6), ("Pa\u{304}hala", 6), ("能登", 4), ("ｶﾅ", 2), ("カナ", 4), ("🌋", 2), ("🇯🇵", 2),
        ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("naïve", 5), ("…", 1), ("\u{FFFD}", 1), ("ＡＢ", 4), ("é", 1),
    ])
    func countsColumns(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test(arguments: [
        ("Fox, Alaska", 11, "Fox, Alaska"), ("Fox, Alaska", 10, "Fox, Alas…"), ("Fox", 1, "…"), ("Fox", 0, ""),
        ("能登半島", 8, "能登半島"), ("能登半島", 7, "能登半…"), ("能登半島", 6, "能登…"), ("aPa\u{304}hala", 4, "aPa\u{304}…"),
    ])
    func cutsBetweenCharacters(text: String, columns: Int, expected: String) {
        let fitted = DisplayWidth.fitted(text, columns: columns)
        #expect(fitted == expected)
        #expect(DisplayWidth.columns(of: fitted) <= columns)
    }
}
