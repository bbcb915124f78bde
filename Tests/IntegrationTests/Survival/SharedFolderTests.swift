import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Two users in one group with one cache, in a folder whose files belong to the group.
@Suite(
    "A folder that two users share", .endsInTime, .scratch(on: .disk),
    .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "only root can run programs as two other users"))
struct SharedFolderTests {
    private static let group = 61_000

    /// Runs quakes with this user id.
    private func run(_ user: Int, _ cache: Cache, _ arguments: String...) async throws -> String {
        try await run(user, cache.quakes, arguments)
    }

    private func run(_ user: Int, _ quakes: ProcessRunner, _ arguments: [String]) async throws -> String {
        let call = [
            "--reuid=\(user)", "--regid=\(Self.group)", "--clear-groups", "/bin/sh", "-c",
            "umask 002; exec \"$@\"", "sh", quakes.executable,
        ]
        let result = try await ProcessRunner(path: "/usr/bin/setpriv", environment: quakes.environment)
            .run(call + arguments)
        #expect(result.exitStatus == 0, "\(user), \(arguments): \(result.errorOutput)")
        return result.output
    }

    private func sharedFolder() throws -> (Cache, ScratchDirectory) {
        let (cache, scratch) = try Cache.andFolderOfTest()
        #expect(chown(scratch.url.path, 61_001, gid_t(Self.group)) == 0)
        #expect(chmod(scratch.url.path, 0o2770) == 0)
        return (cache, scratch)
    }

    // Proves promise 9 of reliability.md.
    @Test("Two users of one group can refresh, purge and restore the same cache") func twoUsers() async throws {
        let (cache, scratch) = try sharedFolder()
        let feeds = [1, 2].map { Fixture.url("feeds/all_day-\($0).geojson").path }
        #expect(try await run(61_001, cache, "refresh", feeds[0]).contains("24 new"))
        #expect(try await run(61_002, cache, "refresh", feeds[1]).contains("4 new"))
        let copy = scratch.path("copy.db")
        _ = try await run(61_002, cache, "backup", copy)
        #expect(try await run(61_001, cache, "purge", "--all", "--yes").contains("deleted 28"))
        _ = try await run(61_002, cache, "changes", "--token-file", scratch.path("token"))
        _ = try await run(61_001, cache, "changes", "--token-file", scratch.path("token"))
        _ = try await run(61_002, cache, "restore", copy)
        _ = try await run(61_001, cache, "restore", copy)
        #expect(try await run(61_002, cache, "list", "--count") == "28\n")
    }

