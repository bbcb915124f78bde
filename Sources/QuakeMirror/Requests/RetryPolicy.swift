/// The rules for retrying after a server has sent 429 or 503.
enum RetryPolicy {
    /// The wait after a 429 response without Retry-After. Feeds may be cached for this long.
    private static let defaultWait = Duration.seconds(60)
    /// The maximum wait, whatever a server or a wrong clock indicates.
    static let longestWait = Duration.seconds(86_400)

    /// Returns the earliest moment for the next attempt; nil if the response does not demand a wait.
    ///
    /// Status 429 always demands a wait. Status 503 demands one only with Retry-After; otherwise it is an ordinary
    /// failure (RFC 9110, 10.2.3; RFC 6585, 4). `retryAfter` is that header's value: seconds or a date.
    static func nextAttempt(status: Int, retryAfter: String?, now: Timestamp) -> Timestamp? {
        guard status == 429 || status == 503 else { return nil }
        let named = retryAfter.flatMap { moment($0, now: now) }
        guard let moment = named ?? (status == 429 ? now + defaultWait : nil) else { return nil }
        return min(max(moment, now), now + longestWait)
    }

    private static func moment(_ retryAfter: String, now: Timestamp) -> Timestamp? {
        let text = retryAfter.drop { $0 == " " }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return Timestamp(httpDate: retryAfter)
        }
        // A number too large for Int64 exceeds the maximum wait.
        return now + min(Int64(text).map { .seconds($0) } ?? longestWait, longestWait)
    }
}
