import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `quakes watch`: one command that fetches, waits and reports.
@Suite("One command that keeps up", .timeLimit(.minutes(5)), .scratch)
struct WatchTests {
    /// The day's snapshot, which can also be served as the hour, week or month.
    private func feed(_ number: Int, as name: String, _ period: String) throws -> ServedAnswer {
        let text = String(decoding: try Fixture.data("feeds/all_day-\(number).geojson"), as: UTF8.self)
        return ServedAnswer(
            status: 200, body: Data(text.replacing("Past Day", with: period).replacing("all_day", with: name).utf8))
    }

    /// Serves the snapshot under the name of each feed that the schedule may choose.
    private func serve(_ number: Int, from server: FeedServer) throws {
        for (name, period) in [
            ("all_hour", "Past Hour"), ("all_day", "Past Day"), ("all_week", "Past Week"), ("all_month", "Past Month"),
        ] { server.serve(try feed(number, as: name, period), at: "/\(name).geojson") }
    }

    /// A runner whose feeds come from `server`, which lacks all but the day.
    private func runner(_ server: FeedServer, _ path: String) -> ProcessRunner {
        ProcessRunner(
            environment: [
                "QUAKES_DB": path, "QUAKES_BASE_URL": server.base, "QUAKES_CONFIRM_WITH_SERVICE": "0",
            ])
    }

    /// Applies the first snapshot, so that only the day and the hour are due.
    private func prepare(_ runner: ProcessRunner) async throws {
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
    }

    @Test("It tells what changes from now on, once, and ends with the signal")
    func tells() async throws {
        let scratch = try ScratchDirectory.ofTest()
        try await withServer { server in
            let runner = runner(server, scratch.path("quakes.db"))
            try await prepare(runner)
            try serve(2, from: server)
            let arguments = ["watch", "--interval", "1s", "--format", "ndjson", "--op", "insert,update"]
            let (lines, result) = try await runner.whileRunning(arguments) { process in
                var lines: [String] = []
                while let line = try await process.nextLine() {
                    lines.append(line)
                    if lines.count == 8 { process.send(signal: SIGINT) }
                }
                return lines
            }
            #expect(lines.count { $0.contains(#""kind":"change""#) } >= 8)
            #expect(!lines.contains { $0.contains(#""transaction":{"number":1,"#) })
            #expect(result.ending == .exited(0))
        }
    }

    @Test("A failing server is reported when it begins and when it ends")
    func failing() async throws {
        let scratch = try ScratchDirectory.ofTest()
        try await withServer { server in
            let runner = runner(server, scratch.path("quakes.db"))
            try await prepare(runner)
            let names = ["all_hour", "all_day", "all_week", "all_month"]
            for name in names { server.serve(ServedAnswer(status: 500), at: "/\(name).geojson") }
            let errors = try await runner.whileRunning(["watch", "--interval", "1s", "--format", "ndjson"]) { process in
                try await Task.sleep(for: .seconds(4))
                try serve(2, from: server)
                _ = try await process.nextLine()
                try await Task.sleep(for: .seconds(2))
                process.send(signal: SIGTERM)
            }.1.errorOutput
            let lines = errors.split(separator: "\n")
            #expect(lines.count { $0.contains("returned status 500") } == 1, "\(errors)")
            #expect(lines.count { $0.contains("can be read again") } == 1, "\(errors)")
        }
    }

    @Test("A consumer goes on behind what it has read after a restore, and with what is left after a purge")
    func replaced() async throws {
        let directory = try ScratchDirectory.ofTest()
        try await withServer { server in
            let cache = HistoryCache(directory)
            let runner = runner(server, cache.path)
            let arguments = ["watch", "--consumer", "alarm", "--exec-each", "echo $QUAKE_ID"]
            func next(_ id: String, _ change: (RunningProcess) async throws -> Void = { _ in }) async throws -> String {
                try await runner.whileRunning(arguments) { process in
                    try await change(process)
                    #expect(try await process.nextLine() == id)
                    process.send(signal: SIGTERM)
                }.1.errorOutput
            }
            try cache.insert(0..<1)
            try await cache.run("backup", directory.path("copy.db"))
            try await cache.run("changes", "--consumer", "alarm", "--ack", "now")
            try cache.insert(1..<2)
            // The same while the watch runs.
            let during = try await next("us702") { process in
                #expect(try await process.nextLine() == "us701")
                // The watch's refresh may be using the cache.
                while try await cache.run("restore", directory.path("copy.db")).exitStatus == 75 {}
                try cache.insert(2..<3)
            }
            #expect(during.contains("restored from a backup; continuing after transaction 1. "), "\(during)")
            try cache.insert(3..<4)
            try await cache.run("purge", "--history", "--all", "--force")
            try cache.insert(4..<5)
            let after = try await next("us704")
            // A signal before the position was saved repeats a change, so the first transaction may be an earlier one.
            let skipped = /Transactions \d to 4 were purged before they were delivered; continuing after .* 4\./
            #expect(after.contains(skipped), "\(after)")
        }
    }