    @Test(
        "A .partial file left by one user's backup does not prevent a backup by another user",
        arguments: [0o640, 0o600])
    func leftPartialBackup(mode: mode_t) async throws {
        let (cache, scratch) = try sharedFolder()
        _ = try await run(61_001, cache, "refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let copy = scratch.path("copy.db")
        try Data("half".utf8).write(to: URL(filePath: copy + ".partial"))
        #expect(chown(copy + ".partial", 61_001, gid_t(Self.group)) == 0)
        #expect(chmod(copy + ".partial", mode) == 0)
        _ = try await run(61_002, cache, "backup", copy)
        #expect(try String(contentsOfFile: copy + ".partial", encoding: .utf8) == "half")
    }

    // Proves promise 9 of reliability.md.
    @Test("A lock file left by another user's killed backfill does not block quakes backfill") func oldLock()
        async throws
    {
        let (cache, _) = try sharedFolder()
        let server = try EventServiceServer.ofTest()
        let backfill = ["backfill", "--since", "2026-03-01", "--service-url", server.queryURL]
        let lock = cache.path + ".backfill-lock"
        _ = try await run(61_001, cache.quakes, backfill)
        // As a killed backfill of the owner leaves it.
        try Data().write(to: URL(filePath: lock))
        #expect(chown(lock, 61_001, gid_t(Self.group)) == 0 && chmod(lock, 0o644) == 0)
        _ = try await run(61_002, cache.quakes, backfill + ["--again"])
        #expect(!FileManager.default.fileExists(atPath: lock))
    }

    // Proves promise 9 of reliability.md.
    @Test("Two users can run quakes changes for one consumer in turn, but not at the same time")
    func sharedConsumer() async throws {
        let (cache, scratch) = try sharedFolder()
        _ = try await run(61_001, cache, "refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let alarm = ["changes", "--consumer", "alarm"]
        let inner = "'\(cache.quakes.executable)' \(alarm.joined(separator: " ")) --exec cat"
        let call = "setpriv --reuid=61002 --regid=\(Self.group) --clear-groups \(inner); echo $?"
        // The command of a run by root is a run by another user.
        let result = try await cache.quakes.run(alarm + ["--exec", "cat > /dev/null; \(call)"])
        #expect(result.output == "75\n" && result.errorOutput.contains("is already in use by quakes ("))
        for user in [61_001, 61_002, 61_001] { _ = try await run(user, cache.quakes, alarm) }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(!names.contains { $0.contains("lock") }, "\(names)")
    }

    @Test(
        "After root runs commands on a user's cache, all cache files still belong to that user",
        arguments: [0o700, 0o2770])
    func root(folder: mode_t) async throws {
        let (cache, scratch) = try sharedFolder()
        #expect(chmod(scratch.url.path, folder) == 0)
        let feeds = [1, 2].map { Fixture.url("feeds/all_day-\($0).geojson").path }
        let token = ["changes", "--token-file", scratch.path("token")]
        for call in [["refresh", feeds[0]], token] { _ = try await run(61_001, cache.quakes, call) }
        let copy = scratch.path("copy.db")
        let quakes = try servers(like: cache)
        let backfill = ["backfill", "--since", "2026-03-01", "--until", "2026-03-20"]
        let details = ["details", "us7000zzay"]
        let calls = [
            backfill, details, ["backup", copy], ["refresh", feeds[1]], token, ["purge", "--max-mag", "1"],
            ["undo"], ["restore", copy], ["verify", "--full"],
        ]
        for call in calls {
            let result = try await quakes.run(call)
            #expect(result.exitStatus == 0, "\(call): \(result.errorOutput)")
        }
        let (line, _) = try await quakes.whileRunning(["watch"]) { try await $0.nextLine() }
        #expect(line != nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) {
            let owner = try Owner(of: scratch.path(name))
            #expect(try owner == Owner(of: scratch.path(name == "token" ? name : "quakes.db")), "\(name)")
            #expect(owner.user == 61_001, "\(name)")
        }
        for call in [["refresh", feeds[1]], token, ["backfill"], details + ["--again"]] {
            _ = try await run(61_001, quakes, call)
        }
    }

    /// Returns a program whose feed is the second snapshot, and whose event service has the quakes of `cache`.
    private func servers(like cache: Cache) throws -> ProcessRunner {
        var catalog = try EventCatalog(of: cache, now: .now)
        catalog.details["us7000zzay"] = try Fixture.data("details/us7000zzay.geojson")
        let feed = String(decoding: try Fixture.data("feeds/all_day-2.geojson"), as: UTF8.self)
            .replacing("Past Day", with: "Past Month").replacing("all_day", with: "all_month")
        let server = try FeedServer.ofTest()
        server.serve(ServedAnswer(status: 200, body: Data(feed.utf8)), at: "/all_month.geojson")
        var quakes = cache.quakes
        quakes.environment["QUAKES_BASE_URL"] = server.base
        quakes.environment["QUAKES_SERVICE_URL"] = try EventServiceServer.ofTest(catalog).queryURL
        return quakes
    }
}

/// The user, group and mode of a file.
private struct Owner: Equatable {
    let user: uid_t
    let group: gid_t
    let mode: mode_t

    init(of path: String) throws {
        var status = stat()
        try #require(stat(path, &status) == 0)
        (user, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
    }
}
