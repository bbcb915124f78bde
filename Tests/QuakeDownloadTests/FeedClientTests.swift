import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("Responses for a feed", .endsInTime, .scratch) struct FeedClientTests {
    private let server: FeedServer

    init() throws { server = try .ofTest() }

    @Test("A feed request sends the last response's Last-Modified and accepts status 304") func conditionalRequest()
        async throws
    {
        server.serve(.document("{}", etag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"), at: "/feed")
        let response = try await Download.fetch(server.url("/feed"))
        #expect(response.status == 200 && response.body == Data("{}".utf8) && response.url == server.url("/feed"))
        let validators = CacheValidators(etag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(response.validators == validators)

        let again = try await Download.fetch(server.url("/feed"), validators: validators)
        #expect(again.status == 304 && again.body.isEmpty)
        let sent = try #require(server.requests.last?.headers)
        #expect(sent["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(sent["user-agent"] == "quakes/test")
    }

    @Test("A feed request throws no error for a response with status 204 (no content)") func noContent() async throws {
        server.serve(ServedAnswer(status: 204), at: "/query")
        #expect(try await Download.fetch(server.url("/query")).status == 204)
    }

    @Test(
        "A feed response with an unexpected status, such as 404, throws an error with the URL",
        arguments: [206, 304, 404, 500, 503])
    func otherStatuses(status: Int) async throws {
        server.serve(ServedAnswer(status: status), at: "/feed")
        await #expect(throws: FeedError.status(status, url: server.url("/feed"))) {
            try await Download.fetch(server.url("/feed"))
        }
    }

    @Test(
        "A conditional request rejected with 4xx (not 404, 410 or 429) is retried unconditionally", arguments: 400..<500
    )
    func rejectedCondition(status: Int) async throws {
        server.serve(ServedAnswer(status: status), .document("{}"), at: "/feed")
        let validators = CacheValidators(etag: "\"1\"", lastModified: "yesterday")
        let outcome = try? await Download.fetch(server.url("/feed"), validators: validators)
        let isRetried = ![404, 410, 429].contains(status)
        #expect((outcome != nil) == isRetried)
        let conditions = server.requests.map { $0.headers["if-none-match"] != nil }
        #expect(conditions == (isRetried ? [true, false] : [true]))
        server.serve(ServedAnswer(status: status), at: "/other")
        _ = try? await Download.fetch(server.url("/other"))
        #expect(server.requests.count { $0.path == "/other" } == 1)
    }

    @Test("Status 429 or 503 with Retry-After throws an error that says when to try again", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        server.serve(ServedAnswer(status: status, headers: ["Retry-After": "120"]), at: "/feed")
        await #expect(throws: FeedError.tryLater(Download.now + .seconds(120), status: status, host: "127.0.0.1")) {
            try await Download.fetch(server.url("/feed"))
        }
    }

    @Test("If a feed's server closes the connection without a response, the error is connectionLost") func noResponse()
        async throws
    {
        let server = try MisbehavingServer.ofTest(.closedAtOnce)
        await #expect { try await Download.fetch(server.url()) } throws: { error in
            if case FeedError.transport(let error) = error { error.kind == .connectionLost } else { false }
        }
    }
}
