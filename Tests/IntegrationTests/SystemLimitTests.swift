import Foundation
import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

/// Under tight system limits, a command succeeds or reports what was missing; it neither hangs nor crashes.
@Suite("System limits", .endsInTime, .scratch(on: .disk)) struct SystemLimitTests {
    private static let feed = Fixture.url("feeds/all_day-1.geojson").path

    /// Runs `quakes` with `arguments` after `limit`, a shell command.
    private func run(_ limit: String, _ cache: Cache, _ arguments: String...) async throws -> ProcessResult {
        try await run(limit, cache, arguments)
    }

    private func run(_ limit: String, _ cache: Cache, _ arguments: [String]) async throws -> ProcessResult {
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let words = ([cache.quakes.executable] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try await shell.run("-c", "\(limit) \(words)")
    }

    @Test(
        "quakes refresh exits with 74 when it reaches the file size limit (ulimit -f)",
        .disabled(if: Sanitizer.isActive, "a limit on the size of files ends a sanitizer, too"), arguments: [0, 8, 64])
    func fileSize(blocks: Int) async throws {
        let cache = try Cache.ofTest()
        let result = try await run("ulimit -f \(blocks); exec", cache, "refresh", Self.feed)
        #expect(result.exitStatus == 74, "\(result.ending)")
        #expect(result.errorOutput.hasPrefix("quakes: "))
        try await cache.refresh("all_day-1")
        #expect(try await cache.json("status", "-f", "json")["quakes"].number == 24)
    }

    @Test("An --exec command that exceeds a file size limit is ended by SIGXFSZ") func signalInChild() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let script = "ulimit -f 1; exec head -c 5000 /dev/zero > \(scratch.path("large"))"
        let result = try await cache.run("changes", "--exec", script)
        #expect(result.exitStatus == 1)
        #expect(result.errorOutput.contains("signal \(SIGXFSZ)"), "\(result.errorOutput)")
    }

    @Test("With a limit of 4 to 16 file descriptors, quakes refresh exits with 0, 65 or 74", arguments: 4...16)
    func descriptors(count: Int) async throws {
        let cache = try Cache.ofTest()
        let result = try await run("ulimit -n \(count); exec", cache, "refresh", Self.feed)
        // 65 if the cache could be opened, but not the feed.
        #expect([0, 65, 74].contains(result.exitStatus), "\(result.ending)")
        #expect(result.exitStatus != 65 || result.errorOutput.contains("Too many open files"), "\(result.errorOutput)")
        // Three of four descriptors are the streams, so not even the libraries can be loaded.
        #expect(count == 4 || result.exitStatus == 0 || result.errorOutput.hasPrefix("quakes: "))
        #expect(result.exitStatus != 0 || result.output.contains("24 in feed"), "\(result.output)")
        #expect(count < 16 || result.exitStatus == 0, "\(result.errorOutput)")
    }

    private static let tools = ["/usr/bin/setpriv", "/usr/bin/prlimit"]

    @Test(
        "quakes refresh completes even if no more threads can be created",
        .enabled(if: tools.allSatisfy(FileManager.default.isExecutableFile), "needs setpriv and prlimit"))
    func threads() async throws {
        let many = ManyQuakes.feed(3000)
        let (cache, scratch) = try Cache.andFolderOfTest()
        let path = try scratch.write(many, to: "many.geojson")
        // The limit does not apply to root. Another user may not enter root's home, where the programs may be.
        let reading = "--inh-caps=+dac_override --ambient-caps=+dac_override"
        let user = getuid() == 0 ? "setpriv --reuid=54321 --clear-groups \(reading)" : ""
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.url.path)
        let result = try await run("exec timeout -s KILL 30 \(user) prlimit --nproc=1", cache, "refresh", path)
        #expect(result.exitStatus == 0, "\(result.ending) \(result.errorOutput)")
    }
}
