import QuakeModel

extension Timestamp {
    /// Reads the three forms of date that HTTP knows (RFC 9110, 5.6.7), all of them UTC:
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    init?(httpDate text: String) {
        let words = text.split { " ,-".contains($0) }
        guard words.count >= 5 else { return nil }
        let isAsctime = words[1].first?.isLetter ?? false
        // Weekday, then day month year time zone, or month day time year.
        let (day, month, year, time) =
            isAsctime ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
        guard let monthIndex = Self.monthNames.firstIndex(of: month.lowercased()), let year = Int(year) else {
            return nil
        }
        let fullYear = words[3].count == 2 && !isAsctime ? Self.fullYear(year) : year
        self.init(iso8601: "\(fullYear)-\(Self.twoDigits(monthIndex + 1))-\(Self.twoDigits(day))T\(time)Z")
    }

    private static let monthNames = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The year of this or the last century that two digits stand for.
    private static func fullYear(_ twoDigits: Int) -> Int {
        twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits
    }

    private static func twoDigits(_ number: some CustomStringConvertible) -> String {
        let text = number.description
        return text.count == 1 ? "0" + text : text
    }
}
