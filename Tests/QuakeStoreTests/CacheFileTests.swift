import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The files beside a cache, and what is detected there before SQLite opens them.
@Suite("Files of a cache", .scratch) struct CacheFileTests {
    @Test("After the last context closes, only quakes.db remains, even if that context only read")
    func oneFileAfterLastContext() throws {
        let scratch = try ScratchDirectory.ofTest()
        let cache = QuakeCache(path: scratch.path("quakes.db"))
        var reader: QuakeContext?
        do {
            let writer = try QuakeContext(cache, access: .creating)
            reader = try QuakeContext(cache, access: .reading)
            try writer.record(.sample())
        }
        #expect(try reader?.fetchCount() == 1)
        reader = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["quakes.db"])
        #expect(try QuakeContext(cache, access: .reading).fetchCount() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["quakes.db"])
    }

    @Test("A closing writer empties the write-ahead log even if a reader keeps the cache open") func writerEmptiesLog()
        throws
    {
        let (scratch, context) = try ScratchStore.ofTest()
        try context.record(.sample())
        let reader = try QuakeContext(scratch.store, access: .reading)
        do {
            let writer = try QuakeContext(scratch.store)
            for number in 0..<50 { try writer.record(.sample("us7000bb\(number)")) }
        }
        #expect(try logSize(of: scratch) == 0)
        #expect(try reader.fetchCount() == 51)
    }

    @Test("A context opened for reading cannot write to the cache") func readingContextCannotWrite() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try context.record(.sample())
        let reader = try QuakeContext(scratch.store, access: .reading)
        for statement in ["DELETE FROM quakes", "DELETE FROM feeds", "CREATE TABLE t (a)", "DROP VIEW quakes_v1"] {
            #expect(throws: StoreError.self) { try reader.session.connection.execute(statement) }
        }
        #expect(throws: StoreError.readOnly(path: scratch.path)) { try reader.record(.sample("us7000bb01")) }
        #expect(try reader.fetchCount() == 1)
    }

    // Proves promise 2 of reliability.md.
    @Test("A write-ahead log left by a crash is applied when the cache is next opened") func logAfterCrash() throws {
        try withCrash { scratch, crash in
            try crash.restore(to: scratch.path)
            #expect(try QuakeContext(scratch.store, access: .reading).fetchCount() == 3)
        }
    }

    @Test("A backup copied over a crashed cache opens if it contains the changes of the leftover log")
    func logAppliedToBackup()
        throws
    {
        try withCrash { scratch, crash in
            // The state that a backup through SQLite has at this moment, with the log moved into the file.
            try crash.restore(to: scratch.path)
            _ = try QuakeContext(scratch.store).fetchCount()
            let whole = try Data(contentsOf: URL(filePath: scratch.path))
            try crash.restore(to: scratch.path)
            try whole.write(to: URL(filePath: scratch.path))
            #expect(try QuakeContext(scratch.store, access: .reading).fetchCount() == 3)
        }
    }

    @Test(
        "If a cache file was replaced but its log was not, opening fails and changes neither file",
        arguments: [false, true])
    func foreignLog(isNewer: Bool) throws {
        try withCrash { scratch, crash in
            var replacement = crash.earlier
            if isNewer {
                try crash.restore(to: scratch.path)
                for number in 0..<3 { try QuakeContext(scratch.store).record(.sample("us7000ff\(number)")) }
                replacement = try Data(contentsOf: URL(filePath: scratch.path))
            }
            try crash.restore(to: scratch.path)
            try replacement.write(to: URL(filePath: scratch.path))
            for access in [StoreConfiguration.Access.reading, .writing, .creating] {
                #expect(throws: StoreError.foreignLog(path: scratch.path)) {
                    try QuakeContext(scratch.store, access: access)
                }
            }
            #expect(try Data(contentsOf: URL(filePath: scratch.path)) == replacement)
            #expect(try Data(contentsOf: URL(filePath: scratch.path + "-wal")) == crash.log)
            // As the message advises.
            for suffix in ["-wal", "-shm"] { unlink(scratch.path + suffix) }
            #expect(try QuakeContext(scratch.store).fetchCount() == (isNewer ? 6 : 1))
        }
    }

    // Proves promise 2 of reliability.md.
    @Test("A cache opens even if a power cut truncated its write-ahead log") func tornLog() throws {
        try withCrash { scratch, crash in
            for length in stride(from: 0, through: crash.log.count, by: 777) {
                try crash.restore(to: scratch.path)
                try Data(crash.log.prefix(length)).write(to: URL(filePath: scratch.path + "-wal"))
                #expect(try (2...3).contains(QuakeContext(scratch.store, access: .reading).fetchCount()))
            }
        }
    }

    // Proves promise 2 of reliability.md.
    @Test("A cache opens even if its log lost a page of the last transaction in a power cut")
    func logWithLostPage() throws {
        let (file, log) = try ScratchStore.with { scratch, context in
            // With two connections, the second increments the change counter once more.
            try context.record(.sample("us7000cc01"))
            let second = try QuakeContext(scratch.store)
            try second.record(.sample("us7000cc02"))
            return try withExtendedLifetime(second) {
                (
                    try Data(contentsOf: URL(filePath: scratch.path)),
                    try Data(contentsOf: URL(filePath: scratch.path + "-wal"))
                )
            }
        }
        // A frame is a header of 24 bytes, which begins with the page number, and a page of 4096.
        let frames = Array(stride(from: 32, to: log.count, by: 24 + 4096))
        let last = try #require(frames.last { log[$0..<$0 + 4].elementsEqual([0, 0, 0, 1]) })
        var torn = log
        torn.replaceSubrange(last + 24..<last + 24 + 4096, with: Data(count: 4096))
        try ScratchStore.withoutCache { scratch in
            try Crash(earlier: file, file: file, log: torn).restore(to: scratch.path)
            #expect(try QuakeContext(scratch.store, access: .reading).fetchCount() == 1)
        }
    }

    @Test("Another program's database is rejected without changing the database or its log") func logOfOtherProgram()
        throws
    {
        let scratch = try ScratchDirectory.ofTest()
        let path = scratch.path("other.db")
        let other = try SQLiteFile(path: scratch.write(Data(), to: "other.db"), isReadOnly: false)
        for statement in ["PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"] {
            try other.rows(statement)
        }
        // As a crash leaves it: no process has it open.
        let (file, log) = (
            try Data(contentsOf: URL(filePath: path)), try Data(contentsOf: URL(filePath: path + "-wal"))
        )
        let crashed = scratch.path("crashed.db")
        try scratch.write(file, to: "crashed.db")
        try scratch.write(log, to: "crashed.db-wal")
        for access in [StoreConfiguration.Access.reading, .writing, .creating] {
            #expect(throws: StoreError.notACache(path: crashed)) {
                try QuakeContext(QuakeCache(path: crashed), access: access)
            }
        }
        #expect(try Data(contentsOf: URL(filePath: crashed)) == file)
        #expect(try Data(contentsOf: URL(filePath: crashed + "-wal")) == log)
    }

    // Proves promise 1 of reliability.md.
    @Test("After a kill during the creation of a cache, the cache can be created again") func killedCreation() throws {
        let scratch = try ScratchDirectory.ofTest()
        let path = scratch.path("quakes.db")
        let creator = try SQLiteFile(path: scratch.write(Data(), to: "creator.db"), isReadOnly: false)
        // A transaction larger than SQLite's memory: part of it is in the file, and the journal can roll it back.
        for statement in [
            "PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "CREATE TABLE t (a)",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                + "INSERT INTO t SELECT randomblob(500) FROM n",
        ] { try creator.rows(statement) }
        try FileManager.default.copyItem(atPath: scratch.path("creator.db"), toPath: path)
        try FileManager.default.copyItem(atPath: scratch.path("creator.db-journal"), toPath: path + "-journal")
        let cache = QuakeCache(path: path)
        #expect(throws: StoreError.noCache(path: path)) { try QuakeContext(cache, access: .reading) }
        #expect(try QuakeContext(cache, access: .creating).fetchCount() == 0)
    }

    @Test("A named pipe at the cache's path is rejected without waiting for a writer") func pipe() throws {
        let scratch = try ScratchDirectory.ofTest()
        let path = scratch.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: StoreError.cannotOpen(path: path, reason: "it is not a regular file")) {
            try QuakeContext(QuakeCache(path: path), access: .reading)
        }
    }

    private func logSize(of scratch: ScratchStore) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")
        return (attributes[.size] as? NSNumber)?.intValue
    }
}

/// The files that a crash leaves: a cache of two quakes, and a log with a third.
private struct Crash {
    /// The cache with only one quake.
    let earlier: Data
    let file: Data
    let log: Data

    func restore(to path: String) throws {
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try file.write(to: URL(filePath: path))
        try log.write(to: URL(filePath: path + "-wal"))
    }
}

private func withCrash(_ body: (ScratchStore, Crash) throws -> Void) throws {
    let (earlier, file, log) = try ScratchStore.with { scratch, _ in
        try QuakeContext(scratch.store).record(.sample("us7000cc01"))
        _ = try QuakeContext(scratch.store)
        // Every context but the first has closed and emptied the log.
        let earlier = try Data(contentsOf: URL(filePath: scratch.path))
        try QuakeContext(scratch.store).record(.sample("us7000cc02"))
        let file = try Data(contentsOf: URL(filePath: scratch.path))
        let last = try QuakeContext(scratch.store)
        try last.record(.sample("us7000cc03"))
        return (earlier, file, try Data(contentsOf: URL(filePath: scratch.path + "-wal")))
    }
    try ScratchStore.withoutCache { try body($0, Crash(earlier: earlier, file: file, log: log)) }
}
