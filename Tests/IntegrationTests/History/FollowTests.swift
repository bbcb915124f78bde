import Foundation
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

/// `changes --follow`: what others commit appears within a second, once, and its place is kept.
struct FollowTests {
    private func follow(
        _ cache: HistoryCache, _ arguments: [String], until last: Int64, signal: Int32
    ) async throws -> (records: [Record], status: ProcessResult.Ending) {
        let (records, result) = try await cache.runner.whileRunning(["changes", "--follow"] + arguments) { process in
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

    @Test func twoReadersSeeEverythingOnce() async throws {
        try await withScratchDirectory { directory in
            let cache = HistoryCache(directory)
            try cache.insert(0..<3)
            let count = 15
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
                #expect(try await cache.records("--since-token", "--consumer", name).map(\.kind) == ["end"])
            }
        }
    }

    @Test func aPurgeUnderneathIsAResyncAndNotSilence() async throws {
        try await withScratchDirectory { directory in
            let cache = HistoryCache(directory)
            try cache.insert(0..<2)
            let (records, result) = try await cache.runner.whileRunning(["changes", "--follow", "--heartbeat", "1s"]) {
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
    }

    /// Two transactions and a purge of both that become visible at once: another file takes the cache's place, as a
    /// restored backup does.
    private static func purgeUnseen(_ cache: HistoryCache) throws {
        let next = try cache.copy(to: "next.db")
        try next.insert(2..<3)
        try next.insert(3..<4)
        let context = try QuakeCache(path: next.path).context()
        _ = try context.deleteHistory(through: context.head().number, force: true)
        try context.compact()
        guard rename(next.path, cache.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        for suffix in ["-wal", "-shm"] { unlink(next.path + suffix) }
    }

    @Test func aTimeoutEndsIt() async throws {
        try await withScratchDirectory { directory in
            let cache = HistoryCache(directory)
            try cache.insert(0..<2)
            let result = try await cache.run("changes", "--follow", "--timeout", "2s", "--heartbeat", "1s")
            let kinds = result.output.split(separator: "\n").compactMap { Record(String($0))?.kind }
            #expect(kinds.filter { $0 != "heartbeat" } == ["change", "change", "end"])
            #expect(kinds.contains("heartbeat"))
            #expect(result.exitStatus == 0)
        }
    }
}
