import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

@Suite("Servers that break off, stall or say too much", .timeLimit(.minutes(5)))
struct BrokenConnectionTests {
    private func isError(_ error: any Error, _ kind: TransportError.Kind, naming words: String) -> Bool {
        (error as? TransportError).map { $0.kind == kind && "\($0.words) ".contains(words) } ?? false
    }

    @Test("A body shorter than announced is truncated")
    func truncated() async throws {
        try await withMisbehavingServer(.truncatedBody(announced: 5000, sent: 3000)) { server in
            await #expect { try await Download.get(server.url()) } throws: { error in
                isError(error, .bodyTruncated, naming: "after 3000 bytes")
            }
        }
    }

    @Test("A compressed body that is no gzip is truncated")
    func notGzip() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"
        try await withMisbehavingServer(.bytes(Data(answer.utf8))) { server in
            await #expect { try await Download.get(server.url()) } throws: { error in
                isError(error, .bodyTruncated, naming: "after 0 bytes")
            }
        }
    }

    @Test("A compressed body that the server itself cut short arrives short: whoever reads it has to notice")
    func cutBeforeCompression() async throws {
        try await withServer { server in
            var answer = ServedAnswer.compressed(Data(repeating: 0x7b, count: 1000))
            answer.body.removeLast(108)
            server.serve(answer, at: "/feed")
            let response = try await Download.get(server.url("/feed"))
            #expect(response.status == 200 && response.body.count == 900)
        }
    }

    @Test("A connection that closes before or within the head is lost", arguments: [true, false])
    func closedEarly(isWithinHead: Bool) async throws {
        try await withMisbehavingServer(isWithinHead ? .closedWithinHead : .closedAtOnce) { server in
            await #expect { try await Download.get(server.url()) } throws: { error in
                // URLSession ends the process if the connection breaks within the head.
                isError(error, .connectionLost, naming: isWithinHead ? "127.0.0.1" : "127.0.0.1 was lost (")
            }
        }
    }

    @Test("A chunked body with a trailer, which ends URLSession's process, counts as a lost connection")
    func trailer() async throws {
        let answer =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n4\r\nbody\r\n0\r\nX-A: b\r\n\r\n"
        try await withMisbehavingServer(.bytes(Data(answer.utf8))) { server in
            await #expect { try await Download.get(server.url()) } throws: { error in
                isError(error, .connectionLost, naming: "127.0.0.1 was lost: the download helper")
            }
        }
    }

    @Test("An answer that is announced with 100 Continue or 103 Early Hints is the answer that follows")
    func informationalHeads() async throws {
        let hint = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        let answer = hint + "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\nbody"
        try await withMisbehavingServer(.bytes(Data(answer.utf8))) { server in
            let response = try await Download.get(server.url())
            #expect(response.status == 200 && response.body == Data("body".utf8))
            #expect(response.headers["etag"] == "\"1\"")
        }
    }

    @Test("A proxy that refuses to connect is named as such")
    func refusingProxy() async throws {
        try await withMisbehavingServer(.bytes(Data("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8))) {
            proxy in
            await #expect {
                try await Download.get("https://quakes.invalid/", environment: ["https_proxy": proxy.url()])
            } throws: { error in
                isError(error, .unusableAnswer, naming: "The proxy refused to connect to quakes.invalid")
            }
        }
    }

    @Test("A host given as an IPv6 number is named as such", arguments: ["http://[::1]:8080/", "http://[fe80::1]/"])
    func hostAsNumber(url: String) async throws {
        await #expect { try await Download.get(url) } throws: { error in
            isError(error, .unusableAddress, naming: "IPv6")
        }
    }

    @Test("What is no HTTP is called so")
    func garbage() async throws {
        try await withMisbehavingServer(.garbage) { server in
            await #expect { try await Download.get(server.url()) } throws: { error in
                isError(error, .unusableAnswer, naming: "127.0.0.1 did not respond with HTTP")
            }
        }
    }

    @Test("A body that drips, and a server that is silent, end with the deadline", arguments: [true, false])
    func deadline(isDripping: Bool) async throws {
        try await withMisbehavingServer(isDripping ? .drip(every: .milliseconds(20)) : .silence) { server in
            await #expect(throws: TransportError.deadlineExceeded(seconds: 1)) {
                try await Download.get(server.url(), deadline: .seconds(1))
            }
        }
    }

    @Test("A server that is down cannot be connected to")
    func serverDown() async throws {
        let address = try await withMisbehavingServer(.silence) { $0.url() }
        // The listener needs a moment to close; until then, it accepts connections and ends them.
        await #expect { try await Download.get(address, deadline: .seconds(5)) } throws: { error in
            isError(error, .unreachable, naming: "Cannot connect to 127.0.0.1")
                || isError(error, .connectionLost, naming: " ")
        }
    }

    @Test("A name that does not exist is not resolved")
    func unknownName() async throws {
        for (name, asked) in [("quakes.invalid", "quakes.invalid"), ("bücher.invalid", "xn--bcher-kva.invalid")] {
            await #expect { try await Download.get("http://\(name)/") } throws: { error in
                isError(error, .unreachable, naming: "the host name \(asked)")
            }
        }
    }

    @Test("TLS with a server that has none fails as such")
    func noTLS() async throws {
        let answer = Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        try await withMisbehavingServer(.bytesAtOnce(answer)) { server in
            let address = server.url().replacing("http:", with: "https:")
            await #expect { try await Download.get(address) } throws: { error in
                isError(error, .unusableAnswer, naming: "The TLS connection to 127.0.0.1")
            }
        }
    }

    @Test("What is no address of HTTP is not tried", arguments: ["", "quakes", "file:///etc/passwd", "http:///feed"])
    func unsupportedAddress(url: String) async throws {
        await #expect(throws: TransportError.unsupportedURL(url)) { try await Download.get(url) }
    }
}
