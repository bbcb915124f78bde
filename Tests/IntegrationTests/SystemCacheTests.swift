import Foundation
import QuakeTestSupport
import Testing

@Suite("The system cache", .endsInTime) struct SystemCacheTests {
    @Test("For a stale system cache, quakes status suggests \"sudo -u quakes quakes refresh\"")
    func adviceForSystemCache() async throws {
        try await withSystemCache { user, system, _ async throws in
            // The document was generated in the past.
            let stale = try await user.run("status", "--format", "json")
            let problem = try JSONValue(stale.standardOutput)["problems"].elements.first
            #expect(problem?["code"].text == "stale")
            #expect(problem?["command"].text == "sudo -u quakes quakes refresh --db \(system)")
        }
    }

    @Test(
        "A user who cannot write to the cache can save the read position in a token file",
        .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "needs root, setpriv, and a build that all may read"))
    func positionInTokenFile() async throws {
        try await withSystemCache { user, system, scratch async throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: system)
            let folder = URL(filePath: system).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            // The owner's next command leaves the log behind.
            #expect(try await user.run("status").exitStatus != 74)
            let refused = try await Unprivileged.run(user, ["changes", "--since-token"])
            #expect(refused.exitStatus == 74 && refused.output.isEmpty)
            #expect(refused.errorOutput.contains("\(system) or its folder is not writable"))
            #expect(refused.errorOutput.contains("--token-file"))
            try FileManager.default.createDirectory(atPath: scratch.path("own"), withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.path("own"))
            let arguments = ["changes", "--token-file", scratch.path("own/token"), "--format", "csv"]
            #expect(try await Unprivileged.run(user, arguments).output.split(separator: "\n").count == 25)
            #expect(try await Unprivileged.run(user, arguments).output.split(separator: "\n").count == 1)
        }
    }

    /// Runs `body` with a user who has no cache, and the path of a system cache with 24 quakes.
    private func withSystemCache(
        _ body: (ProcessRunner, _ system: String, ScratchDirectory) async throws -> Void
    ) async throws {
        try await withScratchDirectory(on: .disk) { scratch async throws in
            let system = scratch.path("system/quakes.db")
            let user = ProcessRunner(environment: [
                "QUAKES_DB": nil, "QUAKES_SYSTEM_DB": system, "HOME": scratch.path("home"),
                "QUAKES_BASE_URL": "http://127.0.0.1:9",
            ])
            #expect(try await user.run("list").exitStatus == 66)
            let feed = Fixture.url("feeds/all_day-1.geojson").path
            #expect(try await user.run("refresh", "--db", system, feed).exitStatus == 0)
            try await body(user, system, scratch)
        }
    }
}
