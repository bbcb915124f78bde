import CQuakesSQLite
import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// Files that others put in place of a cache or beside it: no committed data is lost with them.
@Suite("Foreign and replaced files", .scratch) final class FilesOfOthersTests: SuiteWithCache {
    @Test("Closing a cache whose file was replaced does not touch the new file's write-ahead log")
    func writerOfReplacedFile() throws {
        try context.record(.sample("us701"))
        let backup = try context.maintenance.backup(to: scratch.path + ".new")
        var old: QuakeContext? = try QuakeContext(scratch.store)
        #expect(try old?.fetchCount() == 1)
        try context.session.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(rename(backup.path, scratch.path) == 0)
        let new = try QuakeContext(scratch.store)
        for number in 2...9 { try new.record(.sample("us70\(number)")) }
        #expect(throws: StoreError.replaced(path: scratch.path)) { try old?.maintenance.compact() }
        old = nil
        #expect(try new.fetchCount() == 9)
        #expect(try QuakeContext(scratch.store).fetchCount() == 9)
        #expect(try QuakeContext(scratch.store).maintenance.verify(full: true).findings == [])
    }

    @Test("A file that replaced an unused cache is not removed when that cache is discarded")
    func discardAfterReplacement() throws {
        let unused = QuakeCache(path: scratch.path + ".unused")
        let discarded = try QuakeContext(unused, access: .creating)
        let other = try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating)
        try other.record(.sample("us701"))
        let copy = try other.maintenance.backup(to: scratch.path + ".copy")
        #expect(rename(copy.path, unused.path) == 0)
        #expect(throws: StoreError.replaced(path: unused.path)) { try discarded.maintenance.discardIfUnused() }
        #expect(try QuakeContext(unused).fetchCount() == 1)
    }

    @Test("A log that another connection begins while a cache is being opened is not taken for a replacement")
    func logBegunWhileOpening() throws {
        let path = scratch.path + ".new"
        _ = try QuakeContext(QuakeCache(path: path), access: .creating)
        var other: OpaquePointer?
        #expect(sqlite3_open(path, &other) == SQLITE_OK)
        #expect(sqlite3_exec(other, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK)
        let opened = try Database(
            path: path, access: .reading, configuration: StoreConfiguration(), isShared: false, schemaVersion: 0
        ) { database in
            _ = try database.storedSchemaVersion()
            let begin = "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT"
            #expect(sqlite3_exec(other, begin, nil, nil, nil) == SQLITE_OK)
        }
        #expect(FileIdentity(path + "-wal") != nil)
        sqlite3_close(other)
        _ = try opened.storedSchemaVersion()
        try opened.requireSameFile()
    }

    /// Leaves a journal that rolls `database` back to nothing, like that of a program killed while it created the file.
    private func leaveHotJournal(beside database: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let scratch = database + ".hot"
        #expect(sqlite3_open(scratch, &handle) == SQLITE_OK)
        let statements = """
            PRAGMA journal_mode = DELETE; CREATE TABLE a (b); INSERT INTO a VALUES (randomblob(9000));
            PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE a SET b = randomblob(9000); CREATE TABLE c (d);
            INSERT INTO c SELECT randomblob(9000) FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8));
            """
        #expect(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
        let journal = try Data(contentsOf: URL(filePath: scratch + "-journal"))
        #expect(journal.count > 512 && journal.first == 0xD9)
        try journal.write(to: URL(filePath: database + "-journal"))
    }

    @Test("A rollback journal left by a killed program does not roll back a later restore") func restoreBesideJournal()
        throws
    {
        let backup = try recordAndBackUp()
        let killed = QuakeCache(path: scratch.path + ".killed")
        try Data().write(to: URL(filePath: killed.path))
        try leaveHotJournal(beside: killed.path)
        try killed.restore(from: backup.path)
        #expect(access(killed.path + "-journal", F_OK) != 0)
        #expect(try QuakeContext(killed, access: .reading).fetchCount() == 1)
        #expect(try QuakeContext(killed, access: .reading).maintenance.verify(full: true).findings == [])
    }

    @Test("A journal left beside an old backup does not roll back a new backup that replaces it")
    func backupBesideJournal() throws {
        try context.record(.sample("us701"))
        let place = scratch.path + ".copy"
        try context.maintenance.backup(to: place)
        try leaveHotJournal(beside: place)
        try context.record(.sample("us702"))
        try context.maintenance.backup(to: place, replacing: true)
        #expect(access(place + "-journal", F_OK) != 0)
        #expect(try QuakeContext(QuakeCache(path: place), access: .reading).fetchCount() == 2)

        let empty = scratch.path + ".empty"
        try leaveHotJournal(beside: empty)
        #expect {
            try context.maintenance.backup(to: empty)
        } throws: {
            "\($0)".contains("\(empty)-journal is left over from another file")
        }
    }

    @Test(
        "A backup that is being read or written is not replaced by a new one",
        arguments: ["BEGIN; SELECT * FROM store", "BEGIN IMMEDIATE"])
    func backupInUse(statement: String) throws {
        let backup = try recordAndBackUp()
        let before = try Data(contentsOf: URL(filePath: backup.path))
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        #expect(sqlite3_open(backup.path, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK)
        #expect(throws: StoreError.backupInUse(path: backup.path)) {
            try context.maintenance.backup(to: backup.path, replacing: true)
        }
        #expect(sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try Data(contentsOf: URL(filePath: backup.path)) == before)
        try context.maintenance.backup(to: backup.path, replacing: true)
    }

    @Test("Backing up a damaged cache fails, names that cache and leaves the older backup in place") func damagedCache()
        throws
    {
        let backup = try recordAndBackUp()
        let before = try Data(contentsOf: URL(filePath: backup.path))
        try context.session.connection.execute("UPDATE quakes SET place = 'elsewhere'")
        #expect { try context.maintenance.backup(to: backup.path, replacing: true) } throws: {
            $0.isUnsound(scratch.path)
        }
        #expect(try Data(contentsOf: URL(filePath: backup.path)) == before)
        // The same with damaged pages.
        try context.maintenance.compact()
        try damagePages(of: scratch.path)
        let damaged = try QuakeContext(scratch.store, access: .reading)
        #expect { try damaged.maintenance.backup(to: backup.path, replacing: true) } throws: {
            if case StoreError.corrupt(scratch.path, _) = $0 { true } else { $0.isUnsound(scratch.path) }
        }
        #expect(try Data(contentsOf: URL(filePath: backup.path)) == before)
    }

    @Test(
        "A restore does not follow a symbolic link in the place of a lock, log or journal",
        arguments: [".backfill-lock", "-wal", "-shm", "-journal"])
    func symbolicLinks(suffix: String) throws {
        let backup = try recordAndBackUp()
        let shared = QuakeCache(path: scratch.path + ".shared")
        try shared.restore(from: backup.path)
        unlink(shared.path + ".backfill-lock")
        let victim = scratch.path + ".victim"
        #expect(symlink(victim, shared.path + suffix) == 0)
        for isThere in [false, true] {
            if isThere { try Data("kept".utf8).write(to: URL(filePath: victim)) }
            chmod(victim, 0o600)
            #expect(throws: StoreError.self) { try shared.restore(from: backup.path) }
            var status = stat()
            #expect((lstat(victim, &status) == 0) == isThere)
            guard isThere else { continue }
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(try Data(contentsOf: URL(filePath: victim)) == Data("kept".utf8))
        }
    }
}
