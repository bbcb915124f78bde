import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Whichever write fails, the cache holds the state before or after, and reports which.
///
/// fsync is not among the calls that can be replaced: `PowerCutTests` covers power cuts.
// Proves promise 1 of reliability.md.
@Suite("Failing writes to the disk", .serialized, .computing, .scratch) struct FullDiskTests {
    struct Disk: Sendable, CustomTestStringConvertible {
        var code: Int32
        var isLasting: Bool
        var testDescription: String { "\(String(cString: strerror(code)))\(isLasting ? ", lasting" : ", once")" }
    }

    static let disks = [
        Disk(code: ENOSPC, isLasting: false), Disk(code: ENOSPC, isLasting: true), Disk(code: EIO, isLasting: false),
        Disk(code: EIO, isLasting: true),
    ]

    @Test("A large transaction is saved completely or not at all, whichever disk write fails", arguments: disks)
    func refresh(disk: Disk) throws {
        try failEveryWrite(disk) { context in
            try context.write { writer in
                for index in 0..<60 { try writer.insert(Quake(sample: "new\(index)"), reason: .new) }
                if let first = try context.quake(key: 1) {
                    var renamed = first.quake
                    renamed.code += "x"
                    try writer.update(first, to: renamed, reason: .renamed)
                }
                if let second = try context.quake(key: 2) { try writer.delete(second, reason: .retracted) }
            }
        }
    }

    @Test("A purge of history is saved completely or not at all, whichever disk write fails", arguments: disks)
    func purgeOfHistory(disk: Disk) throws {
        try failEveryWrite(disk) { _ = try $0.history.trim(through: 2) }
    }

    @Test("A consumer's position is saved completely or not at all, whichever disk write fails", arguments: disks)
    func consumer(disk: Disk) throws {
        try failEveryWrite(disk) { try $0.history.acknowledge(try $0.history.currentToken(), for: "alarm") }
    }

    @Test("A purge of quakes is saved completely or not at all, whichever disk write fails", arguments: disks)
    func purge(disk: Disk) throws {
        try failEveryWrite(disk) { try $0.maintenance.purge(QuakeFilter()) }
    }

    @Test("An undo is saved completely or not at all, whichever disk write fails", arguments: disks)
    func undo(disk: Disk) throws {
        try failEveryWrite(disk, after: { try $0.maintenance.purge(QuakeFilter()) }) {
            try $0.undo(transaction: 4)
        }
    }

    // Proves promise 12 of reliability.md.
    @Test("A backup is complete or absent, whichever disk write fails", arguments: disks)
    func backup(disk: Disk) throws {
        try forEveryWrite(disk) { store in
            return { try QuakeContext(store, access: .reading).maintenance.backup(to: store.path + ".copy") }
        } check: { store, before, failure in
            #expect(try CacheState(store) == before)
            let copy = QuakeCache(path: store.path + ".copy")
            #expect(!FileManager.default.fileExists(atPath: copy.path + ".partial"))
            guard failure == nil else {
                #expect(!FileManager.default.fileExists(atPath: copy.path))
                return false
            }
            return try CacheState(copy) == before
        }
    }

    // Proves promise 13 of reliability.md.
    @Test("A restore replaces the cache completely or not at all, whichever disk write fails", arguments: disks)
    func restore(disk: Disk) throws {
        let directory = try ScratchDirectory.ofTest()
        let (backup, compared) = (directory.path("backup.db"), directory.path("compared.db"))
        // The template has one more transaction.
        let older = { (context: QuakeContext) in
            try context.maintenance.backup(to: backup)
            // A backup opened for writing has a log, and reading it would take other writes.
            try FileManager.default.copyItem(atPath: backup, toPath: compared)
            try context.write { try $0.insert(Quake(sample: "us9"), reason: .new) }
        }
        try forEveryWrite(disk, after: { _ = try older($0) }) { store in
            return { try store.restore(from: backup) }
        } check: { store, before, failure in
            let after = try CacheState(store)
            if failure != nil {
                #expect(after == before)
                for suffix in [".before-restore", ".restoring"] {
                    #expect(!FileManager.default.fileExists(atPath: store.path + suffix))
                }
            }
            return try after == CacheState(QuakeCache(path: compared))
        }
    }

