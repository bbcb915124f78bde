import Foundation
import Glibc
import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("State after a restore", .scratch) final class RestoreTests: SuiteWithCache {
    // Proves promise 5 of reliability.md.
    @Test("After a restore, a consumer ahead of the backup gets a resync, even after new commits")
    func consumerBeyondBackup() throws {
        try context.record(.sample("us701"))
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        try context.record(.sample("us702"))
        let lost = try context.history.currentToken()
        try context.history.acknowledge(lost, for: "alarm")
        try scratch.store.restore(from: backup.path)
        #expect(try context.history.consumer(named: "alarm")?.token == lost)
        // The consumer read on in the meantime.
        #expect(throws: StoreError.token(.future)) { try context.history.acknowledge(lost, for: "alarm") }
        #expect(try resyncs(context, "alarm"))
        for number in 3...5 {
            try context.record(.sample("us70\(number)"))
            #expect(try resyncs(context, "alarm"))
        }
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 5 of reliability.md.
    @Test("After a restore, a consumer that is behind the backup resumes where it was")
    func consumerBeforeBackup() throws {
        try context.record(.sample("us701"))
        let place = try context.history.currentToken()
        for name in ["slow", "forgotten"] { try context.history.acknowledge(place, for: name) }
        try context.record(.sample("us702"))
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        try context.record(.sample("us703"))
        try context.history.forgetConsumer(named: "forgotten")
        try context.history.acknowledge(context.history.currentToken(), for: "new")
        try scratch.store.restore(from: backup.path)
        #expect(try context.history.consumers().map(\.name) == ["new", "slow"])
        #expect(try context.history.consumer(named: "slow")?.number == place.number)
        #expect(try context.relevantChanges(descriptor(context, "slow")).map(\.change.after?.id) == ["us702"])
        #expect(try resyncs(context, "new"))
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 5 of reliability.md.
    @Test("After a restore of a backup that lacks a consumer's history, its position is not later")
    func consumerBeforePurgedHistory() throws {
        try context.record(.sample("us701"))
        try context.history.acknowledge(context.history.currentToken(), for: "slow")
        for number in 2...3 { try context.record(.sample("us70\(number)")) }
        try context.history.trim(through: 2, force: true)
        try scratch.store.restore(from: context.maintenance.backup(to: scratch.path + ".copy").path)
        #expect(try context.history.consumer(named: "slow")?.number == 1)
        #expect(try resyncs(context, "slow"))
    }

    // Proves promise 5 of reliability.md.
    @Test("A restore sets a consumer's position to the last transaction it read that the backup has")
    func lastCommonTransaction() throws {
        let backup = try recordAndBackUp()
        for number in 2...3 { try context.record(.sample("us70\(number)")) }
        for name in ["alarm", "idle"] { try context.history.acknowledge(context.history.currentToken(), for: name) }
        func number() throws -> TransactionNumber? { try context.history.consumer(named: "alarm")?.number }
        let kept = try #require(try scratch.store.restore(from: backup.path).keptCopyPath)
        #expect(try number() == TransactionNumber(1))
        try context.record(.sample("us704"))
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        // The opposite case: the consumer read the fourth transaction, but not the kept state's after the first.
        try scratch.store.restore(from: kept)
        #expect(try number() == TransactionNumber(1))
        #expect(try !resyncs(context, "idle"))
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 13 of reliability.md.
    @Test("Each restore keeps the replaced cache, and the one kept by the previous restore") func keptStates() throws {
        let (newest, older) = (scratch.path + ".before-restore", scratch.path + ".before-restore-2")
        func counts() throws -> [Int] {
            try [scratch.path, newest, older].map {
                try QuakeContext(QuakeCache(path: $0), access: .reading).fetchCount()
            }
        }
        let backup = try recordAndBackUp()
        // A link is moved, not followed.
        #expect(symlink(scratch.path + ".victim", newest) == 0)
        for added in [["us702"], ["us703", "us704"]] {
            for id in added { try context.record(.sample(id)) }
            #expect(try scratch.store.restore(from: backup.path).keptCopyPath == newest)
        }
        #expect(access(scratch.path + ".victim", F_OK) != 0)
        #expect(try counts() == [1, 3, 2])
        // Each of them can be restored like any backup.
        try scratch.store.restore(from: newest)
        #expect(try counts() == [3, 1, 3])
        try context.record(.sample("us705"))
        try scratch.store.restore(from: older)
        #expect(try counts() == [3, 4, 1])
        #expect(try !names(beside: scratch).contains { $0.hasSuffix("-3") || $0.hasSuffix(".partial") })
    }

    // Proves promise 5 of reliability.md.
    @Test("Restoring over a lost or different cache gives the backup's consumers a resync") func lostCache() throws {
        try context.record(.sample("us701"))
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        let other = QuakeCache(path: scratch.path + ".folder/quakes.db")
        for hasCache in [false, true] {
            if hasCache {
                #expect(throws: StoreError.otherCache(path: backup.path)) { try other.restore(from: backup.path) }
                #expect(try QuakeContext(other).fetch().map(\.quake.id) == ["us702"])
            }
            let restoration = try other.restore(from: backup.path, acceptsOtherCache: true)
            #expect((restoration.replaced != nil) == hasCache && (restoration.keptCopyPath != nil) == hasCache)
            let restored = try QuakeContext(other)
            #expect(try restored.contents() == context.contents())
            #expect(try resyncs(restored, "alarm"))
            #expect(try restored.maintenance.verify(full: true).findings == [])
            // The second time, it is restored over a cache with another id.
            for suffix in ["", "-wal", "-shm"] { unlink(other.path + suffix) }
            try QuakeContext(other, access: .creating).record(.sample("us702"))
        }
    }

    // Proves promise 5 of reliability.md.
    @Test("With the option restoresConsumers, the backup's consumers resume where the backup has them")
    func consumersOfBackup() throws {
        try context.record(.sample("us701"))
        let place = try context.history.currentToken()
        for name in ["alarm", "slow"] { try context.history.acknowledge(place, for: name) }
        try context.record(.sample("us702"))
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        for isSame in [true, false] {
            let path = isSame ? scratch.path : scratch.path + ".other"
            let cache = isSame ? scratch.store : QuakeCache(path: path)
            let target = try QuakeContext(cache, access: .creating)
            try target.record(.sample("us703"))
            for name in ["alarm", "mine"] { try target.history.acknowledge(target.history.currentToken(), for: name) }
            try cache.restore(from: backup.path, acceptsOtherCache: true, restoresConsumers: true)
            #expect(try target.history.consumers().map(\.name) == ["alarm", "mine", "slow"])
            #expect(try target.relevantChanges(descriptor(target, "alarm")).isEmpty)
            #expect(try target.relevantChanges(descriptor(target, "slow")).map(\.change.after?.id) == ["us702"])
            #expect(try resyncs(target, "mine"))
            #expect(try target.maintenance.verify(full: true).findings == [])
        }
        let new = QuakeCache(path: scratch.path + ".new")
        try new.restore(from: backup.path, restoresConsumers: true)
        #expect(try !resyncs(QuakeContext(new), "alarm"))
    }

    // Proves promise 6 of reliability.md.
    @Test("Keys, transaction numbers and change ids are not reused after a restore") func numbersAreNotReused() throws {
        let backup = try recordAndBackUp()
        let lostKeys = try (2...4).map { try context.record(.sample("us70\($0)")) }
        let lost = try #require(try context.relevantChanges().last)
        try scratch.store.restore(from: backup.path)
        let key = try context.record(.sample("us705"))
        let change = try #require(try context.relevantChanges().last)
        #expect(try key > #require(lostKeys.max()))
        #expect(change.transaction.number > lost.transaction.number && change.change.id > lost.change.id)
        #expect(try context.history.counts(after: 1).changes == 1 && context.history.counts(after: 0).changes == 2)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 6 of reliability.md.
    @Test("History can be read and purged across the transaction numbers that a restore left unused")
    func gapInNumbers() throws {
        try context.record(.sample("us701"))
        try context.record(.sample("us702"))
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        for number in 3...5 { try context.record(.sample("us70\(number)")) }
        try scratch.store.restore(from: backup.path)
        for number in 6...7 { try context.record(.sample("us70\(number)")) }
        let all = try context.relevantChanges()
        #expect(all.map(\.change.after?.id) == ["us701", "us702", "us706", "us707"])
        for (index, change) in all.enumerated() {
            let token = try #require(change.token)
            let rest = try context.relevantChanges(HistoryDescriptor(start: .token(token)))
            #expect(rest == Array(all.dropFirst(index + 1)))
        }
        for number in 2...5 {
            let since = try context.relevantChanges(
                HistoryDescriptor(start: .transaction(TransactionNumber(Int64(number)))))
            #expect(since.map(\.change.id) == all.suffix(2).map(\.change.id))
            #expect(try context.history.token(afterTransaction: TransactionNumber(Int64(number))).number == 2)
        }
        #expect(try context.history.transaction(4) == nil)
        #expect(try context.history.trim(before: .transaction(5)).transactions == 2)
        #expect(try context.history.floor().number == 2)
        #expect(try context.relevantChanges(HistoryDescriptor(start: .oldest)).count == 2)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("If a restore removed the last save, undo throws once, then undoes the save before it")
    func undoAfterRestore() throws {
        try context.save(.sample("us701"))
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        try context.save(.sample("us702"))
        try scratch.store.restore(from: backup.path)
        try QuakeContext(scratch.store, author: "other").record(.sample("us703"))
        #expect(throws: StoreError.token(.forked)) { try editor.undo() }
        #expect(try context.fetchCount() == 2)
        #expect(try editor.undo()?.counts.deleted == 1)
        #expect(try context.key(ofID: "us703") != nil && context.quake(id: "us701") == nil)
    }

    @Test("Editing or deleting a quake that was read from another cache is rejected") func quakeOfOtherCache() throws {
        let key = try context.record(.sample("us701"))
        let other = try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating)
        try other.record(.sample("us702"))
        let stranger = try #require(try other.quake(id: "us702"))
        #expect(stranger.key == key)
        let error = StoreError.otherQuake(id: "us702", key: key)
        #expect(throws: error) {
            try context.edit { try $0.update(stranger, to: stranger.quake.with { $0.magnitude = 1 }) }
        }
        #expect(throws: error) { try context.edit { try $0.delete(stranger) } }
        #expect(try context.quake(key: key)?.quake == .sample("us701"))
        // After a rename, it is still the same quake.
        let known = try #require(try context.quake(key: key))
        try context.edit { try $0.update(known, to: known.quake.with { $0.code = "799" }) }
        try context.edit { try $0.update(known, to: known.quake.with { $0.magnitude = 2 }) }
        #expect(try context.quake(id: "us799")?.quake.magnitude == 2)
    }

    @Test("A backup with a page size other than the cache's can be restored") func pageSize() throws {
        let backup = try recordAndBackUp()
        try SQLiteFile(path: backup.path, isReadOnly: false).execute("PRAGMA page_size = 8192; VACUUM")
        try context.record(.sample("us702"))
        try scratch.store.restore(from: backup.path)
        #expect(try context.fetchCount() == 1)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 13 of reliability.md.
    @Test("A failed restore leaves no file behind") func failedRestoreLeavesNothing() throws {
        let backup = try recordAndBackUp()
        let other = QuakeCache(path: scratch.path + ".other")
        let before = try names(beside: scratch)
        let file = try SQLiteFile(path: backup.path, isReadOnly: false)
        for statement in ["DROP TRIGGER guard_aliases_delete", "DELETE FROM aliases"] { try file.rows(statement) }
        #expect(throws: StoreError.self) { try other.restore(from: backup.path) }
        #expect(try names(beside: scratch) == before)
        try file.rows("PRAGMA user_version = 99")
        let newer = QuakeCache(path: backup.path)
        #expect(throws: StoreError.otherSchema(path: backup.path, found: 99, supported: Schema.current.version)) {
            try newer.restore(from: scratch.path)
        }
        #expect(try names(beside: scratch) == before)
    }

    private func descriptor(_ context: QuakeContext, _ consumer: String) throws -> HistoryDescriptor {
        let known = try #require(try context.history.consumer(named: consumer))
        return HistoryDescriptor(start: .token(try #require(known.token)))
    }

    /// Whether the consumer receives a drop-everything event.
    private func resyncs(_ context: QuakeContext, _ consumer: String) throws -> Bool {
        if case .dropEverything = try context.events(descriptor(context, consumer)).first { true } else { false }
    }

    private func names(beside scratch: ScratchStore) throws -> [String] {
        let folder = URL(filePath: scratch.path).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

@Suite("Replacing the file of an open cache", .scratch) final class ReplacedCacheTests: SuiteWithCache {
    /// Puts another cache, or nothing, in place of the open one.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (String) throws -> Void
        var testDescription: String { name }
    }

    static let changes = [
        Change(name: "mv") { #expect(rename($0 + ".other", $0) == 0) },
        Change(name: "rm") { #expect(unlink($0) == 0) },
        Change(name: "rm, cp") {
            #expect(unlink($0) == 0)
            try FileManager.default.copyItem(atPath: $0 + ".other", toPath: $0)
        },
    ]

    @Test("A write to an open cache throws if its file was removed or replaced", arguments: changes)
    func replacedFile(change: Change) throws {
        let key = try context.record(.sample("us701"))
        try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating).record(.sample("us702"))
        try context.maintenance.compact()
        try change.make(scratch.path)
        let error = StoreError.replaced(path: scratch.path)
        #expect(throws: error) { try context.record(.sample("us703")) }
        #expect(throws: error) { try context.revise(key) { $0.magnitude = 1 } }
        #expect(throws: error) { try context.history.acknowledge(context.history.currentToken(), for: "alarm") }
        // A second connection would read a different cache than the first.
        #expect(throws: error) { try context.generation() }
    }

    @Test("If the cache file is replaced during a transaction, the commit throws an error")
    func replacedDuringTransaction() throws {
        try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating).record(.sample("us702"))
        #expect(throws: StoreError.replaced(path: scratch.path)) {
            try context.write { writer in
                try writer.insert(.sample("us701"), reason: .new)
                #expect(rename(scratch.path + ".other", scratch.path) == 0)
            }
        }
    }

    @Test("If a newer program upgrades an open cache's schema, the older program's write is rejected")
    func newerSchema() throws {
        try context.record(.sample("us701"))
        try SQLiteFile(path: scratch.path, isReadOnly: false).rows("PRAGMA user_version = 99")
        let error = StoreError.otherSchema(path: scratch.path, found: 99, supported: Schema.current.version)
        #expect(throws: error) { try context.record(.sample("us702")) }
        #expect(throws: error) { try context.history.acknowledge(context.history.currentToken(), for: "alarm") }
    }
}
