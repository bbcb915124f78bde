import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// A consumer and a token file are read by one process at a time.
@Suite("Two runs of one consumer", .endsInTime, .scratch) struct ReaderLockCommandTests {
    private let cache: Cache

    init() throws {
        cache = try .ofTest()
        try cache.insert(0..<2)
    }

    /// A way to save the position, as options.
    enum Reader: String, CaseIterable, Sendable {
        case consumer, tokenFile

        func options(in cache: Cache) -> [String] {
            self == .consumer ? ["--consumer", "my alarm"] : ["--token-file", cache.directory.path("token")]
        }

        func words(in cache: Cache) -> String {
            self == .consumer ? "The consumer \"my alarm\"" : "The token file \(cache.directory.path("token"))"
        }

        func lockFile(in cache: Cache) throws -> String {
            let names = try FileManager.default.contentsOfDirectory(atPath: cache.directory.url.path)
            return cache.directory.path(try #require(names.first { $0.contains(".reader-lock") }))
        }
    }

    /// Runs `body` while a process reads, whose command runs until `body` ends.
    private func whileReading(
        _ reader: Reader, _ body: (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        let file = cache.directory.path("running")
        try Data().write(to: URL(filePath: file))
        let script = "echo started; while test -e '\(file)'; do sleep 0.01; done"
        return try await cache.quakes.whileRunning(["changes"] + reader.options(in: cache) + ["--exec", script]) {
            process in
            #expect(try await process.nextLine() == "started")
            defer { try? FileManager.default.removeItem(atPath: file) }
            try await body(process)
            try? FileManager.default.removeItem(atPath: file)
            _ = try await process.remainingLines()
        }.1
    }

    // Proves promise 4 of reliability.md.
    @Test(
        "A second quakes changes for the same consumer exits with 75 and names the first process",
        arguments: Reader.allCases)
    func secondRunExits(reader: Reader) async throws {
        let options = reader.options(in: cache)
        let start = reader == .consumer ? options : ["--since-token"] + options
        let result = try await whileReading(reader) { process in
            let words =
                "quakes: \(reader.words(in: cache)) is already in use by quakes (\(process.processID)). "
                + "Try again when that process has ended.\n"
            for moving in [
                [], ["--format", "ndjson"], ["--exec", "cat"], ["--exec-each", "true"], ["--ack", "now"],
            ] {
                let result = try await cache.quakes.run(["changes"] + options + moving)
                #expect(result.exitStatus == 75 && result.output.isEmpty, "\(moving)")
                #expect(result.errorOutput == words, "\(moving)")
            }
            if reader == .consumer {
                let forgetting = try await cache.quakes.run(["consumers", "--forget", options[1]])
                #expect(forgetting.exitStatus == 75 && forgetting.errorOutput == words)
            }
            let timeout = try await cache.quakes.run(["changes", "--follow", "--timeout", "1s"] + options)
            #expect(timeout.exitStatus == 75 && timeout.errorOutput.hasSuffix(words), "\(timeout.errorOutput)")
            for still in [["--no-ack"], ["--count"], ["--no-ack", "--exec", "cat"]] {
                #expect(try await cache.quakes.run(["changes"] + start + still).exitStatus == 0, "\(still)")
            }
            let other = reader == .consumer ? "a" : cache.directory.path("other")
            #expect(try await cache.quakes.run(["changes", options[0], other]).exitStatus == 0)
        }
        #expect(result.exitStatus == 0)
        #expect(try await cache.quakes.run(["changes"] + options).output.contains("0 changes"))
    }

    @Test(
        "A second quakes changes -q for one consumer is silent until the first has run for an hour",
        arguments: Reader.allCases)
    func quietSecondRun(reader: Reader) async throws {
        _ = try await whileReading(reader) { _ in
            let call = ["changes", "-q"] + reader.options(in: cache)
            #expect(try await cache.quakes.run(call).errorOutput.isEmpty)
            let lock = try reader.lockFile(in: cache)
            let past = timespec(tv_sec: time(nil) - 3601, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, lock, [past, past], 0) == 0)
            #expect(try await cache.quakes.run(call).errorOutput.contains("is already in use by quakes ("))
        }
    }

    @Test(
        "An --exec command that outlives its killed quakes process does not block the next run",
        arguments: Reader.allCases)
    func commandLeftBehind(reader: Reader) async throws {
        let result = try await whileReading(reader) { process in
            process.send(signal: SIGKILL)
            while process.isAlive { try await Task.sleep(for: .milliseconds(5)) }
            let next = try await cache.quakes.run(["changes"] + reader.options(in: cache))
            #expect(next.exitStatus == 0 && next.output.contains("2 changes"))
        }
        #expect(result.ending == .signaled(SIGKILL))
    }

    // Proves promise 4 of reliability.md.
    @Test(
        "quakes watch and changes --follow wait until another run for the same consumer ends",
        arguments: [["watch"], ["watch", "--exec-each", "echo $QUAKE_ID"], ["changes", "--follow"]])
    func waitingRuns(command: [String]) async throws {
        let call = command + ["-q", "--consumer", "my alarm"]
        let first = try await whileReading(.consumer) { _ in
            // A watch does not fetch: the server's port is closed.
            _ = try await cache.quakes.whileRunning(call) { process in
                let lock = try Reader.consumer.lockFile(in: cache)
                for _ in 0..<20 {
                    #expect(access(lock, F_OK) == 0 && process.isAlive)
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }
        #expect(first.exitStatus == 0)
        let file = cache.directory.path("running")
        try Data().write(to: URL(filePath: file))
        let script = "echo started; while test -e '\(file)'; do sleep 0.01; done"
        try cache.insert(2..<3)
        let holding = ["changes", "--consumer", "my alarm", "--exec", script]
        let (result, _) = try await cache.quakes.whileRunning(holding) { holder in
            #expect(try await holder.nextLine() == "started")
            let (line, result) = try await cache.quakes.whileRunning(call) { process in
                // The time in which even a busy machine starts the second.
                try await Task.sleep(for: .seconds(3))
                try cache.insert(3..<4)
                try FileManager.default.removeItem(atPath: file)
                return try await process.nextLine()
            }
            #expect(line?.contains("us703") == true, "\(line ?? "") \(result.errorOutput)")
            let lines = result.errorOutput.split(separator: "\n").filter { $0.contains("already in use") }
            #expect(lines.count == 1 && lines[0].contains("by quakes (\(holder.processID))"), "\(result.errorOutput)")
            return result
        }
        #expect(result.exitStatus == 0 && result.errorOutput.contains("The other process has ended; reading now."))
    }

    @Test("A consumer's lock file has the cache's file mode and is removed when quakes changes ends")
    func lockFile() async throws {
        #expect(chmod(cache.path, 0o640) == 0)
        var path = ""
        _ = try await whileReading(.consumer) { _ in
            path = try Reader.consumer.lockFile(in: cache)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
            #expect(try await cache.run("map", "--output", path, "--format", "svg").exitStatus == 64)
        }
        #expect(access(path, F_OK) != 0)
        #expect(mkfifo(path, 0o600) == 0)
        let result = try await cache.run("changes", "--consumer", "my alarm")
        #expect(result.exitStatus == 74)
        #expect(result.errorOutput.contains("Cannot open \(path): it is not a regular file."), "\(result.errorOutput)")
    }
}
