import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("quakes status --check for monitors", .endsInTime, .scratch) struct MonitorTests {
    private let cache: Cache

    init() throws { cache = try .ofTest() }

    /// Runs the check, expects a single line, and returns it after the exit code.
    private func check(
        _ more: String..., by run: (ProcessRunner, [String]) async throws -> ProcessResult = { try await $0.run($1) }
    ) async throws -> String {
        let result = try await run(cache.quakes, ["status", "--check"] + more)
        #expect(result.output.hasSuffix("\n") && result.output.count { $0.isNewline } == 1, "\(result.output)")
        #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
        return "\(result.exitStatus ?? -1) \(result.output.dropLast())"
    }

    /// Records that the feed called `name` was read this long ago, as generated then, or failed.
    private func read(_ name: String = "all_day", ago: Duration, ahead: Duration = .zero, error: String? = nil) throws {
        let sources = try QuakeContext(QuakeCache(path: cache.path), access: .creating).sources
        var record = FeedRecord(name: name)
        record.checked = error == nil ? .now - ago : nil
        record.generated = error == nil ? .now - ago + ahead : nil
        record.error = error
        record.errorTime = error.map { _ in .now - ago }
        try sources.save(record)
    }

    @Test("A current cache is OK, with its age and number of quakes") func fresh() async throws {
        try read(ago: .seconds(180))
        try cache.insert(0..<2)
        let line = try await check()
        let form =
            /0 quakes OK: refreshed 3 min ago, data through [-0-9]+ [0-9:]+ UTC, 2 quakes \| age=18\ds;;86400 quakes=2/
        #expect(line.wholeMatch(of: form) != nil, "\(line)")
        #expect(try await check("--max-age", "1h", "-q").hasSuffix("s;;3600 quakes=2"))
        #expect(try await check("--max-age", "1m").hasPrefix("2 quakes CRITICAL: no data has been read successfully"))
    }

    @Test("Stale data and an unread cache are critical, other problems a warning") func states()
        async throws
    {
        try cache.insert(0..<1)
        #expect(try await check() == "2 quakes CRITICAL: no successful read of a feed is recorded | quakes=1")
        try read(ago: .seconds(3 * 86_400))
        #expect(try await check().hasPrefix("2 quakes CRITICAL: no data has been read successfully for 3 days | age="))
        try read(ago: .zero, ahead: .seconds(3600))
        #expect(try await check().hasPrefix("1 quakes WARNING: the newest copy of all_day is dated "))
        try read("all_hour", ago: .seconds(60), error: "no route")
        let both = try await check()
        #expect(both.hasPrefix("1 quakes WARNING: the newest copy of all_day is dated "), "\(both)")
        #expect(both.contains("; 1 more problem | "), "\(both)")
    }

    @Test("A consumer whose token is invalid is a warning of one sentence") func invalidToken() async throws {
        try read(ago: .zero)
        try cache.insert(0..<1)
        let history = try QuakeContext(QuakeCache(path: cache.path)).history
        try history.acknowledge(history.currentToken(), for: "alarm")
        try cache.insert(1..<2)
        try cache.insert(2..<3)
        try history.trim(before: .token(history.currentToken()), force: true)
        let line = try await check()
        #expect(
            line.hasPrefix("1 quakes WARNING: the token of the consumer alarm cannot be used: "), "\(line)")
    }

    @Test("A missing cache is unknown, and so is one that is empty, newer or cannot be opened") func unknown()
        async throws
    {
        #expect(try await check() == "3 quakes UNKNOWN: There is no cache at \(cache.path).")
        try Data().write(to: URL(filePath: cache.path))
        #expect(try await check() == "3 quakes UNKNOWN: There is no cache at \(cache.path).")
        #expect(try await check("--db", cache.directory.url.path).hasSuffix(" is a directory."))
        try FileManager.default.removeItem(atPath: cache.path)
        try cache.insert(0..<1)
        try SQLiteFile(path: cache.path, isReadOnly: false).rows("PRAGMA user_version = 99")
        #expect(try await check().contains("3 quakes UNKNOWN: \(cache.path) was created by a newer version"))
    }

    @Test("A file that is not a cache and a damaged cache are critical") func damage() async throws {
        try Data("not a database, but long enough to be one".utf8).write(to: URL(filePath: cache.path))
        #expect(try await check() == "2 quakes CRITICAL: \(cache.path) is not a quakes cache.")
        try FileManager.default.removeItem(atPath: cache.path)
        try cache.insert(0..<200)
        try QuakeContext(QuakeCache(path: cache.path)).maintenance.compact()
        let file = try FileHandle(forUpdating: URL(filePath: cache.path))
        let size = try file.seekToEnd()
        for page in stride(from: 4096, to: size, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
        #expect(try await check().hasPrefix("2 quakes CRITICAL: \(cache.path) is damaged"))
    }

    @Test(
        "A cache that the user must not read is unknown",
        .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "needs another user"))
    func unreadable() async throws {
        try cache.insert(0..<1)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cache.directory.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: cache.path)
        let line = try await check(by: Unprivileged.run)
        #expect(line.hasPrefix("3 quakes UNKNOWN: Cannot open \(cache.path)"), "\(line)")
    }

    @Test("While another process writes, the check answers") func locked() async throws {
        try read(ago: .zero)
        let writer = try SQLiteFile(path: cache.path, isReadOnly: false)
        try writer.rows("BEGIN IMMEDIATE")
        #expect(try await check().hasPrefix("0 quakes OK: "))
    }

    @Test("No path breaks the line or adds performance data") func hostilePath() async throws {
        let line = try await check("--db", cache.directory.path("a|b\nOK | age=0s\u{1B}[2J"))
        #expect(line.hasPrefix("3 quakes UNKNOWN: There is no cache at "))
        #expect(!line.contains { $0 == "|" || $0 == "\u{1B}" })
    }

    @Test(
        "A mistake in the command line of a check is unknown",
        arguments: [
            (["--bogus"], "--bogus"),
            (["--format", "json"], "--check cannot be combined with --format, --at, --forget or --output."),
            (["--at", "1h"], "--check cannot be combined"), (["--forget", "x"], "--check cannot be combined"),
            (["--max-age", "a|b"], "--max-age"), (["--db", ""], "--db"), (["all_day"], "takes no value"),
        ])
    func mistake(arguments: [String], part: String) async throws {
        let result = try await cache.quakes.run(["status", "--check"] + arguments)
        #expect(result.exitStatus == 3 && result.errorOutput.isEmpty)
        let line = result.output
        #expect(line.hasPrefix("quakes UNKNOWN: ") && line.contains(part), "\(line)")
        #expect(line.count { $0.isNewline } == 1 && !line.contains("|"), "\(line)")
    }
}
