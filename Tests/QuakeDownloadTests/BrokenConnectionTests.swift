import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

@Suite("Servers that disconnect, stall or send too much", .endsInTime, .scratch) struct BrokenConnectionTests {
    private func expect(
        _ kind: TransportError.Kind, _ words: String, from url: String, environment: [String: String] = [:]
    ) async {
        let error = await #expect(throws: TransportError.self, "\(url)") {
            try await Download.get(url, environment: environment)
        }
        #expect(error?.kind == kind && error.map { "\($0.words) " }?.contains(words) == true, "\(url)")
    }

    @Test(
        "A response that breaks off or is not HTTP leads to an error that names the cause",
        arguments: [
            (.truncatedBody(announced: 5000, sent: 3000), .bodyTruncated, "after 3000 bytes"),
            (
                .answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"),
                .unusableResponse, "127.0.0.1 cannot be decompressed"
            ),
            (.closedAtOnce, .connectionLost, "127.0.0.1 was lost ("),
            // URLSession ends its process if the connection breaks within the head.
            (.closedWithinHead, .connectionLost, "probably because of the response from http://127.0.0.1"),
            (.garbage, .unusableResponse, "127.0.0.1 did not respond with HTTP"),
        ] as [(Misbehavior, TransportError.Kind, String)])
    func brokenDownloads(misbehavior: Misbehavior, kind: TransportError.Kind, words: String) async throws {
        await expect(kind, words, from: try MisbehavingServer.ofTest(misbehavior).url())
    }

    @Test(
        "A response header that curl accepts but URLSession rejects is reported as unreadable",
        arguments: [
            "200 OK\r\nETag:\"1\"\r\nContent-Length: 2\r\n\r\n{}", "200 OK\nContent-Length: 2\n\n{}",
            "200\r\nContent-Length: 2\r\n\r\n{}", "200 OK\r\nServer : x\r\nContent-Length: 2\r\n\r\n{}",
            "200 OK\r\nX-Place: P\u{E1}hala\r\nContent-Length: 2\r\n\r\n{}",
            "200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\n{}\r\n0\r\nX-A: b\r\n\r\n",
        ])
    func unreadableHeader(answer: String) async throws {
        let bytes = try #require("HTTP/1.1 \(answer)".data(using: .isoLatin1))
        let url = try MisbehavingServer.ofTest(.bytes(bytes)).url()
        let error = await #expect(throws: TransportError.self) { try await Download.get(url) }
        #expect(error?.kind == .unusableResponse && error?.remedy?.contains("curl") == true)
        #expect(
            error?.words.contains("127.0.0.1 has a header that cannot be read") == true, "\(String(describing: error))")
    }

    @Test("A response body of two gzip members is reported as impossible to decompress") func twoGzipMembers()
        async throws
    {
        let member = try ServedAnswer.compressed(Data("{}".utf8)).body
        let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        let server = try MisbehavingServer.ofTest(.bytes(head + member + member))
        await expect(.unusableResponse, "127.0.0.1 cannot be decompressed", from: server.url())
    }

    @Test("An https request to a server without TLS fails with an error about TLS") func noTLS() async throws {
        let server = try MisbehavingServer.ofTest(.bytesAtOnce(Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
        let address = server.url().replacing("http:", with: "https:")
        await expect(.unusableResponse, "The TLS connection to 127.0.0.1", from: address)
    }

    @Test("\"100 Continue\" and \"103 Early Hints\" are skipped until the final response")
    func informationalResponses() async throws {
        let hint = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        let answer = hint + "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\nbody"
        let server = try MisbehavingServer.ofTest(.answer(answer))
        let response = try await Download.get(server.url())
        #expect(response.status == 200 && response.body == Data("body".utf8))
        #expect(response.headers["etag"] == "\"1\"")
    }

    @Test("If the proxy refuses to connect to a host, the error says so and names the host") func refusingProxy()
        async throws
    {
        let proxy = try MisbehavingServer.ofTest(.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"))
        await expect(
            .unusableResponse, "The proxy refused to connect to quakes.invalid", from: "https://quakes.invalid/",
            environment: ["https_proxy": proxy.url()])
    }

    // Proves promise 16 of reliability.md.
    @Test(
        "The error about an unusable proxy URL does not show the password in the URL",
        arguments: ["bob:s3cr3t x@h:x", "bob:s3cr3t'x@h:x", "http:///s3cr3t", "http://h:s3cr3t", "///bob:s3cr3t@h"])
    func unusableProxy(proxy: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await Download.get("http://quakes.invalid/", environment: ["http_proxy": proxy])
        }
        #expect(error?.remedy?.contains("$http_proxy") == true)
        #expect(error.map { "\($0)".contains("s3cr3t") } == false, "\(String(describing: error))")
    }

    @Test("The error about a URL names the problem: a bare IPv6 address or an unknown host name") func hosts() async {
        for host in ["[::1]:8080", "[fe80::1]"] { await expect(.unusableAddress, "IPv6", from: "http://\(host)/") }
        for (name, asked) in [("quakes.invalid", "quakes.invalid"), ("bücher.invalid", "xn--bcher-kva.invalid")] {
            await expect(.unreachable, "the host name \(asked)", from: "http://\(name)/")
        }
    }

    @Test("If a server is down, the error says that it cannot connect to the server") func serverDown() async {
        await expect(.unreachable, "Cannot connect to 127.0.0.1", from: "http://127.0.0.1:9/")
    }

    @Test(
        "A URL that is not http or https, or has no host, throws unsupportedURL",
        arguments: ["", "quakes", "file:///etc/passwd", "http:///feed"])
    func unsupportedURL(url: String) async throws {
        await #expect(throws: TransportError.unsupportedURL(url)) { try await Download.get(url) }
    }
}
