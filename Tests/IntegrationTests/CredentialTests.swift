import Foundation
import QuakeTestSupport
import Testing

/// Credentials reach the server that they are for, and nobody else.
@Suite("Credentials in URLs", .endsInTime, .scratch(on: .disk)) struct CredentialTests {
    /// Everything that `quakes` prints about `cache`, and the bytes of its files.
    private func traces(of cache: Cache) async throws -> String {
        var text = ""
        for arguments in [
            ["status"], ["status", "-f", "json"], ["history"], ["history", "-f", "json"], ["changes", "-f", "ndjson"],
            ["list", "-f", "ndjson"], ["status", "-v"],
        ] {
            let result = try await cache.quakes.run(arguments)
            text += result.output + result.errorOutput
        }
        return try cache.bytes().values.reduce(text) { $0 + String(decoding: $1, as: UTF8.self) }
    }

    private func secretAddress(_ server: FeedServer, _ path: String) -> String {
        server.url(path).replacing("://", with: "://bob:s3cr3t@") + "?apikey=s3cr3t&access_token=s3cr3t"
    }

    // Proves promise 16 of reliability.md.
    @Test(
        "Credentials in a feed's URL are sent to the server, but never stored or printed",
        arguments: [200, 404, 500, 429])
    func feedCredentials(status: Int) async throws {
        let body = try Fixture.data("feeds/all_day-1.geojson")
        let server = try FeedServer.ofTest()
        let answer = status == 200 ? ServedAnswer.document(body) : ServedAnswer(status: status)
        server.serve(.redirect(to: secretAddress(server, "/moved")), at: "/feed")
        server.serve(answer, at: "/moved")
        let cache = try await Cache.ofDay()
        let result = try await cache.run("refresh", "-v", "-f", "json", secretAddress(server, "/feed"))
        #expect((result.exitStatus == 0) == (status == 200), "\(result.errorOutput)")
        #expect(!(result.output + result.errorOutput).contains("s3cr3t"))
        let request = try #require(server.requests.first)
        #expect(request.headers["authorization"] == "Basic Ym9iOnMzY3IzdA==")
        #expect(request.query["apikey"] == "s3cr3t")
        let traces = try await traces(of: cache)
        #expect(!traces.contains("s3cr3t"))
    }

    // Proves promise 16 of reliability.md.
    @Test(
        "Credentials in a malformed URL are never stored or printed, whatever option has the URL",
        arguments: [
            "http:/bob:s3cr3t@host/feed", "bob:s3cr3t@host/query", "//bob:s3cr3t@host/feed", "http://bob:s3cr3t/feed",
            "http:\\\\bob:s3cr3t@host", "host/feed?apikey%3Ds3cr3t", "host/feed?apikey=s3cr3t",
            "http:///bob:s3cr3t@host/feed", "http:////bob:s3cr3t@host",
        ])
    func mistypedCredentials(address: String) async throws {
        let cache = try await Cache.ofDay()
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        for arguments in [
            ["refresh", address], ["refresh", "--base-url", address, "all_day"],
            ["refresh", "--service-url", address, feed], ["backfill", "--since", "2020", "--service-url", address],
            ["list", address], [address], ["status", "--forget", address],
        ] {
            let result = try await cache.quakes.run(arguments)
            #expect(result.exitStatus == (arguments[0] == "status" ? 4 : 64), "\(arguments): \(result.errorOutput)")
            #expect(!(result.output + result.errorOutput).contains("s3cr3t"), "\(result.errorOutput)")
        }
        for variable in ["QUAKES_BASE_URL", "QUAKES_SERVICE_URL"] {
            var quakes = cache.quakes
            quakes.environment[variable] = address
            let result = try await quakes.run("refresh", "all_day")
            #expect(result.exitStatus == 64 && result.errorOutput.contains(variable), "\(result.errorOutput)")
            #expect(!(result.output + result.errorOutput).contains("s3cr3t"), "\(result.errorOutput)")
        }
        #expect(try await cache.json("status", "-f", "json")["feeds"].elements.count == 1)
        let traces = try await traces(of: cache)
        #expect(!traces.contains("s3cr3t"))
    }

    // Proves promise 16 of reliability.md.
    @Test("Credentials in --base-url and --service-url are never stored or printed")
    func endpointCredentials() async throws {
        let server = try FeedServer.ofTest()
        server.serve(.document(try Fixture.data("feeds/all_day-1.geojson")), at: "/all_day.geojson")
        let cache = try Cache.ofTest()
        let result = try await cache.run(
            "refresh", "-v", "all_day", "--base-url", server.base.replacing("://", with: "://bob:s3cr3t@"),
            "--service-url", server.url("/query").replacing("://", with: "://bob:s3cr3t@"))
        #expect(result.exitStatus == 0 && !(result.output + result.errorOutput).contains("s3cr3t"))
        #expect(server.requests.first?.headers["authorization"] == "Basic Ym9iOnMzY3IzdA==")
        let traces = try await traces(of: cache)
        #expect(!traces.contains("s3cr3t"))
    }

    @Test("quakes refresh sends the stored ETag even if the feed's URL contains credentials")
    func feedIsKnownWithoutCredentials() async throws {
        let server = try FeedServer.ofTest()
        let body = try Fixture.data("feeds/all_day-1.geojson")
        server.serve(ServedAnswer(status: 200, headers: ["ETag": "\"1\""], body: body), at: "/feed")
        let cache = try Cache.ofTest()
        let address = secretAddress(server, "/feed")
        for _ in 1...2 { try await cache.output("refresh", address) }
        #expect(server.requests.last?.headers["if-none-match"] == "\"1\"")
        try await cache.output("status", "--forget", address)
        #expect(try await !cache.output("status", "-f", "json").contains("/feed?"))
    }

    @Test(
        "A new cache has mode 0600 unless its folder is group-writable and lacks the sticky bit",
        arguments: [
            (0o755, "022", nil, 0o600), (0o1777, "000", nil, 0o600), (0o775, "002", nil, 0o660),
            (0o775, "077", nil, 0o600), (0o777, "000", nil, 0o666), (0o2775, "002", nil, 0o660),
            (0o755, "022", 0o644, 0o644),
        ] as [(Int, String, Int?, Int)], [false, true])
    func fileMode(_ values: (folder: Int, umask: String, existing: Int?, mode: Int), isBehindLink: Bool) async throws {
        let (scratch, files) = (try ScratchDirectory.ofTest(), FileManager.default)
        let (folder, path, link) = (scratch.path("shared"), scratch.path("shared/quakes.db"), scratch.path("link.db"))
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.setAttributes([.posixPermissions: values.folder], ofItemAtPath: folder)
        try files.createSymbolicLink(atPath: link, withDestinationPath: "shared/quakes.db")
        if let mode = values.existing {
            _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode])
        }
        let quakes = "\(BuiltProduct.path("quakes")) refresh --db \(isBehindLink ? link : path)"
        let script = "umask \(values.umask); exec \(quakes) \(Fixture.url("feeds/all_day-1.geojson").path)"
        #expect(try await ProcessRunner(path: "/bin/sh").run("-c", script).exitStatus == 0)
        let names = try files.contentsOfDirectory(atPath: folder)
        #expect(names.contains("quakes.db"))
        for name in names {
            let found = try files.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
            #expect(found == values.mode, "\(name)")
        }
    }
}
