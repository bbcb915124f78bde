import Foundation
import QuakeTestSupport
import Testing

/// A password is only sent to its server, however a redirect spells the next address.
@Suite("A password and a redirect", .timeLimit(.minutes(10)), .scratch)
struct RedirectedPasswordTests {
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

    private static func location(_ form: String, scheme: String, sender: UInt16, other: UInt16) -> String {
        form.replacing("UPPER", with: scheme.uppercased()).replacing("Mixed", with: scheme.capitalized)
            .replacing("SCHEME", with: scheme).replacing("SENDER", with: "127.0.0.1:\(sender)")
            .replacing("OTHER", with: "localhost:\(other)").replacing("PORT", with: "\(other)")
    }

    /// The commands that send requests to a server, with the password in `address`.
    private static func commands(asking address: String) -> [[String]] {
        [
            ["refresh", address],
            ["details", "us7000zzc4", "--service-url", address],
            ["backfill", "--since", "2025-05-04", "--until", "2025-05-05", "--service-url", address],
        ]
    }

    @Test("No form of a redirect takes it to another port", arguments: Thoroughness.sample(20, of: forms))
    func overHTTP(form: String) async throws {
        try await withServer { other in
            other.serveEverything(.document("{}"))
            try await withServer { server in
                let location = Self.location(form, scheme: "http", sender: server.port, other: other.port)
                server.serveEverything(.redirect(to: location))
                try await withCache { cache, _ async throws in
                    try await cache.refresh("all_day-1")
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
        }
    }

    /// The file in which Debian's libcurl finds the trusted certificates.
    private static let trusted = "/etc/ssl/certs/ca-certificates.crt"

    /// Two HTTPS servers with one certificate: the first redirects every request to the second, which counts passwords.
    private static let servers = """
        import http.server, signal, ssl, sys, threading
        certificate, form = sys.argv[1:]
        seen = []
        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.headers.get("Authorization"))
                self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
            def log_message(self, *_): pass
        class Sender(Other):
            def do_GET(self):
                asked.append(self.headers.get("Authorization"))
                self.send_response(302); self.send_header("Location", location); self.end_headers()
        asked = []
        def serve(handler):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            return str(server.server_port)
        other, sender = serve(Other), serve(Sender)
        location = form
        for name, value in (("UPPER", "HTTPS"), ("Mixed", "Https"), ("SCHEME", "https"),
                            ("SENDER", "127.0.0.1:" + sender), ("OTHER", "localhost:" + other), ("PORT", other)):
            location = location.replace(name, value)
        def report(*_): print(len([a for a in asked if a]), len([a for a in seen if a]), flush=True)
        signal.signal(signal.SIGUSR1, report)
        print(sender, flush=True)
        while True: signal.pause()
        """

    @Test(
        "Nor over HTTPS, with an authority of one's own",
        .enabled("needs Python, OpenSSL, user namespaces and the certificates of Debian") {
            let files = FileManager.default
            guard ["/usr/bin/python3", "/usr/bin/openssl"].allSatisfy(files.isExecutableFile) else { return false }
            let mounting = "unshare -rm mount --bind /dev/null \(trusted)"
            return try await ProcessRunner(path: "/bin/sh").run("-c", mounting).exitStatus == 0
        },
        arguments: Thoroughness.sample(6, of: forms))
    func overHTTPS(form: String) async throws {
        let (cache, directory) = try Cache.andFolderOfTest()
        let certificate = directory.path("server.pem")
        let made = try await ProcessRunner(path: "/usr/bin/openssl").run(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", certificate, "-out", certificate + ".crt")
        #expect(made.exitStatus == 0)
        let pair = try ["", ".crt"].map { try Data(contentsOf: URL(filePath: certificate + $0)) }
        try (pair[0] + pair[1]).write(to: URL(filePath: certificate))
        try await cache.refresh("all_day-1")
        let shell = ProcessRunner(path: "/usr/bin/unshare", environment: cache.quakes.environment)
        let trusting =
            "mount --bind '\(certificate).crt' \(Self.trusted) && exec '\(BuiltProduct.path("quakes"))' \"$@\""
        let python = ProcessRunner(path: "/usr/bin/python3")
        let (counts, _) = try await python.whileRunning(["-c", Self.servers, certificate, form]) { servers in
            let port = try #require(try await servers.nextLine())
            for command in Self.commands(asking: "https://bob:secret@127.0.0.1:\(port)/query") {
                let result = try await shell.run(["-rm", "sh", "-c", trusting, "sh"] + command)
                #expect(!result.errorOutput.contains("secret"), "\(result.errorOutput)")
            }
            servers.send(signal: SIGUSR1)
            return try await servers.nextLine()
        }
        let numbers = try #require(counts).split(separator: " ").compactMap { Int($0) }
        #expect(numbers.first ?? 0 >= 3, "the first server was asked with the password")
        #expect(numbers.last == 0)
    }
}
