import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Another program can read a cache, but cannot change tables that have a history.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "needs the sqlite3 shell"), .scratch)
struct ForeignWriterTests {
    private func sqlite(_ cache: HistoryCache, _ sql: String) async throws -> ProcessResult {
        try await ProcessRunner(path: "/usr/bin/sqlite3").run(cache.path, sql)
    }

    @Test func aWriteThroughPlainSQLIsRefused() async throws {
        let columns = [
            "quakes": "mag", "aliases": "quake", "transactions": "time", "changes": "kind", "rows_before": "mag",
        ]
        let directory = try ScratchDirectory.ofTest()
        let cache = HistoryCache(directory)
        try cache.insert(0..<2)
        try cache.edit { writer in
            var quake = Quake.numbered(1)
            quake.magnitude = 5
            try writer.insert(quake)
        }
        let before = try await cache.run("list", "--format", "ndjson").output
        for (table, column) in columns {
            for statement in [
                "INSERT INTO \(table) SELECT * FROM \(table)",
                "INSERT OR REPLACE INTO \(table) SELECT * FROM \(table)",
                "UPDATE OR IGNORE \(table) SET \(column) = 1", "DELETE FROM \(table)",
            ] {
                let result = try await sqlite(cache, statement)
                #expect(result.exitStatus != 0, "\(statement)")
                let isExplained = result.errorOutput.contains(
                    "the \(table) of a quakes cache change only through quakes")
                #expect(isExplained, "\(statement): \(result.errorOutput)")
            }
        }
        #expect(try await cache.run("list", "--format", "ndjson").output == before)
        #expect(try await cache.records().map(\.kind) == ["change", "change", "change", "end"])
    }

    @Test func theViewsCanBeRead() async throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = HistoryCache(directory)
        try cache.insert(0..<2)
        #expect(
            try await sqlite(cache, "SELECT id, mag FROM quakes_v1 ORDER BY id").output == "us700|4.6\nus701|4.6\n")
        #expect(
            try await sqlite(cache, "SELECT op, reason, id, author FROM changes_v1 LIMIT 1").output
                == "insert|new|us700|test\n")
    }
}
