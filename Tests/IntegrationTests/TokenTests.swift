import Foundation
import QuakeTestSupport
import Testing

@Suite("Tokens of changes", .endsInTime, .scratch) struct TokenTests {
    // Proves promise 3 of reliability.md.
    @Test("If its output pipe closes early, quakes changes exits with 0 and keeps its old saved token")
    func earlyReader() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = try scratch.write(ManyQuakes.feed(2_000), to: "feed.json")
        try await cache.output("refresh", feed)
        var environment = cache.quakes.environment
        environment["QUAKES"] = cache.quakes.executable
        let shell = ProcessRunner(path: "/bin/sh", environment: environment)
        let script = """
            { "$QUAKES" changes --since-token --format ndjson; echo "status $?" >&2; } | head -n 1
            """
        let result = try await shell.run("-c", script)
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.errorOutput.hasSuffix("\nstatus 0\n"))
        #expect(try await cache.output("changes", "--since-token").contains("\n2,000 changes, through transaction "))
    }

    @Test("With --template, quakes changes reports the token, or why it resyncs, on standard error")
    func templateOutput()
        async throws
    {
        let cache = try await Cache.ofDay()
        let result = try await cache.run("changes", "--min-mag", "6", "--template", "{id}")
        #expect(result.output == "us7000zzay\n" && result.errorOutput.contains("1 change; token q1."))
        let resync = try await cache.run(
            "changes", "--since-token", "q1.0000000000000.1.00000000", "--min-mag", "6", "--template",
            "{op} {reason} {what}[{token}{changed}]")
        #expect(resync.output == "insert resync present[]\n")
        #expect(resync.errorOutput.contains("The token cannot be used: it belongs to another cache"))
    }

    @Test("With --on-expired fail, quakes changes says how to continue after history was purged") func expired()
        async throws
    {
        let cache = try await Cache.ofDay()
        _ = try await cache.run("changes", "--consumer", "old", "--ack", "beginning")
        try await cache.refresh("all_day-2")
        try await cache.run("purge", "--history", "--all", "--force")
        let saved = try await cache.run("changes", "--consumer", "old", "--on-expired", "fail")
        #expect(saved.errorOutput.contains("run `quakes changes --consumer old --ack beginning`."))
        let given = try await cache.run("changes", "--since-transaction", "1", "--on-expired", "fail")
        #expect(given.errorOutput.contains("To start with the oldest change that is left, use --since-transaction "))
        #expect(saved.exitStatus == 3 && given.exitStatus == 3)
        let later = try await cache.output("changes", "--since-transaction", "99")
        #expect(later.hasPrefix("The starting point is newer than this cache"), "\(later)")
        let new = try await cache.output("changes", "--consumer", "new")
        #expect(new.contains("after the starting point have been purged; every quake in the cache follows instead."))
    }

    // Proves promise 3 of reliability.md.
    @Test("On a full disk, quakes changes exits with 74 and does not advance the saved token") func fullDisk()
        async throws
    {
        let cache = try await Cache.ofDay()
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let result = try await shell.run("-c", "\"$0\" changes --since-token >/dev/full", cache.quakes.executable)
        #expect(result.exitStatus == 74)
        #expect(try await cache.output("changes", "--since-token").hasSuffix("\n24 changes, through transaction 1\n"))
    }
}
