import Foundation
import QuakeTestSupport
import Testing

/// A password is only sent to its server, however a redirect spells the next address.
@Suite("Passwords and redirects", .endsInTime, .scratch) struct RedirectedPasswordTests {
    /// Forms of `Location` that refer to another server or may seem to; `OTHER` is its host and port.
    private static let forms = [
        "//OTHER/x", " //OTHER/x", "\t//OTHER/x", "//OTHER", "//OTHER/", "//OTHER?x", "//OTHER#x", "//bob2@OTHER/x",
        "//bob2:pw@OTHER/x", "//bob:secret@OTHER/x", "//@OTHER/x", "//:@OTHER/x", "//:pw@OTHER/x", "//%62ob@OTHER/x",
        "//LOCALHOST:PORT/x", "//LocalHost:PORT/x", "//%6cocalhost:PORT/x", "//%6C%6Fcalhost:PORT/x",
        "//localhost%2e:PORT/x", "//localhost.:PORT/x", "//OTHER//x", "//OTHER/../x", "//OTHER/./x", "//OTHER;x",
        "//OTHER/x y", "//OTHER/%2f%2f", "///OTHER/x", "////OTHER/x", "/\\OTHER/x", "\\\\OTHER/x", "\\/OTHER/x",
        "SCHEME://OTHER/x", "SCHEME://bob2@OTHER/x", "SCHEME://bob2:pw@OTHER/x", "SCHEME://bob:secret@OTHER/x",
        "SCHEME://LOCALHOST:PORT/x", "SCHEME://%6cocalhost:PORT/x", " SCHEME://OTHER/x", "\tSCHEME://OTHER/x",
        "UPPER://OTHER/x", "Mixed://OTHER/x", "SCHEME:OTHER/x", "SCHEME:/OTHER/x", "SCHEME:///OTHER/x",
        "SCHEME:\\\\OTHER/x", "SCHEME:\\/OTHER", "SCHEME://OTHER\\@SENDER/x", "SCHEME://SENDER\\@OTHER/x",
        "SCHEME://SENDER@OTHER/x", "SCHEME://bob:secret@SENDER@OTHER/x", "//SENDER@OTHER/x", "//SENDER\\@OTHER/x",
        "//SENDER#@OTHER/x", "//SENDER?@OTHER/x", "//SENDER%40OTHER/x", "//OTHER%2fx", "//OTHER%00/x",
        "//127.1:PORT/x", "//2130706433:PORT/x", "//0x7f000001:PORT/x", "//127.0.0.1:PORT/x",
        "SCHEME://127.0.0.1:PORT/x",
    ]

    private static func location(_ form: String, sender: UInt16, other: UInt16) -> String {
        form.replacing("UPPER", with: "HTTP").replacing("Mixed", with: "Http").replacing("SCHEME", with: "http")
            .replacing("SENDER", with: "127.0.0.1:\(sender)").replacing("OTHER", with: "localhost:\(other)")
            .replacing("PORT", with: "\(other)")
    }

    /// The commands that send requests to a server, with the password in `address`.
    private static func commands(asking address: String) -> [[String]] {
        [
            ["refresh", address],
            ["details", "us7000zzc4", "--service-url", address],
            ["backfill", "--since", "2025-05-04", "--until", "2025-05-05", "--service-url", address],
        ]
    }

    @Test(
        "A password in a URL is not sent to another port, whatever form the redirect has",
        arguments: Thoroughness.sample(20, of: forms))
    func overHTTP(form: String) async throws {
        let other = try FeedServer.ofTest()
        other.serveEverything(.document("{}"))
        let server = try FeedServer.ofTest()
        let location = Self.location(form, sender: server.port, other: other.port)
        server.serveEverything(.redirect(to: location))
        let cache = try await Cache.ofDay()
        let address = "http://bob:secret@127.0.0.1:\(server.port)/query"
        for command in Self.commands(asking: address) {
            let asked = server.requests.count
            let result = try await cache.quakes.run(command)
            #expect(server.requests.count > asked, "\(command): \(result.errorOutput)")
            #expect(!result.errorOutput.contains("secret"), "\(result.errorOutput)")
        }
        #expect(server.requests.first?.headers["authorization"] != nil)
        #expect(other.requests.compactMap { $0.headers["authorization"] } == [])
    }
}
