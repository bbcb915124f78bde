import Foundation
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

/// Whatever write fails, the cache holds the state before or the state after, and says which.
///
/// fsync is not among the calls that can be replaced: a power cut is not tested here.
@Suite(.serialized, .computing) struct FullDiskTests {
    struct Disk: Sendable, CustomTestStringConvertible {
        var code: Int32
        var isLasting: Bool
        var testDescription: String { "\(String(cString: strerror(code)))\(isLasting ? ", lasting" : ", once")" }
    }

    static let disks = [
        Disk(code: ENOSPC, isLasting: false), Disk(code: ENOSPC, isLasting: true), Disk(code: EIO, isLasting: false),
        Disk(code: EIO, isLasting: true),
    ]

    @Test(arguments: disks) func aRefreshThatMeetsIt(disk: Disk) throws {
        try failEveryWrite(disk) { context in
            try context.write { writer in
                for index in 0..<60 { try writer.insert(Quake(sample: "new\(index)"), reason: .new) }
                if let first = try context.quake(forKey: 1) {
                    var renamed = first.quake
                    renamed.code += "x"
                    try writer.update(first, to: renamed, reason: .renamed)
                }
                if let second = try context.quake(forKey: 2) { try writer.delete(second, reason: .retracted) }
            }
        }
    }

    @Test(arguments: disks) func aPurgeOfHistoryThatMeetsIt(disk: Disk) throws {
        try failEveryWrite(disk) { _ = try $0.deleteHistory(through: 2) }
    }

    @Test(arguments: disks) func aConsumerThatMeetsIt(disk: Disk) throws {
        try failEveryWrite(disk) { try $0.acknowledge(try $0.head(), for: "alarm") }
    }

    /// Fails the first write of `work`, then the second, and so on until none is left to fail.
    private func failEveryWrite(_ disk: Disk, _ work: (QuakeContext) throws -> Void) throws {
        try withScratchDirectory(on: .disk) { directory in
            let template = QuakeCache(path: directory.path("template.db"))
            let context = try template.context(access: .creating)
            for index in 0..<3 { try context.write { try $0.insert(Quake(sample: "us\(index)"), reason: .new) } }
            try context.compact()
            let before = try CacheState(template)
            for count in 1..<500 {
                let store = QuakeCache(path: directory.path("\(count).db"))
                try FileManager.default.copyItem(atPath: template.path, toPath: store.path)
                var failure: (any Error)?
                let failures = FailingWrites.during(write: count, code: disk.code, isLasting: disk.isLasting) {
                    do {
                        try work(try store.context())
                    } catch {
                        failure = error
                    }
                }
                let after = try CacheState(store)
                #expect(try integrity(store) == "ok", "write \(count)")
                if let failure {
                    #expect(after == before, "write \(count)")
                    #expect(failure is StoreError, "write \(count)")
                    try work(try store.context())
                }
                #expect(try CacheState(store) != before, "write \(count)")
                if failures == 0 {
                    #expect(count > 1)
                    return
                }
            }
            Issue.record("there is no end of writes")
        }
    }

    private func integrity(_ store: QuakeCache) throws -> String? {
        try SQLiteFile(path: store.path, isReadOnly: false).rows("PRAGMA integrity_check").first?["integrity_check"]?
            .text
    }
}

/// Everything a reader can see of a cache.
private struct CacheState: Equatable {
    var quakes: [StoredQuake]
    var events: [HistoryEvent]
    var consumers: [String]
    var floor: Int64

    init(_ store: QuakeCache) throws {
        let context = try store.context()
        quakes = try context.fetch()
        var events: [HistoryEvent] = []
        try context.fetchHistory { events.append($0) }
        self.events = events
        consumers = try context.consumers().map { "\($0.name) \($0.token) \($0.seen)" }
        floor = try context.floor().number
    }
}
