import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("Responses for a feed", .endsInTime, .scratch) struct FeedClientTests {
    private let server: FeedServer

    init() throws { server = try .ofTest() }

    @Test("A second request is conditional, and 304 is returned as unchanged") func conditionalRequest() async throws {
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

    @Test("Status 204 is returned as noContent") func noContent() async throws {
        server.serve(ServedAnswer(status: 204), at: "/query")
        #expect(try await Download.fetch(server.url("/query")).status == 204)
    }

    @Test(
        "A feed status other than 200, 204 and 304 throws an error with the URL", arguments: [206, 304, 404, 500, 503])
    func otherStatuses(status: Int) async throws {
        server.serve(ServedAnswer(status: status), at: "/feed")
        await #expect(throws: FeedError.status(status, url: server.url("/feed"))) {
            try await Download.fetch(server.url("/feed"))
        }
    }

    @Test("A client error except 404, 410 and 429 is retried once without the condition", arguments: 400..<500)
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

    @Test("A 429 or 503 with Retry-After throws tryLater with that time", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        server.serve(ServedAnswer(status: status, headers: ["Retry-After": "120"]), at: "/feed")
        await #expect(throws: FeedError.tryLater(Download.now + .seconds(120), status: status, host: "127.0.0.1")) {
            try await Download.fetch(server.url("/feed"))
        }
    }

    @Test("A connection without a response throws an error that keeps its cause") func noResponse() async throws {
        let server = try MisbehavingServer.ofTest(.closedAtOnce)
        await #expect { try await Download.fetch(server.url()) } throws: { error in
            if case FeedError.transport(let error) = error { error.kind == .connectionLost } else { false }
        }
    }
}
