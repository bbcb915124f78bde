import Foundation
import QuakeTestSupport
import Testing

@Suite("Cache paths and users without write permission", .endsInTime, .scratch(on: .disk)) struct CacheFileTests {
    private static let feed = Fixture.url("feeds/all_day-1.geojson").path

    @Test("A cache path such as \"./file:q.db?mode=memory\" is a plain file name, not an SQLite URI")
    func pathThatLooksLikeURI() async throws {
        let scratch = try ScratchDirectory.ofTest()
        let shell = ProcessRunner(path: "/bin/sh", environment: ["QUAKES_DB": "./file:q.db?mode=memory"])
        let quakes = BuiltProduct.path("quakes")
        for (command, output) in [
            ("refresh -q \(Self.feed)", ""), ("list --count", "24\n"), ("backup -q ./file:copy.db", ""),
            ("verify -q ./file:copy.db", ""), ("restore -q --yes ./file:copy.db", ""), ("list --count", "24\n"),
            ("restore -q --db ./file:new.db ./file:copy.db", ""), ("list --count --db ./file:new.db", "24\n"),
        ] {
            let result = try await shell.run("-c", "cd \(scratch.url.path) && exec \(quakes) \(command)")
            #expect(result.exitStatus == 0 && result.output == output, "\(command): \(result.errorOutput)")
        }
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: scratch.url.path)
        #expect(Set(names).isSuperset(of: ["file:q.db?mode=memory", "file:copy.db", "file:new.db"]), "\(names)")
        for name in names {
            #expect(name.hasPrefix("file:"))
            let mode = try files.attributesOfItem(atPath: scratch.path(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test("quakes map -o exits with 0 even if the reader of its output pipe stops early")
    func mapToStream() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        var bash = ProcessRunner(path: "/bin/bash", environment: cache.quakes.environment)
        bash.environment["quakes"] = cache.quakes.executable
        for (line, output) in [
            ("$quakes map -f html -o /dev/stdout | head -c 9", "<!doctype"),
            (
                "$quakes map -f svg -o /dev/fd/3 3> >(head -c 5 > part); until [ -s part ]; do :; done; cat part",
                "<svg "
            ),
            ("$quakes map -f html -o /dev/null", ""),
        ] {
            let result = try await bash.run("-c", "set -o pipefail; cd \(scratch.url.path) && \(line)")
            #expect(result.exitStatus == 0, "\(line): \(result.errorOutput)")
            #expect(result.output.lowercased() == output, "\(line)")
        }
    }

    @Test("quakes refresh --dry-run writes nothing and creates no cache") func dryRun() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        #expect(try await cache.output("refresh", "--dry-run", Self.feed).contains("24 new"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
        try await cache.refresh("all_day-1")
        let before = try cache.bytes()
        let next = Fixture.url("feeds/all_day-2.geojson").path
        #expect(try await cache.output("refresh", "--dry-run", next).contains("4 new, 5 changed, 16 unchanged"))
        #expect(try cache.bytes() == before)
    }

    @Test(
        "Commands exit with 78 if the database has a newer schema or belongs to another program",
        arguments: [(60, 99, "a newer version"), (68, 99, "not a quakes cache")])
    func otherDatabase(offset: Int, value: UInt32, words: String) async throws {
        let cache = try await Cache.ofDay()
        // SQLite's header contains the layout version at byte 60 and the application id at byte 68.
        var bytes = try Data(contentsOf: URL(filePath: cache.path))
        bytes.replaceSubrange(offset..<offset + 4, with: withUnsafeBytes(of: value.bigEndian) { Data($0) })
        try bytes.write(to: URL(filePath: cache.path))
        for arguments in [["list"], ["refresh", Self.feed]] {
            let result = try await cache.quakes.run(arguments)
            #expect(result.exitStatus == 78, "\(result.errorOutput)")
            #expect(result.errorOutput.contains(words))
        }
        #expect(try cache.bytes() == ["": bytes])
    }

    @Test(
        "A user without write permission can run quakes list, but quakes refresh exits with 74",
        .enabled(if: Unprivileged.isPossible))
    func readOnlyFolder() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: cache.path)
        // The owner's next command leaves the log behind.
        _ = try await cache.token()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.url.path) }
        let before = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        for arguments in [
            ["list", "--count"], ["changes", "--format", "csv"], ["status", "--format", "json"],
            ["show", "--format", "json", "ci49000130"],
        ] {
            let own = try await cache.quakes.run(arguments)
            let result = try await Unprivileged.run(cache.quakes, arguments)
            #expect(result.exitStatus == own.exitStatus, "\(result.errorOutput)")
            // Ages grow between the two runs.
            let words = [result.output, own.output].map { $0.filter { !$0.isNumber } }
            #expect(words[0] == words[1] && !words[0].isEmpty)
        }
        for arguments in [["refresh", Self.feed], ["changes", "--since-token"]] {
            let result = try await Unprivileged.run(cache.quakes, arguments)
            #expect(result.exitStatus == 74, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("not writable"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == before)
    }

    @Test(
        "Without a -wal file, a user who cannot write is told to have the owner run \"quakes status\"",
        .enabled(if: geteuid() == 0 && Unprivileged.isPossible))
    func withoutLog() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: cache.path)
        let before = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        let refused = try await Unprivileged.run(cache.quakes, ["list", "--count"])
        #expect(refused.exitStatus == 74 && refused.output.isEmpty)
        #expect(refused.errorOutput.contains("Ask its owner to run `quakes status` on it once"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == before)
        _ = try await cache.run("status")
        #expect(try await Unprivileged.run(cache.quakes, ["list", "--count"]).output == "24\n")
        let copy = scratch.path("copy.db")
        try await cache.output("backup", copy)
        #expect(try await Unprivileged.run(cache.quakes, ["list", "--count", "--db", copy]).output == "24\n")
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
    }

    @Test(
        "A cache without a -wal file can be read on a read-only disk, not on a read-only bind mount",
        .enabled(if: ReadOnlyMedium.isPossible, "needs root, and mount"))
    func readOnlyMedium() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        for (isMedium, status) in [(true, Int32(0)), (false, 74)] {
            let folder = scratch.path(isMedium ? "medium #1 100%?" : "mount")
            let result = try await ReadOnlyMedium.run(
                cache.quakes, ["list", "--count"], on: cache.path, in: folder, isMedium: isMedium)
            #expect(result.exitStatus == status, "\(result.errorOutput)")
            #expect(result.output == (isMedium ? "24\n" : ""))
        }
    }

    @Test(
        "When another user reads a cache in a shared folder, all files still belong to the owner",
        .enabled(if: Unprivileged.isPossible))
    func sharedFolder() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.url.path)
        try await cache.refresh("all_day-1")
        let result = try await Unprivileged.run(cache.quakes, ["list", "--count"])
        #expect(result.output == "24\n", "\(result.errorOutput)")
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(files.sorted() == ["quakes.db", "quakes.db-shm", "quakes.db-wal"])
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(file))
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(), "\(file)")
        }
    }

    @Test(
        "quakes changes --follow prints the owner's commits to a user without write permission",
        .enabled(if: Unprivileged.isPossible))
    func followerWithoutPermission() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: cache.path)
        // The owner's next command leaves the log behind.
        let token = try await cache.token()
        let arguments = ["changes", "--follow", "--since-token", token, "--format", "ndjson"]
        let (line, _) = try await Unprivileged.whileRunning(cache.quakes, arguments) { process in
            try await cache.refresh("all_day-2")
            return try await process.nextLine()
        }
        #expect(line?.contains(#""kind":"change""#) == true)
    }
}