    // Proves promise 13 of reliability.md.
    @Test("If no cache exists, a restore leaves a complete cache or none, whichever write fails", arguments: disks)
    func restoreWithoutCache(disk: Disk) throws {
        let directory = try ScratchDirectory.ofTest()
        let backup = directory.path("backup.db")
        try forEveryWrite(disk, after: { _ = try $0.maintenance.backup(to: backup) }) { store in
            try FileManager.default.removeItem(atPath: store.path)
            return { try store.restore(from: backup) }
        } check: { store, before, failure in
            guard failure == nil else {
                #expect(!FileManager.default.fileExists(atPath: store.path))
                return false
            }
            return try CacheState(store) == before
        }
    }

    /// Makes the first write of `work` fail, then the second, and so on until none is left: every one under `make
    /// test-long`, a few by default.
    private func failEveryWrite(
        _ disk: Disk, after preparation: (QuakeContext) throws -> Void = { _ in },
        _ work: @escaping (QuakeContext) throws -> Void
    ) throws {
        try forEveryWrite(disk, after: preparation) { store in
            return { try work(try QuakeContext(store)) }
        } check: { store, before, failure in
            if failure != nil { #expect(try CacheState(store) == before) }
            return try CacheState(store) != before
        }
    }

    /// Runs `work` on a copy of a cache with its first write failing, then the second, and so on until none is left.
    ///
    /// `check` receives the cache, its previous state, and the error. It returns whether the work is done, as it must
    /// be unless there was an error, and after a second attempt.
    private func forEveryWrite(
        _ disk: Disk, after preparation: (QuakeContext) throws -> Void = { _ in },
        _ work: (QuakeCache) throws -> () throws -> Void,
        check: (QuakeCache, CacheState, (any Error)?) throws -> Bool
    ) throws {
        try withScratchDirectory { directory in
            let template = QuakeCache(path: directory.path("template.db"))
            let context = try QuakeContext(template, access: .creating)
            for index in 0..<3 { try context.write { try $0.insert(Quake(sample: "us\(index)"), reason: .new) } }
            try preparation(context)
            try context.maintenance.compact()
            let before = try CacheState(template)
            func copy(_ name: String) throws -> QuakeCache {
                let store = QuakeCache(path: directory.path(name))
                try FileManager.default.copyItem(atPath: template.path, toPath: store.path)
                return store
            }
            let undisturbed = try work(copy("undisturbed.db"))
            let writes = try FailingWrites.count(undisturbed)
            #expect(writes > 1)
            // With one more than the number of writes, none fails.
            for count in Thoroughness.sample(4, of: Array(1...writes + 1)) {
                let store = try copy("\(count).db")
                let work = try work(store)
                var failure: (any Error)?
                let failures = FailingWrites.during(write: count, code: disk.code, isLasting: disk.isLasting) {
                    do { try work() } catch { failure = error }
                }
                let isDone = try check(store, before, failure)
                if FileManager.default.fileExists(atPath: store.path) {
                    #expect(try integrity(store) == "ok", "write \(count)")
                }
                if failure == nil {
                    #expect(isDone, "write \(count)")
                } else {
                    #expect(failure is StoreError, "write \(count)")
                    try work()
                    #expect(try check(store, before, nil), "write \(count)")
                }
                #expect((failures > 0) == (count <= writes), "write \(count) of \(writes)")
            }
        }
    }

    private func integrity(_ store: QuakeCache) throws -> String? {
        try SQLiteFile(path: store.path, isReadOnly: false).rows("PRAGMA integrity_check").first?["integrity_check"]?
            .text
    }
}

/// Everything that a reader can see in a cache.
private struct CacheState: Equatable {
    var quakes: [StoredQuake]
    var events: [HistoryEvent]
    var consumers: [String]
    var floor: TransactionNumber

    init(_ store: QuakeCache) throws {
        let context = try QuakeContext(store)
        quakes = try context.fetch()
        var events: [HistoryEvent] = []
        try context.history.fetch { events.append($0) }
        self.events = events
        consumers = try context.history.consumers().map { "\($0.name) \($0.tokenText) \($0.lastRead)" }
        floor = try context.history.floor().number
    }
}
