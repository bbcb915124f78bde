import QuakeMirror
import Testing

@Suite("A server's wish to be left alone")
struct RetryPolicyTests {
    private let policy = RetryPolicy()
    private let now = Timestamp(milliseconds: 784_111_770_000)  // 1994-11-06T08:49:30Z

    private func wait(_ status: Int, _ retryAfter: String?) -> Duration? {
        policy.nextAttempt(status: status, retryAfter: retryAfter, now: now).map { $0 - now }
    }

    @Test("Seconds count from now", arguments: [429, 503])
    func seconds(status: Int) {
        #expect(wait(status, "120") == .seconds(120))
        #expect(wait(status, " 0") == .zero)
    }

    @Test(
        "All three forms of date are understood",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func dates(text: String) {
        #expect(wait(503, text) == .seconds(7))
    }

    @Test("A date that has passed means at once")
    func pastDate() {
        #expect(wait(503, "Sun, 06 Nov 1994 08:00:00 GMT") == .zero)
    }

    @Test(
        "No wait is longer than a day",
        arguments: ["864000", "99999999999999999999", "Fri, 06 Nov 2094 08:00:00 GMT"])
    func cap(text: String) {
        #expect(wait(503, text) == .seconds(86_400))
    }

    @Test(
        "Without a usable header a 429 waits a minute and a 503 is a plain failure",
        arguments: [nil, "", "soon", "-5"])
    func unnamed(text: String?) {
        #expect(wait(429, text) == .seconds(60))
        #expect(wait(503, text) == nil)
    }

    @Test("Other statuses ask for no wait", arguments: [200, 304, 404, 500])
    func otherStatuses(status: Int) {
        #expect(wait(status, "120") == nil)
    }
}
