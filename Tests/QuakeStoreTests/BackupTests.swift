import CQuakesSQLite
import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// A backup is the state at one moment in one file, and restoring it restores that state for everybody.
@Suite("Backup and restore", .scratch) final class BackupTests: SuiteWithCache {
    // Proves promise 12 of reliability.md.
    @Test("A backup is a single file with the contents and permissions of the cache") func backupIsOneFile() throws {
        try context.record(.sample())
        chmod(scratch.path, 0o600)
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        #expect(try backup.token == context.history.currentToken())
        #expect(try files(beside: scratch) == ["quakes.db", "quakes.db-shm", "quakes.db-wal", "quakes.db.copy"])
        var status = stat()
        #expect(stat(backup.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(backup.bytes == Int64(status.st_size))
        let copy = try QuakeContext(QuakeCache(path: backup.path), access: .reading)
        #expect(try copy.contents() == context.contents())
        #expect(try copy.events() == context.events())
        #expect(try copy.maintenance.verify(full: true).findings == [])
    }

    // Proves promise 12 of reliability.md.
    @Test("A backup made during a transaction does not contain the uncommitted changes") func backupDuringTransaction()
        throws
    {
        try context.record(.sample())
        let reader = try QuakeContext(scratch.store, access: .reading)
        try context.write { writer in
            try writer.insert(.sample("us702"), reason: .new)
            try reader.maintenance.backup(to: scratch.path + ".copy")
        }
        #expect(try QuakeContext(QuakeCache(path: scratch.path + ".copy"), access: .reading).fetchCount() == 1)
        #expect(try context.fetchCount() == 2)
    }

