import Foundation
import QuakeTestSupport
import Testing

@Suite("Verifying, backing up, restoring and undoing", .endsInTime, .scratch) struct SafekeepingTests {
    @Test("quakes verify exits with 0 for a sound cache and with 74 for a damaged cache")
    func verify() async throws {
        let cache = try await Cache.ofDay()
        let before = try cache.bytes()
        let full = try await cache.output("verify", "--full")
        #expect(full == "OK: 24 quakes, 24 ids, 1 transaction, 24 changes\n")
        #expect(try await cache.output("verify", "--quiet") == "")
        #expect(try cache.bytes() == before)
        let file = try SQLiteFile(path: cache.path, isReadOnly: false)
        try file.rows("DROP TRIGGER guard_aliases_update")
        try file.rows("UPDATE aliases SET alias = alias || char(27) WHERE quake <= 3")
        let result = try await cache.run("verify")
        #expect(result.exitStatus == 74)
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains("schema: the trigger guard_aliases_update is missing"))
        #expect(lines.count { $0.hasPrefix("aliases: the id ") && $0.contains("does not lead to its quake") } == 3)
        #expect(!result.output.contains("\u{1B}"))
        #expect(result.errorOutput.contains("is damaged: 7 problems. If the file is a backup, use another one."))
    }

    @Test("Errors for a file name say whether it is a directory, the cache itself, missing or in a missing folder")
    func wrongFiles() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let (folder, missing) = (scratch.url.path, scratch.path("none"))
        let remedy = "No such file or directory. Create the folder \(missing), or choose another file."
        let mistakes: [([String], String)] = [
            (["restore", cache.path], "\(cache.path) is the cache itself. Choose a backup file."),
            (["restore", missing], "There is no file \(missing). Check the path."),
            (["restore", folder], "\(folder) is a directory. Choose a file."),
            (["verify", folder], "\(folder) is a directory. Choose a file."),
            (["backup", missing + "/a"], "Cannot write \(missing)/a: \(remedy)"),
            (["list", "-o", missing + "/a.csv"], "Cannot write \(missing)/a.csv: \(remedy)"),
            (["list", "-o", folder], "Cannot write \(folder): it is a directory. Choose another file."),
            (["changes", "--token-file", missing + "/a"], "Cannot use the token file \(missing)/a: \(remedy)"),
        ]
        for (arguments, message) in mistakes {
            let result = try await cache.quakes.run(arguments)
            #expect(result.exitStatus == 74 && result.errorOutput == "quakes: \(message)\n", "\(arguments)")
        }
    }

    // Proves promise 13 of reliability.md.
    @Test("quakes restore can be reversed by restoring the previous cache that it kept") func restore() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let copy = scratch.path("copy.db")
        let backup = try await cache.json("backup", "--format", "json", copy)
        #expect(try await backup["token"].text == cache.token())
        try await cache.refresh("all_day-2")
        let later = try await cache.token()
        let restored = try await cache.json("restore", "--format", "json", copy)
        #expect(restored["token"] == backup["token"] && restored["replaced_token"].text == later)
        #expect(try await cache.output("list", "--count") == "24\n")
        #expect(try await cache.run("changes", "--since-token", later, "--on-expired", "fail").exitStatus == 3)
        let kept = try #require(restored["kept_path"].text)
        let words =
            "restored the cache from \(kept), token \(later); the previous cache is now in \(kept), and the backup in "
            + "\(kept)-2\n"
        #expect(try await cache.output("restore", kept) == words)
        #expect(try await cache.output("list", "--count") == "28\n")
        try await cache.output("verify", "--full")
    }

    @Test("quakes refresh exits with 74 and saves nothing if the cache file is moved while it runs")
    func replacedDuringRefresh() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let server = try MisbehavingServer.ofTest(.drip(every: .milliseconds(50)))
        let call = ["refresh", "--timeout", "3s", server.url("/all_day.geojson")]
        let (_, left) = try await cache.quakes.whileRunning(call) { process in
            while server.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(rename(cache.path, scratch.path("moved.db")) == 0)
            _ = try await process.remainingLines()
        }
        #expect(left.exitStatus == 74)
        #expect(left.errorOutput.contains("was replaced or removed while open, so nothing was read or saved"))
        #expect(!FileManager.default.fileExists(atPath: cache.path))
    }

    @Test(
        "If there is no room to compact, quakes purge --compact still deletes the quakes",
        .disabled(if: Sanitizer.isActive, "a limit on the size of files ends a sanitizer, too"))
    func purgeWithoutRoom() async throws {
        try await withCache(on: .disk) { cache, scratch async throws in
            let feed = try scratch.write(ManyQuakes.feed(3000), to: "all_week.geojson")
            try await cache.output("refresh", feed)
            // The purge's log fits into 200 KB, but the copy made by compacting does not.
            let script = """
                trap '' XFSZ; ulimit -f 200
                exec '\(cache.quakes.executable)' purge --yes --before 2026-03-12T10:30:00Z --compact
                """
            let result = try await ProcessRunner(path: "/bin/bash", environment: cache.quakes.environment)
                .run("-c", script)
            #expect(result.exitStatus == 74)
            #expect(result.output.hasPrefix("deleted "))
            #expect(result.errorOutput.contains("The purge succeeded, but the file could not be compacted. "))
            #expect(!result.errorOutput.contains("unchanged"))
            let newest = try await cache.json("history", "--format", "json", "--limit", "1").elements.first
            #expect(newest?["context"].text == "purge")
            try await cache.output("verify", "--full")
        }
    }

    @Test("If mv replaces an open cache, quakes list fails and names the process using the old file")
    func movedOver() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let (large, feed) = (scratch.path("large.db"), scratch.path("large.geojson"))
        try ManyQuakes.feed(3000).write(to: URL(filePath: feed))
        try await cache.output("refresh", "--db", large, feed)
        try await cache.refresh("all_day-1")
        var program: SQLiteFile? = try SQLiteFile(path: cache.path)
        #expect(try program?.rows("SELECT * FROM quakes").count == 24)
        // Now the log's index determines the number of pages in the file.
        try await cache.refresh("all_day-2")
        try #require(rename(large, cache.path) == 0)
        let result = try await cache.run("list", "--count")
        #expect(result.exitStatus == 74)
        #expect(result.errorOutput.contains("does not match its write-ahead log"), "\(result.errorOutput)")
        #expect(result.errorOutput.contains("(\(getpid()))"), "\(result.errorOutput)")
        #expect(FileManager.default.fileExists(atPath: cache.path + "-wal"))
        program = nil
        try moveLog(of: cache)
        #expect(try await cache.output("list", "--count") == "3000\n")
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    @Test("quakes refresh exits with 75 and names a process that still has an overwritten cache open")
    func copiedOver() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let copy = scratch.path("copy.db")
        try await cache.refresh("all_day-1")
        try await cache.output("backup", copy)
        try await cache.refresh("all_day-2")
        var program: SQLiteFile? = try SQLiteFile(path: cache.path)
        #expect(try program?.rows("SELECT * FROM quakes").count == 28)
        #expect(try await ProcessRunner(path: "/bin/cp").run(copy, cache.path).exitStatus == 0)
        try moveLog(of: cache)
        let result = try await cache.run("refresh", Fixture.url("feeds/all_day-2.geojson").path)
        #expect(result.exitStatus == 75 && result.errorOutput.contains("(\(getpid()))"), "\(result.errorOutput)")
        program = nil
        #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
        // The promised case: no program has the file open, and no log lies beside it.
        #expect(try await ProcessRunner(path: "/bin/cp").run(copy, cache.path).exitStatus == 0)
        #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    /// Moves the log as reliability.md prescribes after a file was replaced while its log was left.
    private func moveLog(of cache: Cache) throws {
        for suffix in ["-wal", "-shm"] { rename(cache.path + suffix, cache.path + suffix + ".aside") }
    }

    @Test("A second quakes undo exits with 4 and says how to reverse the first undo") func undoTwice() async throws {
        let cache = try await Cache.ofDay()
        try await cache.refresh("all_day-2")
        #expect(try await cache.output("purge", "--min-mag", "6") == "deleted 1 quake\n")
        #expect(try await cache.output("undo") == "undid transaction 3 (1 quake); the undo is transaction 4\n")
        let second = try await cache.run("undo")
        #expect(second.exitStatus == 4)
        #expect(second.errorOutput.contains("transaction 3, has already been undone by transaction 4. `quakes undo 4`"))
        try await cache.output("undo", "4")
        #expect(try await cache.output("undo").contains("undid transaction 3 (1 quake)"))
    }

    @Test("quakes undo restores only the purged quakes that no refresh has brought back")
    func undoAfterRefresh() async throws {
        let cache = try await Cache.ofDay()
        try await cache.refresh("all_day-2")
        let count = try #require(try await Int(cache.output("list", "--count").trimmingCharacters(in: .newlines)))
        try await cache.output("purge", "--all", "--yes")
        let back = try #require(try await cache.refresh("all_hour")["inserted"]["restored"].integer)
        #expect(back > 1 && back < count)
        let words = "transaction 3 (\(count - back) quakes reverted; \(back) left as they are because of later changes)"
        #expect(try await cache.output("undo", "--dry-run") == "would undo \(words)\n")
        let undone = try await cache.json("undo", "--format", "json")
        #expect(undone["quakes"].integer == count - back && undone["left"].integer == back)
        let again = try await cache.run("undo", "3")
        #expect(again.exitStatus == 4 && again.errorOutput.contains("has already been undone by transaction"))
    }

    @Test("Error messages quote arguments without their terminal control characters") func hostileArguments()
        async throws
    {
        let hostile = "a\u{1B}[31m\nquakes: forged\u{202E}"
        let cache = try Cache.ofTest()
        for arguments in [
            ["list", hostile], ["list", "--min-mag", hostile], ["list", "--min-mag=\(hostile)"],
            ["list", "--" + hostile], ["refresh", hostile], ["list", "--fields", hostile], [hostile],
            ["help", hostile], ["list", "--near", hostile], ["changes", "--since-token=\(hostile)"],
        ] {
            let result = try await cache.quakes.run(arguments)
            #expect([64, 66].contains(result.exitStatus), "\(arguments)")
            #expect(!result.errorOutput.contains("\nquakes: forged"), "\(arguments): \(result.errorOutput)")
            let scalars = (result.errorOutput + result.output).unicodeScalars
            #expect(!scalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(arguments)")
        }
    }

    @Test(
        "A signal to quakes ends all processes of --exec, even those that ignore the signal",
        arguments: [(SIGTERM, ""), (SIGINT, ""), (SIGHUP, ""), (SIGQUIT, ""), (SIGTERM, "trap '' TERM INT HUP QUIT; ")])
    func signalDuringExec(signal: Int32, reaction: String) async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let (ready, left) = (scratch.path("ready"), scratch.path("left"))
        #expect(mkfifo(ready, 0o600) == 0 && mkfifo(left, 0o600) == 0)
        // The pipeline keeps `left` open as long as any part of it runs.
        let command = "\(reaction)exec 3> '\(left)'; : > '\(ready)'; sleep 300 | sleep 300"
        let call = ["changes", "--since-token", "--consumer", "a", "--exec", command]
        let (_, ended) = try await cache.quakes.whileRunning(call) { process in
            try await onOwnThread {
                let end = open(left, O_RDONLY)
                close(open(ready, O_RDONLY))
                process.send(signal: signal)
                var byte: UInt8 = 0
                // Returns when the last part has ended.
                #expect(read(end, &byte, 1) == 0)
                close(end)
            }
            // Until quakes itself has ended.
            _ = try await process.remainingLines()
        }
        #expect(ended.ending == .signaled(signal), "\(ended.ending)")
        #expect(try await cache.json("consumers", "--format", "json").elements.isEmpty)
    }
}