/// Runs programs as a user who is subject to permissions, because tests may run as root.
enum Unprivileged {
    private static let user = ["--reuid=65534", "--regid=65534", "--clear-groups"]

    static var isPossible: Bool {
        geteuid() != 0
            || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
                && isReadableByAll(BuiltProduct.path("quakes"))
    }

    static func run(_ program: ProcessRunner, _ arguments: [String]) async throws -> ProcessResult {
        guard geteuid() == 0 else { return try await program.run(arguments) }
        return try await ProcessRunner(path: "/usr/bin/setpriv", environment: program.environment)
            .run(user + [program.executable] + arguments)
    }

    static func whileRunning<Value: Sendable>(
        _ program: ProcessRunner, _ arguments: [String], _ body: (RunningProcess) async throws -> Value
    ) async throws -> (Value, ProcessResult) {
        guard geteuid() == 0 else { return try await program.whileRunning(arguments, body) }
        return try await ProcessRunner(path: "/usr/bin/setpriv", environment: program.environment)
            .whileRunning(user + [program.executable] + arguments, body)
    }

    private static func isReadableByAll(_ path: String) -> Bool {
        var path = path
        while path != "/" {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let mode = attributes?[.posixPermissions] as? NSNumber, mode.intValue & 0o5 == 0o5 else {
                return false
            }
            path = URL(filePath: path).deletingLastPathComponent().path
        }
        return true
    }
}

/// A copy of a cache on a read-only file system, or on a read-only mount of a writable one.
enum ReadOnlyMedium {
    static var isPossible: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")
            && (try? Process.run(
                URL(filePath: "/usr/bin/unshare"), arguments: ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
            )).map {
                $0.waitUntilExit()
                return $0.terminationStatus == 0
            } == true
    }

    /// Runs `program` with a copy of the cache at `path`, in a separate mount namespace.
    static func run(
        _ program: ProcessRunner, _ arguments: [String], on path: String, in folder: String, isMedium: Bool
    ) async throws -> ProcessResult {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let script = """
            mount -t tmpfs tmpfs "$1" && cp "$2" "$1/quakes.db" || exit 99
            \(isMedium ? "mount -o remount,ro" : "mount -o remount,bind,ro") "$1" || exit 99
            export QUAKES_DB="$1/quakes.db"; shift 2; exec "$@"
            """
        return try await ProcessRunner(path: "/usr/bin/unshare", environment: program.environment)
            .run(["--mount", "sh", "-c", script, "sh", folder, path, program.executable] + arguments)
    }
}
