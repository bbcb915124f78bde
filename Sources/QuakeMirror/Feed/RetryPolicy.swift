/// The rules for retrying after a server has sent 429 or 503.
package struct RetryPolicy: Hashable, Sendable {
    /// The wait after a 429 response without Retry-After. Feeds may be cached for this long.
    package var unnamedWait: Duration
    /// The maximum wait, whatever a server or a wrong clock indicates.
    package var longestWait: Duration

    package init(unnamedWait: Duration = .seconds(60), longestWait: Duration = .seconds(86_400)) {
        (self.unnamedWait, self.longestWait) = (unnamedWait, longestWait)
    }

    /// Returns the earliest moment for the next attempt; nil if the response does not demand a wait.
    ///
    /// Status 429 always demands a wait. Status 503 demands one only with Retry-After; otherwise it is an ordinary
    /// failure (RFC 9110, 10.2.3; RFC 6585, 4). `retryAfter` is that header's value: seconds or a date.
    package func nextAttempt(status: Int, retryAfter: String?, now: Timestamp) -> Timestamp? {
        guard status == 429 || status == 503 else { return nil }
        let named = retryAfter.flatMap { moment($0, now: now) }
        guard let moment = named ?? (status == 429 ? now + unnamedWait : nil) else { return nil }
        return min(max(moment, now), now + longestWait)
    }

    private func moment(_ retryAfter: String, now: Timestamp) -> Timestamp? {
        let text = retryAfter.drop { $0 == " " }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return Timestamp(httpDate: retryAfter)
        }
        // A number too large for Int64 exceeds the maximum wait.
        return now + min(Int64(text).map { .seconds($0) } ?? longestWait, longestWait)
    }
}

extension Timestamp {
    /// Parses the three date formats of HTTP (RFC 9110, 5.6.7), all in UTC:
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    init?(httpDate text: String) {
        let words = text.split { " ,-".contains($0) }
        guard words.count >= 5 else { return nil }
        let isAsctime = words[1].first?.isLetter ?? false
        // asctime puts the day after the month, and the year last.
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

    /// Returns the full year for two digits, from 1970 to 2069.
    private static func fullYear(_ twoDigits: Int) -> Int { twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits }

    private static func twoDigits(_ number: some CustomStringConvertible) -> String {
        let text = number.description
        return text.count == 1 ? "0" + text : text
    }
}
