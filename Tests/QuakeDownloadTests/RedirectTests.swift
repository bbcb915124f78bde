import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

@testable import QuakeURLSession

@Suite("Redirects", .endsInTime, .scratch) struct RedirectTests {
    private let server: FeedServer

    init() throws { server = try .ofTest() }

    @Test(
        "Redirects are followed to another host, which receives the request's User-Agent",
        arguments: [301, 302, 303, 307, 308])
    func chain(status: Int) async throws {
        let target = try FeedServer.ofTest()
        target.serve(.document("here"), at: "/feed")
        server.serve(.redirect(to: "/b", status: status), at: "/a")
        server.serve(.redirect(to: target.url("/feed"), status: status), at: "/b")
        let response = try await Download.get(server.url("/a"), headers: ["User-Agent": "quakes/test"])
        #expect(response.body == Data("here".utf8))
        #expect(response.url == target.url("/feed"))
        #expect(target.requests.first?.headers["user-agent"] == "quakes/test")
    }

    @Test("Ten redirects are followed, and an eleventh is an error") func limit() async throws {
        for step in 1...11 { server.serve(.redirect(to: "/\(step - 1)"), at: "/\(step)") }
        server.serve(.document("end"), at: "/0")
        #expect(try await Download.get(server.url("/10")).body == Data("end".utf8))
        await #expect(throws: RedirectRule.tooMany) {
            try await Download.get(server.url("/11"))
        }
    }

    @Test("A redirect loop is an error") func loop() async throws {
        server.serve(.redirect(to: "/feed"), at: "/feed")
        await #expect(throws: RedirectRule.tooMany) {
            try await Download.get(server.url("/feed"))
        }
    }

    @Test(
        "A redirect to a URL whose scheme is not http or https is rejected",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/feed", "data:,quakes"])
    func otherSchemes(location: String) async throws {
        server.serve(.redirect(to: location), at: "/feed")
        await #expect(throws: TransportError.redirectRefused(from: server.url("/feed"), to: location)) {
            try await Download.get(server.url("/feed"))
        }
    }

    @Test("The error about a redirect to an invalid port names the redirecting and the target URL") func invalidPort()
        async throws
    {
        server.serve(.redirect(to: "http://127.0.0.1:99999/feed"), at: "/feed")
        let fault = TransportError.redirectRefused(
            from: server.url("/feed"), to: "http://127.0.0.1:99999/feed", isNot: "a usable URL")
        await #expect(throws: fault) { try await Download.get(server.url("/feed")) }
    }

    @Test("Credentials in a URL are not sent to another host after a redirect") func credentials() async throws {
        let other = try FeedServer.ofTest()
        other.serve(.document("here"), at: "/feed")
        server.serve(.redirect(to: "/b"), at: "/a")
        server.serve(.redirect(to: other.url("/feed").replacing("127.0.0.1", with: "localhost")), at: "/b")
        let address = server.url("/a").replacing("://", with: "://bob:s3cr3t@")
        #expect(try await Download.get(address).body == Data("here".utf8))
        let password = "Basic Ym9iOnMzY3IzdA=="
        #expect(server.requests.map { $0.headers["authorization"] } == [password, password])
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["authorization"] == nil)
    }

    @Test("A redirect from https to http is rejected") func downgrade() throws {
        var rule = RedirectRule()
        _ = try rule.follow(from: URL(string: "http://a/"), location: nil, to: URL(string: "https://b/"))
        _ = try rule.follow(from: URL(string: "https://b/"), location: "/c", to: URL(string: "https://b/c"))
        #expect(throws: TransportError.redirectRefused(from: "https://b/c", to: "http://b/d")) {
            _ = try rule.follow(from: URL(string: "https://b/c"), location: "http://b/d", to: URL(string: "http://b/d"))
        }
    }
}