    @Test(
        "A new consumer starts with the next change, also in a cache that replaces another, which it says",
        arguments: [["--format", "ndjson"], ["--exec", "cat"], ["--exec-each", "echo $QUAKE_ID"]])
    func newCache(output: [String]) async throws {
        let directory = try ScratchDirectory.ofTest()
        try await withServer { server in
            let (cache, other) = (HistoryCache(directory), HistoryCache(directory, name: "other.db"))
            try cache.insert(0..<1)
            try other.insert(1..<2)
            let (ids, result) = try await runner(server, cache.path).whileRunning(
                ["watch", "--consumer", "new"] + output
            ) { process in
                var ids: [String] = []
                func read() async throws {
                    while let line = try await process.nextLine() {
                        guard let id = line.firstMatch(of: /us70\d/) else { continue }
                        return ids.append(String(id.output))
                    }
                }
                while try await !cache.run("consumers").output.contains("new") {}
                try cache.insert(2..<3)
                try await read()
                // The watch's refresh uses the cache while it requests feeds.
                while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                while try await cache.run("refresh", "/dev/null").exitStatus == 75 {}
                for suffix in ["", "-wal", "-shm"] { unlink(cache.path + suffix) }
                try FileManager.default.moveItem(atPath: other.path, toPath: cache.path)
                while try await !cache.run("consumers").output.contains("new") {}
                try cache.insert(3..<4)
                try await read()
                process.send(signal: SIGTERM)
                return ids
            }
            #expect(ids == ["us702", "us703"])
            #expect(result.ending == .exited(0))
            let words = "The cache was replaced; continuing from its current state."
            let told = result.errorOutput.split(separator: "\n").filter { $0.contains(words) }
            #expect(told.count == 1, "\(result.errorOutput)")
        }
    }

