import Testing

@testable import QuakeMirror

@Suite("Retry-After") struct RetryPolicyTests {
    private let now = Timestamp(milliseconds: 784_111_770_000)  // 1994-11-06T08:49:30Z

    private func wait(_ status: Int, _ retryAfter: String?) -> Duration? {
        RetryPolicy.nextAttempt(status: status, retryAfter: retryAfter, now: now).map { $0 - now }
    }

    @Test(
        "Retry-After is accepted in seconds or as any HTTP date, up to a pause of one day",
        arguments: [
            ("120", 120), (" 0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 7), ("Sunday, 06-Nov-94 08:49:37 GMT", 7),
            ("Sun Nov  6 08:49:37 1994", 7), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("864000", 86_400),
            ("99999999999999999999", 86_400), ("Fri, 06 Nov 2094 08:00:00 GMT", 86_400),
        ])
    func validHeader(text: String, seconds: Int) {
        for status in [429, 503] { #expect(wait(status, text) == .seconds(seconds), "\(status)") }
        for status in [200, 304, 404, 500] { #expect(wait(status, text) == nil, "\(status)") }
    }

    @Test(
        "Without a valid Retry-After, HTTP 429 starts a one-minute pause, but HTTP 503 does not",
        arguments: [nil, "", "soon", "-5"])
    func invalidHeader(text: String?) {
        #expect(wait(429, text) == .seconds(60))
        #expect(wait(503, text) == nil)
    }
}
