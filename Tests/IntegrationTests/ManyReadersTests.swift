import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

/// Readers who may read a cache but not write to it. `Scripts/many-readers` runs longer.
@Suite(
    "Concurrent readers of another user", .endsInTime, .scratch(on: .disk),
    .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "needs root, setpriv, and a build that all may read"))
struct ManyReadersTests {
    // Proves promise 7 of reliability.md.
    @Test("While the owner commits, each read by another user sees a single complete state")
    func wholeStates() async throws {
        let (cache, scratch) = try sharedCache()
        try await refresh(cache, to: 1)
        let progress = Progress()
        let writer = Task {
            defer { progress.finish() }
            while progress.state < Thoroughness.count(8, of: 40) {
                try await refresh(cache, to: progress.state + 1)
                progress.advance()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in 0..<8 {
                group.addTask { try await read(cache, as: reader, beside: progress) }
            }
            try await group.waitForAll()
        }
        try await writer.value
        // The last writer above may have closed during a read; this one closes alone, and so empties the log.
        try await refresh(cache, to: progress.state + 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
        #expect(files == ["quakes.db", "quakes.db-shm", "quakes.db-wal"])
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(file))
            #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 0, "\(file)")
            if file.hasSuffix("-wal") { #expect((attributes[.size] as? NSNumber)?.intValue == 0) }
        }
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    /// Reads until the writer has finished.
    private func read(_ cache: Cache, as reader: Int, beside progress: Progress) async throws {
        var newest = 0
        var rounds = 0
        while !progress.isFinished {
            rounds += 1
            newest = max(newest, progress.state)
            let readsChanges = (reader + rounds).isMultiple(of: 3)
            let call = readsChanges ? ["changes"] : ["list", "--fields", "felt"]
            let result = try await Unprivileged.run(cache.quakes, call + ["--format", "csv"])
            try #require(result.exitStatus == 0, "\(result.errorOutput)")
            let rows = result.output.split(separator: "\n").dropFirst()
            if readsChanges {
                let isWhole = rows.count.isMultiple(of: Self.quakes) && rows.count >= newest * Self.quakes
                try #require(isWhole, "\(rows.count) changes, after state \(newest)")
            } else {
                let states = Set(rows.compactMap { Int($0) })
                let isWhole = rows.count == Self.quakes && states.count == 1
                try #require(isWhole, "\(rows.count) quakes of the states \(states.sorted())")
                let state = states.first ?? 0
                try #require(state >= newest)
                newest = state
            }
        }
    }

    @Test("Another user can read commits that a killed owner left in the write-ahead log") func logAfterKill()
        async throws
    {
        let (cache, scratch) = try sharedCache()
        try await refresh(cache, to: 1)
        // The log is not emptied while a reader still reads the previous state.
        let reader = try SQLiteFile(path: cache.path)
        try reader.rows("BEGIN")
        try reader.rows("SELECT count(*) FROM quakes_v1")
        try await refresh(cache, to: 2)
        let crash = scratch.path("crash.db")
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: cache.path + suffix, toPath: crash + suffix)
        }
        let arguments = ["list", "--fields", "felt", "--format", "csv", "--limit", "1"]
        let result = try await Unprivileged.run(cache.quakes, arguments + ["--db", crash])
        #expect(result.output == "felt\n2\n", "\(result.errorOutput)")
    }

    private static let quakes = 60

    /// The writer's progress.
    private final class Progress: Sendable {
        private let now = Mutex((state: 1, isFinished: false))

        var state: Int { now.withLock { $0.state } }
        var isFinished: Bool { now.withLock { $0.isFinished } }

        func advance() { now.withLock { $0.state += 1 } }
        func finish() { now.withLock { $0.isFinished = true } }
    }

    /// Applies a feed in which every quake has `state` felt reports.
    private func refresh(_ cache: Cache, to state: Int) async throws {
        let generated = Timestamp.sample + .seconds(state)
        let features = (1...Self.quakes).map { number in
            var quake = Quake(sample: "uszz\(number)", time: .sample - .seconds(60 * number), updated: generated)
            quake.feltReports = state
            return FeedText.feature(quake)
        }
        let feed = FeedText.document("https://example.org/all_day.geojson", generated: generated, features: features)
        let result = try await cache.run("refresh", "-q", "-", input: feed)
        try #require(result.exitStatus == 0, "\(result.errorOutput)")
    }

    /// Returns root's cache, which everyone may read and which is still empty.
    private func sharedCache() throws -> (Cache, ScratchDirectory) {
        let (cache, scratch) = try Cache.andFolderOfTest()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
        try scratch.write(Data(), to: "quakes.db")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: cache.path)
        return (cache, scratch)
    }
}
