import QuakeModel
import Testing

@Suite("ASCII text") struct ASCIITextTests {
    @Test(
        "Non-ASCII text is replaced with similar ASCII text of the same width in columns",
        arguments: [
            ("50 km N of Loíza, Åsgrunn, Łódź, Đảo", "50 km N of Loiza, Asgrunn, Lodz, Dao"),
            ("M 4.5 → 4.7, depth →", "M 4.5 ->4.7, depth >"), ("M ≥ 4.5, ≤ 6", "M >=4.5, <=6"),
            ("33.12°S 10–35 km · Finsch…", "33.12 S 10-35 km - Finsch~"), ("東京 й 🌋", "???? ? ??"),
            ("e\u{301}\u{FFFD}", "e?"), ("", ""), ("plain → \n→\n", "plain ->\n>\n"), ("æß", "as"),
            ("Hawaiʻi, µg", "Hawai'i, ug"),
        ])
    func similarCharacters(text: String, ascii: String) {
        #expect(ASCIIText.of(text) == ascii)
        #expect(ASCIIText.of(text).utf8.count { $0 >= 0x80 } == 0)
        #expect(DisplayWidth.columns(of: ascii) == DisplayWidth.columns(of: text))
    }
}
