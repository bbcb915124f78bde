import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// How `quakes changes` reports each kind of token, and its exit status.
@Suite(.scratch)
struct TokenStatusTests {
    /// Returns the first record, and the exit statuses with and without a resync.
    private func answer(_ cache: HistoryCache, _ token: String) async throws -> (Record?, resync: Int32?, fail: Int32?)
    {
        let resync = try await cache.run("changes", "--format", "ndjson", "--since-token", token)
        let fail = try await cache.run("changes", "--since-token", token, "--on-expired", "fail")
        #expect(fail.output.isEmpty || fail.exitStatus == 0)
        return (
            resync.output.split(separator: "\n").first.flatMap { Record(String($0)) }, resync.exitStatus,
            fail.exitStatus
        )
    }

    @Test func eachFaultHasItsRecordAndItsStatus() async throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = HistoryCache(directory)
        var tokens: [String] = []
        for index in 0..<4 {
            try cache.insert(index..<index + 1)
            tokens.append(try await cache.token())
        }
        let older = try cache.copy(to: "older.db")
        try cache.insert(4..<6)
        let head = try await cache.token()
        #expect(try await cache.run("purge", "--history", "--before-token", tokens[1]).exitStatus == 0)

        var (record, resync, fail) = try await answer(cache, tokens[1])
        #expect(record?.kind == "change" && resync == 0 && fail == 0, "the floor is good")
        (record, resync, fail) = try await answer(cache, tokens[0])
        #expect(record?.kind == "drop-everything" && record?.reason == "expired" && resync == 0 && fail == 3)
        (record, resync, fail) = try await answer(older, head)
        #expect(record?.reason == "future" && resync == 0 && fail == 3)
        try older.insert(10..<12)
        (record, resync, fail) = try await answer(older, head)
        #expect(record?.reason == "forked" && resync == 0 && fail == 3)
        let other = HistoryCache(directory, name: "other.db")
        try other.insert(0..<1)
        (record, resync, fail) = try await answer(other, head)
        #expect(record?.reason == "foreign" && resync == 0 && fail == 3)
        (record, resync, fail) = try await answer(cache, "q1.rubbish")
        #expect(record == nil && resync == 64 && fail == 64)

        #expect(try await cache.run("purge", "--history", "--all").exitStatus == 0)
        (record, resync, fail) = try await answer(cache, head)
        #expect(record?.kind == "end" && record?.count == 0 && record?.token == head && resync == 0 && fail == 0)
        #expect(try await cache.records().map(\.token) == [head])
    }
}
