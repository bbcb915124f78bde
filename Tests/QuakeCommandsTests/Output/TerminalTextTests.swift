import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct TerminalTextTests {
    @Test(
        "Control and invisible characters in text are replaced with U+FFFD before printing",
        arguments: [
            "\u{1B}[31m", "\u{7}", "\u{8}", "\r", "\n", "\t", "\u{7F}", "\u{9B}31m", "\u{85}", "\u{202E}", "\u{2066}",
            "\u{200F}",
            "\u{2028}", "\u{FEFF}", "\u{200B}", "\u{E0041}", "\0", "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}",
            "\u{1160}",
            "\u{17B4}", "\u{180B}", "\u{180E}", "\u{2060}", "\u{2065}", "\u{206F}", "\u{3164}", "\u{FE00}", "\u{FFA0}",
            "\u{FFF0}", "\u{FFF9}", "\u{1BCA0}", "\u{1D173}", "\u{E0000}", "\u{E0100}", "\u{E0FFF}",
        ])
    func unsafeCharacters(hostile: String) {
        let safe = TerminalText.sanitized("a\(hostile)b")
        #expect(safe.hasPrefix("a\u{FFFD}") && safe.hasSuffix("b"))
        #expect(!safe.unicodeScalars.contains(where: TerminalText.isUnsafe))
    }

    @Test(
        "Ordinary text, including accents and emoji, is printed unchanged",
        arguments: ["8 km E of Fox", "Pāhala", "Pa\u{304}hala", "能登半島", "🌋", "", "👩‍👩‍👧", "می‌خواهم", "❤\u{FE0F}"])
    func ordinaryText(text: String) {
        #expect(TerminalText.sanitized(text) == text)
    }

    @Test("Invalid UTF-8 in text is replaced with U+FFFD before printing") func invalidUTF8() throws {
        let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0x1B, 0x62]
        #expect(TerminalText.sanitized(String(decoding: bytes, as: UTF8.self)) == "a\u{FFFD}\u{FFFD}(\u{FFFD}b")
    }

    @Test(
        "Random bytes in a place name are never printed as control characters, in any format",
        arguments: OutputFormat.allCases)
    func randomBytes(format: OutputFormat) throws {
        var generator = SplitMix64(state: 4)
        let quakes = (0..<2_000).map { _ in
            let bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
            return Quake.inAlaska(place: String(decoding: bytes, as: UTF8.self))
        }
        let style = OutputStyle(terminalColumns: 80)
        let text = try rendered(quakes, as: format, style: style)
        let ordinary = try rendered(quakes.map { _ in .inAlaska(place: "8 km E of Fox") }, as: format, style: style)
        // Excel recognizes UTF-8 by the byte order mark at the start.
        let separators: Set<Unicode.Scalar> = format == .csvForExcel ? ["\n", "\u{FEFF}"] : ["\n", "\t"]
        #expect(!text.unicodeScalars.contains { TerminalText.isUnsafe($0) && !separators.contains($0) })
        #expect(text.split(separator: "\n").count == ordinary.split(separator: "\n").count)
    }
}
