import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `quakes watch`: one command that fetches, waits and reports.
@Suite("watch", .endsInTime, .scratch) struct WatchTests {
    private let cache: Cache
    private let server: FeedServer

    init() throws { (cache, server) = (try .ofTest(), try .ofTest()) }

    /// Serves the day's second snapshot under the name of each feed that the schedule may choose.
    private func serveDay() throws {
        let text = String(decoding: try Fixture.data("feeds/all_day-2.geojson"), as: UTF8.self)
        for (name, period) in [
            ("all_hour", "Past Hour"), ("all_day", "Past Day"), ("all_week", "Past Week"), ("all_month", "Past Month"),
        ] {
            let feed = text.replacing("Past Day", with: period).replacing("all_day", with: name)
            server.serve(.document(feed), at: "/\(name).geojson")
        }
    }

    /// A runner whose feeds come from the server.
    private var runner: ProcessRunner {
        ProcessRunner(
            environment: ["QUAKES_DB": cache.path, "QUAKES_BASE_URL": server.base, "QUAKES_CONFIRM_WITH_SERVICE": "0"])
    }

    @Test("quakes watch prints only changes made after it started, and exits with 0 on SIGINT")
    func printsNewChanges() async throws {
        // Now only the day and the hour are due.
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        try serveDay()
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

    @Test(
        "On an empty cache, quakes watch does not print the quakes of the first refresh",
        arguments: [["--format", "ndjson"], ["--exec-each", "echo $QUAKE_ID"]])
    func firstRefreshIsNoChange(output: [String]) async throws {
        // An empty cache, as during a first refresh that waits for a feed.
        try cache.edit { _ in }
        let lines = try await runner.whileRunning(
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

    @Test(
        "quakes watch keeps refreshing while a command of --exec or --exec-each is still running",
        arguments: ["--exec-each", "--exec"])
    func refreshesDuringCommand(option: String) async throws {
        let file = cache.directory.path("runs")
        try cache.insert(0..<1)
        try await cache.run("changes", "--consumer", "d", "--ack", "now")
        try Data().write(to: URL(filePath: file))
        // More than fits in a pipe.
        try cache.insert(1..<400)
        server.serveEverything(ServedAnswer(status: 500))
        let hook = "echo ${QUAKE_CHANGE_ID:-2}; while test -e \(file); do sleep 0.01; done"
        let arguments = ["watch", "--interval", "1s", "--consumer", "d", option, hook]
        let result = try await runner.whileRunning(arguments) { process in
            while let line = try await process.nextLine(), line != "2" {}
            let count = server.requests.count
            while server.requests.count < count + 2 { try await Task.sleep(for: .milliseconds(5)) }
            process.send(signal: SIGTERM)
            _ = try await process.remainingLines()
        }.1
        #expect(result.ending == .exited(0))
    }

    /// Runs `body` beside a watch of the cache that writes to the file "out" and refreshes once.
    private func writing(
        to output: String, _ body: (RunningProcess, String) async throws -> Void
    ) async throws -> ProcessResult {
        let runner = cache.quakes
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
        "If quakes watch cannot write its output, it says so once and later writes each change once",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"),
        .disabled(if: Sanitizer.isActive, "a limit on the size of files ends a sanitizer, too"))
    func fullOutput() async throws {
        try cache.insert(0..<1)
        var lines: [String] = []
        let result = try await writing(to: ">OUT") { process, out in
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
        #expect(lines.contains("quakes: Writing the output works again."), "\(lines)")
        #expect(result.ending == .exited(0))
    }

    @Test("quakes watch exits with 0 if its standard output is closed") func closedOutput() async throws {
        try cache.insert(0..<1)
        let result = try await writing(to: ">&-") { process, _ in
            try cache.insert(1..<2)
            _ = try await process.remainingLines()
        }
        #expect(result.ending == .exited(0))
    }

    /// What keeps a watch from reading, and its words for it.
    enum Lasting: String, CaseIterable {
        case pause = "to wait"
        case lock = "is locked"
        case failure = "returned status 500"
    }

    @Test(
        "quakes watch reports failing, paused or locked-out refreshes once, and their recovery once",
        arguments: Lasting.allCases)
    func lastingProblem(reason: Lasting) async throws {
        let now = Timestamp.now
        let names = ["all_hour", "all_day", "all_week", "all_month"]
        try serveDay()
        if reason == .failure { server.serveEverything(ServedAnswer(status: 500)) }
        func setPause(_ end: Timestamp?, lastSuccess: Duration) throws {
            let sources = try QuakeContext(QuakeCache(path: cache.path)).sources
            for name in names {
                var record = FeedRecord(name: name)
                (record.url, record.checked) = (server.url("/\(name).geojson"), now - lastSuccess)
                record.pause = end.map { FeedRecord.Pause(end: $0, status: 503) }
                try sources.save(record)
            }
        }
        try cache.insert(0..<1)
        let other = try SQLiteFile(path: cache.path, isReadOnly: false)
        func lock() throws { if reason == .lock { try other.rows("BEGIN IMMEDIATE") } }
        func unlock() { _ = try? other.rows("ROLLBACK") }
        // Faults that end soon are not reported with -q.
        for (minutes, isSaid) in reason == .failure ? [] : [(10, false), (61, true)] {
            try setPause(reason == .pause ? now + .seconds(3600) : nil, lastSuccess: .seconds(minutes * 60))
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
                // The same failure, met again, is not said again.
                let count = server.requests.count
                while reason == .failure, server.requests.count < count + 2 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                server.serveEverything(nil)
                unlock()
                try setPause(nil, lastSuccess: .seconds(7200))
            }
            return lines
        }.0
        #expect(lines.count == 2 && lines[0].contains(reason.rawValue), "\(lines)")
    }

    @Test("If a newer quakes upgrades the cache, a running quakes watch says so and exits with 78") func finalError()
        async throws
    {
        try cache.insert(0..<1)
        let watch = ["watch", "--interval", "1s", "--base-url", "http://127.0.0.1:9"]
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let arguments = ["-c", "exec \"$@\" 2>&1", "sh", cache.quakes.executable] + watch
        let (lines, result) = try await shell.whileRunning(arguments) { process in
            #expect(try await process.nextLine()?.contains("127.0.0.1") == true)
            try SQLiteFile(path: cache.path, isReadOnly: false).rows("PRAGMA user_version = 99")
            return try await process.remainingLines()
        }
        #expect(lines.count == 1 && lines[0].contains("newer version"), "\(lines)")
        #expect(result.ending == .exited(78))
    }

    @Test("quakes watch rejects an --interval below one minute for a remote server") func minimumInterval() async throws
    {
        let runner = ProcessRunner(environment: ["QUAKES_DB": cache.path])
        let result = try await runner.run("watch", "--interval", "30s")
        #expect(result.exitStatus == 64 && result.errorOutput.contains("--interval must be at least 1m"))
        let elsewhere = try await self.runner.run("watch", "https://example.org/a.geojson", "--interval", "30s")
        #expect(elsewhere.exitStatus == 64 && elsewhere.errorOutput.contains("--interval must be at least 1m"))
    }

    @Test("quakes watch accepts an --interval of one second for a server on this machine") func localServer()
        async throws
    {
        try serveDay()
        let runner = ProcessRunner(environment: ["QUAKES_DB": cache.path, "QUAKES_CONFIRM_WITH_SERVICE": "0"])
        let arguments = ["watch", "\(server.base)/all_day.geojson", "--interval", "1s", "--format", "ndjson"]
        let (_, result) = try await runner.whileRunning(arguments) { process in
            while server.requests.count < 2, process.isAlive { try await Task.sleep(for: .milliseconds(5)) }
            process.send(signal: SIGINT)
        }
        #expect(result.ending == .exited(0), "\(result.errorOutput)")
        #expect(server.requests.count >= 2)
    }
}
