import QuakeModel
import Testing

struct DisplayWidthTests {
    @Test(
        "The width of text is the number of terminal columns it takes, such as two per kanji",
        arguments: [
            ("", 0), ("Fox", 3), ("Pāhala", 6), ("Pa\u{304}hala", 6), ("能登", 4), ("ｶﾅ", 2), ("カナ", 4), ("🌋", 2),
            ("🇯🇵", 2),
            ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("naïve", 5), ("…", 1), ("\u{FFFD}", 1), ("ＡＢ", 4), ("é", 1),
        ])
    func columns(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test(
        "Text too wide for its column is cut between characters and ends in an ellipsis",
        arguments: [
            ("Fox, Alaska", 11, "Fox, Alaska"), ("Fox, Alaska", 10, "Fox, Alas…"), ("Fox", 1, "…"), ("Fox", 0, ""),
            ("能登半島", 8, "能登半島"), ("能登半島", 7, "能登半…"), ("能登半島", 6, "能登…"), ("aPa\u{304}hala", 4, "aPa\u{304}…"),
        ])
    func truncation(text: String, columns: Int, expected: String) {
        let fitted = DisplayWidth.fitted(text, columns: columns)
        #expect(fitted == expected)
        #expect(DisplayWidth.columns(of: fitted) <= columns)
    }
}
