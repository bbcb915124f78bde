public import QuakeModel

/// When a server that asked to be left alone may be asked again.
public struct RetryPolicy: Hashable, Sendable {
    /// The wait after a 429 that names none: the time for which a feed may be cached.
    public var unnamedWait: Duration
    /// No server, and no clock that is wrong, keeps the mirror waiting longer.
    public var longestWait: Duration

    /// A policy with these limits.
    public init(unnamedWait: Duration = .seconds(60), longestWait: Duration = .seconds(86_400)) {
        self.unnamedWait = unnamedWait
        self.longestWait = longestWait
    }

    /// The earliest moment for the next attempt; nil where the answer does not ask for a wait.
    ///
    /// A 429 always asks for one; a 503 only with Retry-After, else it is a failure like any other (RFC 9110, 10.2.3;
    /// RFC 6585, 4). `retryAfter` is that header's value: seconds or a date.
    public func nextAttempt(status: Int, retryAfter: String?, now: Timestamp) -> Timestamp? {
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
        // Digits that do not fit are a very long time.
        return now + min(Int64(text).map { .seconds($0) } ?? longestWait, longestWait)
    }
}