    @Test("A backup reports the token of its own contents, even if others write during the backup") func backupToken()
        throws
    {
        try context.record(.sample())
        let reader = try QuakeContext(scratch.store, access: .reading)
        let writing = Interruption { [context] in try context.record(.sample("us702")) }
        // Before each of the reader's statements that fetches the newest token.
        sqlite3_trace_v2(
            reader.session.connection.handle, UInt32(SQLITE_TRACE_STMT),
            { _, pointer, _, sql in
                guard let pointer, let sql else { return 0 }
                let text = String(cString: sql.assumingMemoryBound(to: CChar.self))
                if text.contains("floor_fingerprint") {
                    Unmanaged<Interruption>.fromOpaque(pointer).takeUnretainedValue().run()
                }
                return 0
            }, Unmanaged.passUnretained(writing).toOpaque())
        let backup = try reader.maintenance.backup(to: scratch.path + ".copy")
        sqlite3_trace_v2(reader.session.connection.handle, 0, nil, nil)
        #expect(writing.hasRun)
        #expect(
            try QuakeContext(QuakeCache(path: backup.path), access: .reading).history.currentToken() == backup.token)
    }

    @Test("A backup replaces an existing file only with replacing: true") func backupReplaces() throws {
        try context.record(.sample())
        let path = scratch.path + ".copy"
        try Data("Dear diary".utf8).write(to: URL(filePath: path))
        #expect(throws: StoreError.fileExists(path: path)) { try context.maintenance.backup(to: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("Dear diary".utf8))
        try context.maintenance.backup(to: path, replacing: true)
        #expect(try QuakeContext(QuakeCache(path: path), access: .reading).fetchCount() == 1)
    }

    @Test("The cache cannot be backed up to or restored from itself, even through a symbolic link")
    func cacheIsNoBackup() throws {
        try context.record(.sample())
        let name = scratch.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: scratch.path)
        for path in [scratch.path, name] {
            #expect(throws: StoreError.backupInUse(path: path)) {
                try context.maintenance.backup(to: path, replacing: true)
            }
            #expect(throws: StoreError.backupInUse(path: path)) { try scratch.store.restore(from: path) }
        }
        #expect(try context.maintenance.verify().findings == [])
    }

    @Test("A backup may replace an empty file, such as one that mktemp created") func emptyFile() throws {
        try context.record(.sample())
        let path = scratch.path + ".empty"
        try Data().write(to: URL(filePath: path))
        try context.maintenance.backup(to: path, replacing: true)
        #expect(try QuakeContext(QuakeCache(path: path), access: .reading).fetchCount() == 1)
    }

    @Test("A backup does not replace a database that is open and has a write-ahead log") func databaseWithLog() throws {
        let path = try recordAndBackUp().path
        let other = try QuakeContext(QuakeCache(path: path))
        try other.record(.sample("us702"))
        #expect(throws: StoreError.backupInUse(path: path)) {
            try context.maintenance.backup(to: path, replacing: true)
        }
        #expect(try other.fetchCount() == 2)
    }

    @Test("A log left beside a backup by a killed program does not prevent the next backup") func logLeftByReader()
        throws
    {
        let path = try recordAndBackUp().path
        let reader = try QuakeContext(QuakeCache(path: path))
        try reader.record(.sample("us702"))
        // A kill leaves the files that exist while the reader is at work.
        let left = scratch.path + ".left"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: left + suffix)
        }
        try context.maintenance.backup(to: left, replacing: true)
        #expect(!FileManager.default.fileExists(atPath: left + "-wal"))
        #expect(try QuakeContext(QuakeCache(path: left), access: .reading).fetchCount() == 1)
    }

    @Test("A backup refuses a symbolic link at its path and never writes through one at PATH.partial")
    func symbolicLinks() throws {
        try context.record(.sample())
        let path = scratch.path + ".copy"
        let victim = scratch.path + ".victim"
        try Data("kept".utf8).write(to: URL(filePath: victim))
        for suffix in ["", ".partial"] { #expect(symlink(victim, path + suffix) == 0) }
        for isForced in [false, true] {
            let reason = "it is a symbolic link to \(victim)"
            #expect(throws: StoreError.cannotOpen(path: path, reason: reason)) {
                try context.maintenance.backup(to: path, replacing: isForced)
            }
        }
        #expect(unlink(path) == 0)
        try context.maintenance.backup(to: path)
        #expect(try Data(contentsOf: URL(filePath: victim)) == Data("kept".utf8))
        #expect(try files(beside: scratch).contains("quakes.db.copy.partial"))
        #expect(
            try QuakeContext(QuakeCache(path: path), access: .reading).maintenance.verify(full: true).findings == [])
    }

    // Proves promise 13 of reliability.md.
    @Test("A cache with a damaged index can be neither backed up nor used for a restore") func damagedIndex() throws {
        let backup = try recordAndBackUp()
        let root = "SELECT rootpage FROM sqlite_master WHERE name = 'quakes_by_time'"
        let page = try #require(try context.session.connection.integer(root))
        let size = try #require(try context.session.connection.integer("PRAGMA page_size"))
        let file = try FileHandle(forUpdating: URL(filePath: backup.path))
        // The only entry is at the end of the page: the origin time, then the key.
        try file.seek(toOffset: UInt64(page * size - 3))
        try file.write(contentsOf: Data([0x55]))
        try file.close()
        let damaged = try QuakeContext(QuakeCache(path: backup.path), access: .reading)
        #expect(try damaged.maintenance.verify().isSound)
        #expect { try damaged.maintenance.backup(to: scratch.path + ".second") } throws: { $0.isUnsound(backup.path) }
        #expect { try scratch.store.restore(from: backup.path) } throws: { $0.isUnsound(backup.path) }
    }

    // Proves promise 13 of reliability.md.
    @Test("After a restore, contexts that were already open read the restored quakes")
    func restoreWithOpenContexts() throws {
        let backup = try recordAndBackUp()
        try context.record(.sample("us702"))
        let (lost, version) = (try context.history.currentToken(), try context.history.newest())
        let reader = try QuakeContext(scratch.store, access: .reading)
        try reader.pin(to: .current)
        #expect(try reader.fetchCount() == 2)
        let restoration = try scratch.store.restore(from: backup.path)
        #expect(restoration.token == backup.token && restoration.replaced == lost)
        #expect(try context.history.newest() != version)
        #expect(try context.history.currentToken() == backup.token && reader.fetchCount() == 2)
        try reader.unpin()
        #expect(try reader.fetchCount() == 1)
        #expect(try context.history.fault(of: lost) == .future)
        try context.record(.sample("us703"))
        #expect(try context.history.fault(of: lost) == .forked)
        #expect(try context.maintenance.verify(full: true).findings == [])
        let kept = try #require(restoration.keptCopyPath)
        #expect(try QuakeContext(QuakeCache(path: kept), access: .reading).history.currentToken() == lost)
    }

    @Test("A damaged cache can be replaced by a restore") func damagedCacheIsRestored() throws {
        for number in 0..<400 { try context.record(.sample("us7\(number)")) }
        let backup = try context.maintenance.backup(to: scratch.path + ".copy")
        try context.maintenance.compact()
        try damagePages(of: scratch.path)
        let found = try QuakeContext(scratch.store, access: .reading).maintenance.verify().findings
        #expect(found.contains { $0.check == .file })
        try scratch.store.restore(from: backup.path)
        #expect(try QuakeContext(scratch.store, access: .reading).maintenance.verify(full: true).findings == [])
    }

    private func files(beside scratch: ScratchStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: scratch.path).deletingLastPathComponent().path
        )
        .sorted()
    }
}

/// An action that happens once, in the middle of another.
private final class Interruption {
    private let body: () throws -> Void
    private(set) var hasRun = false

    init(_ body: @escaping () throws -> Void) { self.body = body }

    func run() {
        guard !hasRun else { return }
        do {
            try body()
            hasRun = true
        } catch {
            Issue.record(error)
        }
    }
}
