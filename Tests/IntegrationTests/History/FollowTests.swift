import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `changes --follow` reports each commit by others within a second, once, and saves its position.
@Suite("Following changes", .scratch) struct FollowTests {
    private func follow(
        _ cache: Cache, _ arguments: [String], until last: Int64, signal: Int32
    ) async throws -> (records: [Record], status: ProcessResult.Ending) {
        let (records, result) = try await cache.quakes.whileRunning(["changes", "--follow"] + arguments) { process in
            var records: [Record] = []
            while let line = try await process.nextLine() {
                guard let record = Record(line) else { continue }
                records.append(record)
                if record.changeID == last { process.send(signal: signal) }
            }
            return records
        }
        return (records, result.ending)
    }

    @Test("Two runs of quakes changes --follow with different consumers each print every change once")
    func twoConsumersSeeEverythingOnce() async throws {
        let cache = try Cache.ofTest()
        try cache.insert(0..<3)
        let count = 5
        async let first = follow(
            cache, ["--since-token", "--consumer", "one"], until: 3 + 2 * Int64(count), signal: SIGTERM)
        async let second = follow(
            cache, ["--since-token", "--consumer", "two"], until: 3 + 2 * Int64(count), signal: SIGINT)
        for index in 0..<count {
            try await Task.sleep(for: .milliseconds(200))
            try cache.insert(3 + index * 2..<5 + index * 2)
        }
        for reader in [try await first, try await second] {
            #expect(reader.records.compactMap(\.changeID) == Array(1...3 + 2 * Int64(count)))
            #expect(reader.records.last?.kind == "end")
            #expect(reader.records.last?.more == false)
            #expect(reader.status == .exited(0))
        }
        for name in ["one", "two"] {
            #expect(try await cache.changes("--since-token", "--consumer", name).map(\.kind) == ["end"])
        }
    }

    @Test("If unread history is purged, quakes changes --follow prints all cached quakes again")
    func purgeDuringFollow()
        async throws
    {
        let cache = try Cache.ofTest()
        try cache.insert(0..<2)
        let (records, result) = try await cache.quakes.whileRunning(["changes", "--follow", "--heartbeat", "1s"]) {
            process in
            var records: [Record] = []
            while let line = try await process.nextLine() {
                guard let record = Record(line) else { continue }
                records.append(record)
                if record.changeID == 2 {
                    try Self.purgeUnseen(cache)
                }
                if record.kind == "heartbeat", records.contains(where: { $0.kind == "drop-everything" }) {
                    process.send(signal: SIGTERM)
                }
            }
            return records
        }
        #expect(result.ending == .exited(0))
        let drop = try #require(records.firstIndex { $0.kind == "drop-everything" })
        #expect(records[drop].reason == "expired")
        #expect(records[(drop + 1)...].prefix(4).map(\.resync) == [true, true, true, true])
        #expect(records[drop + 5].kind == "heartbeat" && records[drop + 5].token != nil)
        #expect(records.last?.kind == "end")
    }

    /// Makes two transactions and their purge visible at once, by replacing the cache with another file, as restoring a
    /// backup does.
    private static func purgeUnseen(_ cache: Cache) throws {
        let next = try cache.copy(to: "next.db")
        try next.insert(2..<3)
        try next.insert(3..<4)
        let context = try QuakeContext(QuakeCache(path: next.path))
        _ = try context.history.trim(through: context.history.currentToken().number, force: true)
        try context.maintenance.compact()
        guard rename(next.path, cache.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        for suffix in ["-wal", "-shm"] { unlink(next.path + suffix) }
    }

    @Test(
        "quakes changes --follow ends on SIGTERM or --timeout even if its output is not read",
        arguments: [SIGTERM, SIGINT, nil])
    func stoppedReaderBlocksNobody(signal: Int32?) async throws {
        let cache = try Cache.ofTest()
        for index in 0..<20 { try cache.insert(index..<index + 1) }
        let runner = cache.quakes
        let arguments = ["changes", "--follow", "--since-token"] + (signal == nil ? ["--timeout", "2s"] : [])
        let (read, status) = try await onOwnThread {
            try StoppedReader.run(runner, arguments, lines: 5, signal: signal)
        }
        #expect(read.compactMap { Record($0)?.changeID } == [1, 2, 3, 4, 5])
        #expect(status == 0)
        // The token is that of the last transaction the reader consumed.
        #expect(try await cache.changes("--since-token").first?.changeID == 6)
    }
}

/// A reader that reads a few lines from the pipe and then stops.
private enum StoppedReader {
    /// Runs the program until it has filled the pipe with more than 15 records beyond `lines`, then sends `signal` or,
    /// without a signal, waits for the end.
    static func run(
        _ runner: ProcessRunner, _ arguments: [String], lines count: Int, signal: Int32?
    ) throws -> (lines: [String], status: Int32?) {
        let process = Process()
        process.executableURL = URL(filePath: runner.executable)
        process.arguments = arguments
        process.environment = runner.environment.compactMapValues { $0 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var lines: [String] = []
        while lines.count < count, let line = nextLine(descriptor) { lines.append(line) }
        // Each record has more than 700 bytes.
        _ = wait { unread(descriptor) > 15 * 700 }
        if let signal { kill(process.processIdentifier, signal) }
        guard wait({ !process.isRunning }) else {
            kill(process.processIdentifier, SIGKILL)
            return (lines, nil)
        }
        return (lines, process.terminationStatus)
    }

    /// Checks every 10 ms, for up to 20 s, whether `condition` holds.
    private static func wait(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2_000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }

    /// Reads byte by byte, so that nothing beyond the line is consumed.
    private static func nextLine(_ descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private static func unread(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}