    @Test(
        "The first refresh of a new cache is no news",
        arguments: [["--format", "ndjson"], ["--exec-each", "echo $QUAKE_ID"]])
    func firstRefresh(output: [String]) async throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = HistoryCache(directory)
        // An empty cache, as during a first refresh that waits for a feed.
        try cache.edit { _ in }
        try await withServer { server in
            let lines = try await runner(server, cache.path).whileRunning(
                ["watch", "--interval", "1s", "--consumer", "new"] + output
            ) { process in
                while server.requests.count < 5 { try await Task.sleep(for: .milliseconds(5)) }
                try cache.insert(0..<1)
                while try await !cache.run("consumers").output.contains("new") {}
                try cache.insert(1..<2)
                let line = try await process.nextLine()
                process.send(signal: SIGTERM)
                return line
            }.0
            #expect(lines?.contains("us701") == true, "\(lines ?? "")")
        }
    }

    @Test("Without a consumer it goes on with what comes after a restore")
    func replacedWithoutConsumer() async throws {
        let directory = try ScratchDirectory.ofTest()
        try await withServer { server in
            let cache = HistoryCache(directory)
            try cache.insert(0..<1)
            try await cache.run("backup", directory.path("copy.db"))
            try cache.insert(1..<2)
            let arguments = ["watch", "--format", "ndjson", "--heartbeat", "1s"]
            let (_, result) = try await runner(server, cache.path).whileRunning(arguments) { process in
                // The first heartbeat comes once the run has read everything.
                #expect(try await process.nextLine()?.contains("heartbeat") == true)
                // The watch's refresh may be using the cache.
                while try await cache.run("restore", directory.path("copy.db")).exitStatus == 75 {}
                try cache.insert(2..<3)
                var line = try await process.nextLine()
                while line?.contains("heartbeat") == true { line = try await process.nextLine() }
                #expect(line?.contains("\"us702\"") == true, "\(line ?? "")")
                process.send(signal: SIGTERM)
            }
            #expect(result.errorOutput.contains("continuing after transaction"), "\(result.errorOutput)")
        }
    }

    /// A runner for a watch that prints its errors too, and whose command keeps running while `file` exists.
    private func hooked(
        _ cache: HistoryCache, _ file: String, _ base: String, by option: String = "--exec-each"
    ) -> (ProcessRunner, [String]) {
        var runner = cache.runner
        runner.environment.merge(["QUAKES_BASE_URL": base, "QUAKES_CONFIRM_WITH_SERVICE": "0"]) { $1 }
        let shell = ProcessRunner(path: "/bin/sh", environment: runner.environment)
        let hook = "echo ${QUAKE_CHANGE_ID:-2}; while test -e \(file); do sleep 0.01; done"
        return (
            shell,
            [
                "-c", "exec \"$@\" 2>&1", "sh", runner.executable, "watch", "--interval", "1s", "--consumer", "d",
                option, hook,
            ]
        )
    }

    @Test(
        "A full disk after a command does not end it: the command runs again, and what was wrong is said once",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"),
        .disabled(if: Sanitizer.isActive, "a limit on the size of files ends a sanitizer, too"))
    func fullDisk() async throws {
        let directory = try ScratchDirectory.ofTest()
        let (cache, file) = (HistoryCache(directory), directory.path("runs"))
        try cache.insert(0..<1)
        try await cache.run("changes", "--consumer", "d", "--ack", "now")
        try Data().write(to: URL(filePath: file))
        try cache.insert(1..<2)
        // No server responds there, so the watch cannot refresh and reports this.
        let (runner, arguments) = hooked(cache, file, "http://127.0.0.1:9")
        let (lines, result) = try await runner.whileRunning(arguments) { process in
            var lines: [String] = []
            func read(until isLast: (String) -> Bool) async throws {
                while let line = try await process.nextLine() {
                    lines.append(line)
                    if isLast(line) { return }
                }
            }
            func limit(_ size: String) async throws {
                _ = try await ProcessRunner(path: "/usr/bin/prlimit").run(
                    "--pid=\(process.processID)", "--fsize=\(size):")
            }
            try await read { $0 == "2" }
            try await limit("0")
            try FileManager.default.removeItem(atPath: file)
            try await read { $0.contains("could not be saved") }
            try await limit("unlimited")
            // This change spares the test waiting for the minute.
            try cache.insert(2..<3)
            try await read { $0.contains("can be written again") }
            return lines
        }
        #expect(lines.count { $0 == "2" } >= 2, "\(lines)")
        let told = lines.filter { $0.contains("could not be saved") }
        #expect(
            told.count == 1
                && told[0].hasSuffix(
                    "ran for us701, but the consumer's position could not be saved. The command may run again."),
            "\(told)")
        #expect(result.ending == .exited(0))
    }

    @Test(
        "Refreshes go on while a command runs, even if it does not read; a signal ends it, and the watch with 0",
        arguments: ["--exec-each", "--exec"])
    func refreshesDuringCommand(option: String) async throws {
        let directory = try ScratchDirectory.ofTest()
        let (cache, file) = (HistoryCache(directory), directory.path("runs"))
        try cache.insert(0..<1)
        try await cache.run("changes", "--consumer", "d", "--ack", "now")
        try Data().write(to: URL(filePath: file))
        // More than fits in a pipe.
        try cache.insert(1..<400)
        try await withServer { server in
            server.serveEverything(ServedAnswer(status: 500))
            let (runner, arguments) = hooked(cache, file, server.base, by: option)
            let result = try await runner.whileRunning(arguments) { process in
                while let line = try await process.nextLine(), line != "2" {}
                let count = server.requests.count
                while server.requests.count < count + 2 { try await Task.sleep(for: .milliseconds(5)) }
                process.send(signal: SIGTERM)
                _ = try await process.remainingLines()
            }.1
            #expect(result.ending == .exited(0))
        }
    }

    /// Runs `body` beside a watch of `cache` that writes to the file "out" and refreshes once.
    private func writing(
        _ cache: HistoryCache, to output: String, _ body: (RunningProcess, String) async throws -> Void
    ) async throws -> ProcessResult {
        let runner = cache.runner
        let shell = ProcessRunner(path: "/bin/sh", environment: runner.environment)
        let out = cache.directory.path("out")
        let arguments = [
            "-c", "exec \"$@\" 3>&1 \(output.replacing("OUT", with: out)) 2>&3", "sh", runner.executable, "watch",
            "--base-url", "http://127.0.0.1:9", "--interval", "1h", "--consumer", "d", "--format", "ndjson",
        ]
        return try await shell.whileRunning(arguments) { process in
            while try await !cache.run("consumers").output.contains("d") {}
            try await body(process, out)
        }.1
    }

    @Test(
        "A full disk under the output is said once, and loses and repeats nothing",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"),
        .disabled(if: Sanitizer.isActive, "a limit on the size of files ends a sanitizer, too"))
    func fullOutput() async throws {
        let cache = HistoryCache(try ScratchDirectory.ofTest())
        try cache.insert(0..<1)
        var lines: [String] = []
        let result = try await writing(cache, to: ">OUT") { process, out in
            func text() -> String { (try? String(contentsOfFile: out, encoding: .utf8)) ?? "" }
            func limit(_ size: String) async throws {
                _ = try await ProcessRunner(path: "/usr/bin/prlimit").run(
                    "--pid=\(process.processID)", "--fsize=\(size):")
            }
            // A record is truncated.
            try await limit("100")
            try cache.insert(1..<3)
            while let line = try await process.nextLine() {
                lines.append(line)
                if line.contains("Cannot write the output") { break }
            }
            try cache.insert(3..<4)
            try await limit("unlimited")
            while !text().contains("us703") { try await Task.sleep(for: .milliseconds(5)) }
            process.send(signal: SIGTERM)
            lines += try await process.remainingLines()
            let records = text().split(separator: "\n").map { Record(String($0)) }
            #expect(records.map { $0?.changeID } == [2, 3, 4, nil] && records.last??.kind == "end", "\(text())")
        }
        #expect(lines.count { $0.contains("Cannot write the output") } == 1, "\(lines)")
        #expect(lines.contains("quakes: The output can be written again."), "\(lines)")
        #expect(result.ending == .exited(0))
    }

    @Test("A closed output ends it with 0")
    func closedOutput() async throws {
        let cache = HistoryCache(try ScratchDirectory.ofTest())
        try cache.insert(0..<1)
        let result = try await writing(cache, to: ">&-") { process, _ in
            try cache.insert(1..<2)
            _ = try await process.remainingLines()
        }
        #expect(result.ending == .exited(0))
    }

    @Test("A pause or a lock that lasts is said once, and so is its end", arguments: ["pause", "lock"])
    func lasting(reason: String) async throws {
        let directory = try ScratchDirectory.ofTest()
        try await withServer { server in
            let cache = HistoryCache(directory)
            let (runner, now) = (runner(server, cache.path), Timestamp.now)
            let names = ["all_hour", "all_day", "all_week", "all_month"]
            try serve(2, from: server)
            func setPause(_ end: Timestamp?, lastSuccess: Duration) throws {
                let sources = try QuakeCache(path: cache.path).context().sources
                for name in names {
                    var record = FeedRecord(name: name)
                    (record.url, record.checked) = (server.url("/\(name).geojson"), now - lastSuccess)
                    record.pause = end.map { FeedRecord.Pause(end: $0, status: 503) }
                    try sources.save(record)
                }
            }
            try cache.insert(0..<1)
            let other = try SQLiteFile(path: cache.path, isReadOnly: false)
            func lock() throws { if reason == "lock" { try other.rows("BEGIN IMMEDIATE") } }
            func unlock() { _ = try? other.rows("ROLLBACK") }
            // Faults that end soon are not reported with -q.
            for (minutes, isSaid) in [(10, false), (61, true)] {
                try setPause(reason == "pause" ? now + .seconds(3600) : nil, lastSuccess: .seconds(minutes * 60))
                try lock()
                let result = try await runner.run("refresh", "-q", "all_hour")
                unlock()
                #expect(result.exitStatus == 75 && result.errorOutput.isEmpty != isSaid, "\(result.errorOutput)")
            }
            try lock()
            let shell = ProcessRunner(path: "/bin/sh", environment: runner.environment)
            let watch = ["-c", "exec \"$@\" 2>&1 >/dev/null", "sh", runner.executable, "watch", "--interval", "1s"]
            let lines = try await shell.whileRunning(watch) { process in
                var lines: [String] = []
                while let line = try await process.nextLine() {
                    lines.append(line)
                    if line.contains("read again") { break }
                    unlock()
                    try setPause(nil, lastSuccess: .seconds(7200))
                }
                return lines
            }.0
            #expect(
                lines.count == 2 && lines[0].contains(reason == "pause" ? "to wait" : "is locked"), "\(lines)")
        }
    }

    @Test("What ends it is said, whatever failed before")
    func ending() async throws {
        let cache = HistoryCache(try ScratchDirectory.ofTest())
        try cache.insert(0..<1)
        let watch = ["watch", "--interval", "1s", "--base-url", "http://127.0.0.1:9"]
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.runner.environment)
        let arguments = ["-c", "exec \"$@\" 2>&1", "sh", cache.runner.executable] + watch
        let (lines, result) = try await shell.whileRunning(arguments) { process in
            #expect(try await process.nextLine()?.contains("127.0.0.1") == true)
            try SQLiteFile(path: cache.path, isReadOnly: false).rows("PRAGMA user_version = 99")
            return try await process.remainingLines()
        }
        #expect(lines.count == 1 && lines[0].contains("newer version"), "\(lines)")
        #expect(result.ending == .exited(78))
    }

    @Test("A server elsewhere is not asked more than once a minute")
    func interval() async throws {
        let scratch = try ScratchDirectory.ofTest()
        let runner = ProcessRunner(environment: ["QUAKES_DB": scratch.path("quakes.db")])
        let result = try await runner.run("watch", "--interval", "30s")
        #expect(result.exitStatus == 64 && result.errorOutput.contains("--interval must be at least 1m"))
    }
}
