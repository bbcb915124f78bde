import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

@Suite("Responses of a server", .endsInTime, .scratch) struct AnswerTests {
    private let server: FeedServer

    init() throws { server = try .ofTest() }

    @Test("A download returns the body byte for byte, with the status, headers and final URL") func wholeResponse()
        async throws
    {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        server.serve(.document(body, etag: "\"1\""), at: "/feed")
        server.serve(.redirect(to: server.url("/feed").replacing("http:", with: "HTTP:")), at: "/moved")
        let response = try await Download.get(server.url("/moved").replacing("http:", with: "HTTP:"))
        #expect(response.status == 200 && response.url == server.url("/feed"))
        #expect(response.headers["etag"] == "\"1\"")
        #expect(response.body == body)
    }

    @Test(
        "A download throws no error for a response with a status such as 404 or 503",
        arguments: [204, 400, 404, 409, 500, 503])
    func statuses(status: Int) async throws {
        server.serve(ServedAnswer(status: status), at: "/feed")
        #expect(try await Download.get(server.url("/feed")).status == status)
    }

    @Test(
        "A download throws no error for a response that requires a password (401 or 407)",
        arguments: [401, 407])
    func passwordRequests(status: Int) async throws {
        let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        let body = Data("no".utf8)
        server.serve(ServedAnswer(status: status, headers: [name: "Basic realm=\"x\""], body: body), at: "/feed")
        #expect(try await Download.get(server.url("/feed")).status == status)
    }

    @Test("Requests accept only gzip, and a gzip response is decompressed") func gzip() async throws {
        let body = Data(repeating: 0x7b, count: 200_000)
        server.serve(try .compressed(body), at: "/feed")
        #expect(try await Download.get(server.url("/feed")).body == body)
        #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
    }

    @Test("Non-ASCII characters in a response header are kept") func headersBeyondASCII() async throws {
        let answer = "HTTP/1.1 200 OK\r\nETag: \"Pāhala\"\r\nContent-Length: 2\r\n\r\nok"
        let server = try MisbehavingServer.ofTest(.answer(answer))
        #expect(try await Download.get(server.url()).headers["etag"] == "\"Pāhala\"")
    }

    @Test("A download sends the given header fields and no cookies") func requestHeaders() async throws {
        let headers = ["User-Agent": "quakes/1.0 (+https://example.org)", "If-None-Match": "\"1\""]
        _ = try await Download.get(server.url("/feed"), headers: headers)
        let sent = try #require(server.requests.first?.headers)
        #expect(sent["user-agent"] == "quakes/1.0 (+https://example.org)")
        #expect(sent["if-none-match"] == "\"1\"")
        #expect(sent["cookie"] == nil && sent["authorization"] == nil)
    }

    @Test("A download uses the proxy in $http_proxy unless $no_proxy names the host") func proxy() async throws {
        let proxy = try FeedServer.ofTest()
        proxy.serveEverything(.document("from the proxy"))
        let response = try await Download.get("http://quakes.invalid/feed", environment: ["http_proxy": proxy.base])
        #expect(response.body == Data("from the proxy".utf8))
        server.serve(.document("direct"), at: "/feed")
        let direct = try await Download.get(
            server.url("/feed"), environment: ["http_proxy": proxy.base, "no_proxy": "127.0.0.1"])
        #expect(direct.body == Data("direct".utf8))
    }
}
