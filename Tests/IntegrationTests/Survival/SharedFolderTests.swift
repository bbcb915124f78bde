import Foundation
import QuakeTestSupport
import Testing

/// Two users of one group and one cache, in a folder whose files belong to the group.
@Suite(
    "A folder that two users share", .timeLimit(.minutes(5)),
    .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "only root can run programs as two other users"))
struct SharedFolderTests {
    private static let group = 61_000

    /// Runs quakes as the user with this number; `mask` is the umask.
    private func run(_ user: Int, mask: String = "002", _ cache: Cache, _ arguments: String...) async throws -> String {
        let call = [
            "--reuid=\(user)", "--regid=\(Self.group)", "--clear-groups", "/bin/sh", "-c",
            "umask \(mask); exec \"$@\"", "sh", cache.quakes.executable,
        ]
        let result = try await ProcessRunner(path: "/usr/bin/setpriv", environment: cache.quakes.environment)
            .run(call + arguments)
        #expect(result.exitStatus == 0, "\(user), \(arguments): \(result.errorOutput)")
        return result.output
    }

    private func withSharedFolder(_ body: (Cache, ScratchDirectory) async throws -> Void) async throws {
        try await withCache(on: .disk) { cache, scratch async throws in
            #expect(chown(scratch.url.path, 61_001, gid_t(Self.group)) == 0)
            #expect(chmod(scratch.url.path, 0o2770) == 0)
            try await body(cache, scratch)
        }
    }

    @Test("Each refreshes, purges and restores what the other made")
    func twoUsers() async throws {
        try await withSharedFolder { cache, scratch async throws in
            let feeds = [1, 2].map { Fixture.url("feeds/all_day-\($0).geojson").path }
            #expect(try await run(61_001, cache, "refresh", feeds[0]).contains("24 new"))
            #expect(try await run(61_002, cache, "refresh", feeds[1]).contains("4 new"))
            let copy = scratch.path("copy.db")
            _ = try await run(61_002, cache, "backup", copy)
            #expect(try await run(61_001, cache, "purge", "--all").contains("deleted 28"))
            _ = try await run(61_002, cache, "changes", "--token-file", scratch.path("token"))
            _ = try await run(61_001, cache, "changes", "--token-file", scratch.path("token"))
            _ = try await run(61_002, cache, "restore", copy)
            _ = try await run(61_001, cache, "restore", copy)
            #expect(try await run(61_002, cache, "list", "--count") == "28\n")
        }
    }

    @Test("What a killed backup of one user has left does not stand in the way of the other, or is named")
    func leftDraft() async throws {
        try await withSharedFolder { cache, scratch async throws in
            _ = try await run(61_001, cache, "refresh", Fixture.url("feeds/all_day-1.geojson").path)
            let copy = scratch.path("copy.db")
            func leave(mode: mode_t) throws {
                try Data("half".utf8).write(to: URL(filePath: copy + ".partial"))
                #expect(chown(copy + ".partial", 61_001, gid_t(Self.group)) == 0)
                #expect(chmod(copy + ".partial", mode) == 0)
            }
            try leave(mode: 0o640)
            _ = try await run(61_002, cache, "backup", copy)
            try leave(mode: 0o600)
            let call = ["--reuid=61002", "--regid=\(Self.group)", "--clear-groups", cache.quakes.executable]
            let result = try await ProcessRunner(path: "/usr/bin/setpriv", environment: cache.quakes.environment)
                .run(call + ["backup", "--force", copy])
            #expect(result.exitStatus == 74)
            let words = "quakes: Cannot open \(copy).partial: Permission denied."
            #expect(result.errorOutput.hasPrefix(words), "\(result.errorOutput)")
        }
    }

    @Test("A lock that only its owner may write, as older versions made it, keeps nobody out")
    func oldLock() async throws {
        try await withSharedFolder { cache, scratch async throws in
            let feed = Fixture.url("feeds/all_day-1.geojson").path
            _ = try await run(61_001, cache, "refresh", feed)
            #expect(chmod(cache.path + ".lock", 0o644) == 0)
            #expect(try await run(61_002, cache, "refresh", feed).contains("24 unchanged"))
            // The owner's next refresh mends it.
            _ = try await run(61_001, cache, "refresh", feed)
            var status = stat()
            #expect(stat(cache.path + ".lock", &status) == 0 && status.st_mode & 0o777 == 0o660)
        }
    }
}
