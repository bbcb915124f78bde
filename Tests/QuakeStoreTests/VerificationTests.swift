import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// A sound cache has no findings; each kind of damage causes one.
@Suite("Verifying a cache", .scratch) final class VerificationTests: SuiteWithCache {
    @Test(
        "Verifying a cache after random changes by the library finds nothing wrong",
        arguments: Thoroughness.seeds(1, of: 10))
    func writtenCacheIsSound(seeds: Range<Int>) throws {
        for seed in seeds { try check(seed: UInt64(seed)) }
    }

    private func check(seed: UInt64) throws {
        try ScratchStore.with { scratch, context in
            var story = RandomStory(seed: seed, context: context, clock: scratch.clock)
            for _ in 0..<150 { try story.step() }
            let found = try QuakeContext(scratch.store, access: .reading).maintenance.verify(full: true)
            #expect(found.findings == [])
            #expect(found.token == (try context.history.currentToken()))
            #expect(found.quakes == (try context.fetchCount()))
            #expect(found.changes == (try context.maintenance.statistics().changes))
        }
    }

    /// SQL that damages the cache of ``history(in:)``, and the finding that it causes.
    struct Damage: Sendable, CustomTestStringConvertible {
        var check: VerificationReport.Check
        var sql: String
        var words: String
        var testDescription: String { sql }
    }

    static let damages = [
        Damage(check: .schema, sql: "DROP VIEW quakes_v1", words: "the view quakes_v1 is missing"),
        Damage(check: .schema, sql: "DROP INDEX quakes_by_time", words: "the index quakes_by_time is missing"),
        Damage(check: .schema, sql: "DROP INDEX quakes_by_place", words: "the index quakes_by_place is missing"),
        Damage(
            check: .schema, sql: "DROP TRIGGER guard_quakes_update", words: "the trigger guard_quakes_update is missing"
        ),
        Damage(
            check: .rows, sql: "UPDATE quakes SET place = 'Elsewhere' WHERE key = 2",
            words: "row 2 of the table quakes"),
        Damage(
            check: .rows, sql: "UPDATE quakes SET hash = hash + 1 WHERE key = 2", words: "row 2 of the table quakes"),
        Damage(check: .rows, sql: "UPDATE aliases SET alias = 'us799' WHERE alias = 'us702'", words: "row us799 of"),
        Damage(check: .rows, sql: "UPDATE departed SET source_time = 7", words: "row 3 of the table departed"),
        Damage(
            check: .rows, sql: "UPDATE changes SET reason = 'late' WHERE id = 2", words: "row 2 of the table changes"),
        Damage(
            check: .rows, sql: "UPDATE rows_before SET mag = 9 WHERE change = 5",
            words: "row 5 of the table rows_before"),
        Damage(
            check: .rows, sql: "UPDATE transactions SET author = 'x' WHERE number = 2",
            words: "row 2 of the table transact"),
        Damage(check: .rows, sql: "UPDATE consumers SET seen = seen + 1", words: "row alarm of the table consumers"),
        Damage(check: .rows, sql: "UPDATE store SET created = created + 1", words: "of the table store"),
        Damage(
            check: .store, sql: "UPDATE sqlite_sequence SET seq = 9223372036854775807",
            words: "the numbering of quakes cannot continue after 9223372036854775807"),
        Damage(check: .store, sql: "UPDATE store SET id = 'Ü'", words: "do not form a valid token"),
        Damage(
            check: .store, sql: "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'changes'",
            words: "the next number of changes would follow 2"),
        Damage(
            check: .values, sql: "DELETE FROM transactions WHERE number = 2", words: "transaction 3 does not follow"),
        Damage(check: .values, sql: "DELETE FROM transactions WHERE number = 9", words: "change 9 contradicts"),
        Damage(check: .values, sql: "DELETE FROM changes WHERE id = 6", words: "transaction 6 does not follow"),
        Damage(check: .values, sql: "DELETE FROM rows_before WHERE change = 5", words: "change 5 contradicts"),
        Damage(check: .values, sql: "UPDATE changes SET kind = 9 WHERE id = 5", words: "change 5 contradicts"),
        Damage(check: .values, sql: "UPDATE changes SET kind = 0 WHERE id = 5", words: "change 5 contradicts"),
        Damage(check: .values, sql: "UPDATE changes SET quake = 77 WHERE id = 1", words: "change 5 contradicts"),
        Damage(check: .values, sql: "DELETE FROM quakes WHERE key = 1", words: "change 6 contradicts"),
        Damage(check: .values, sql: "UPDATE quakes SET last_change = 1 WHERE key = 1", words: "change 6 contradicts"),
        Damage(check: .values, sql: "UPDATE quakes SET key = 99 WHERE key = 2", words: "quake 99 refers to change 2"),
        Damage(
            check: .values,
            sql: "INSERT INTO quakes SELECT 3, last_change, hash, source_time, 'nc', '1', time, lat, lon, depth, mag, "
                + "magType, place, type, status, updated, felt, cdi, mmi, alert, tsunami, sig, ids, sources, types, nst, "
                + "dmin, rms, gap, horizontal_error, depth_error, mag_error, mag_nst, location_source, mag_source, tz, "
                + "title, url, detail, extra, 0 FROM quakes WHERE key = 1",
            words: "change 7 contradicts the history or the row of quake 3"),
        Damage(check: .aliases, sql: "DELETE FROM aliases WHERE alias = 'us702'", words: "us702 does not lead"),
        Damage(
            check: .file,
            sql: "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'mag,', 'felt,') "
                + "WHERE name = 'quakes_by_time'",
            words: "quakes_by_time"),
    ]

    // Proves promise 11 of reliability.md.
    @Test("Verifying a cache finds each kind of damage and says where it is", arguments: damages)
    func damageIsFound(damage: Damage) throws {
        try history(in: context)
        #expect(try context.maintenance.verify(full: true).findings == [])
        try damageBySQL(damage.sql, scratch.path)
        let found = try QuakeContext(scratch.store, access: .reading).maintenance.verify(full: true)
        #expect(
            found.findings.contains { $0.check == damage.check && $0.detail.contains(damage.words) },
            "\(found.findings)")
    }

    @Test("Verifying a cache finds impossible values even in a row with a correct checksum") func impossibleValues()
        throws
    {
        for (change, words) in [
            ("depth = 4.6e18", "quake 2 (us702) has an impossible location or time"),
            ("lat = 91", "quake 2 (us702) has an impossible location or time"),
            ("place = 'a' || char(0) || 'b'", "row 2 of the table quakes has a text value with a null byte"),
        ] {
            try ScratchStore.with { scratch, context in
                try history(in: context)
                try context.session.connection.execute("UPDATE quakes SET \(change) WHERE key = 2")
                let quakes = CheckedTable.quakes
                try context.session.connection.execute(
                    "UPDATE quakes SET checksum = row_checksum(\(quakes.columns.joined(separator: ", ")))")
                #expect(try context.maintenance.verify().findings.map(\.detail) == [words])
            }
        }
    }

    @Test("Verifying a cache still reports a damaged row after the row is updated") func damageStays() throws {
        let key = try context.record(.sample("us701"))
        try context.session.connection.execute("UPDATE quakes SET felt = 7")
        try context.write { try $0.confirm(key, RowSource(hash: 5, sourceTime: 9)) }
        let details = try context.maintenance.verify().findings.map(\.detail)
        #expect(details == ["row 1 of the table quakes does not match its checksum"])
    }

    @Test(
        "Setting any one column of a quake's row also updates the row's checksum",
        arguments: CheckedTable.quakes.columns)
    func constantColumns(column: String) throws {
        let key = try context.record(.sample("us701"), RowSource(hash: 5, sourceTime: 9))
        let value = try context.session.connection.first(
            """
            SELECT iif(type = 'TEXT', quote('us'), iif(type = 'REAL', '1.0', '1'))
            FROM pragma_table_info('quakes') WHERE name = ?
            """, column
        ) { $0.text(0) }
        try context.session.connection.run(
            CheckedTable.quakes.update([(column, #require(value))], where: "key = ?"), key)
        let columns = CheckedTable.quakes.columns.joined(separator: ", ")
        #expect(try context.session.connection.integer("SELECT row_fault(checksum, \(columns)) FROM quakes") == 0)
    }

    @Test("Verifying finds no damaged row after a quake's id was assigned to another quake") func reassignedID() throws
    {
        let (first, second) = (Quake.sample("us701"), Quake.sample("ci702"))
        try context.record(first, RowSource(hash: 5, sourceTime: 9))
        let key = try context.record(second)
        try context.write { try $0.assign(alias: first.id, to: key) }
        #expect(try context.session.connection.integer("SELECT hash FROM quakes WHERE key <> ?", key) == 0)
        #expect(try context.maintenance.verify().findings.filter { $0.check == .rows }.isEmpty)
    }

    // Proves promise 11 of reliability.md.
    @Test("The row checksum of every table covers all of its columns") func allColumns() throws {
        let tables = try context.session.connection.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ) { $0.text(0) }
        #expect(tables.sorted() == CheckedTable.all.map(\.name).sorted())
        for table in CheckedTable.all {
            let columns = try context.session.connection.all("SELECT name FROM pragma_table_info(?)", table.name) {
                $0.text(0)
            }
            #expect(columns.sorted() == (table.columns + ["checksum"]).sorted())
        }
    }

    // Proves promise 11 of reliability.md.
    @Test("The row checksum function returns fixed values and distinguishes all SQLite types") func documentedChecksum()
        throws
    {
        func checksum(_ values: String) throws -> Int64? {
            try context.session.connection.integer("SELECT row_checksum(\(values))")
        }
        #expect(try checksum("1") == -9205821961652976405)
        #expect(try checksum("NULL, -5, 2.5, '', 'a', 'Pāhola, the longest', X'00FF'") == -750435692572612596)
        #expect(try checksum("0.0") == checksum("-0.0"))
        let all = try ["1", "1.0", "'1'", "X'31'", "NULL", "1, NULL", "'1', ''", "''"].map(checksum)
        #expect(Set(all).count == all.count)
    }

    @Test("Verifying a cache with a limit of 4 findings per check lists 4 and counts the others") func limitedFindings()
        throws
    {
        for number in 0..<30 { try context.record(.sample("us7\(number)")) }
        try damageBySQL("DELETE FROM aliases", scratch.path)
        let found = try QuakeContext(scratch.store, access: .reading).maintenance.verify(findingsPerCheck: 4)
        #expect(found.findings.count == 4 && found.omitted == 26)
        #expect(!found.isSound)
    }

    @Test("Verifying a cache whose history was purged finds nothing wrong") func purgedHistory() throws {
        try history(in: context)
        _ = try context.history.trim(through: 3, force: true)
        #expect(try context.maintenance.verify(full: true).findings == [])
        _ = try context.history.trim(through: try context.history.currentToken().number, force: true)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("Verifying a cache through a context pinned to a state throws an error") func pinnedContext() throws {
        try context.pin(to: .current)
        #expect(throws: StoreError.self) { try context.maintenance.verify() }
    }

    /// Quakes 1 to 4: one revised and renamed, one unchanged, one merged, one purged and restored.
    private func history(in context: QuakeContext) throws {
        let first = try context.record(.sample("us701"))
        try context.record(.sample("us702"))
        let third = try context.record(.sample("us703"))
        try context.record(.sample("us704", magnitude: 1))
        try context.revise(first) { $0.magnitude = 5.1 }
        try context.revise(first) { $0.place = "8 km N of Pāhola" }
        let gone = try #require(try context.quake(key: third))
        try context.write { try $0.delete(gone, reason: .merged, mergedInto: first) }
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 2)).transaction)
        try context.undo(transaction: purge.number)
    }

    /// Damages the cache like an unrelated program. The triggers that prevent this are restored afterward.
    private func damageBySQL(_ sql: String, _ path: String) throws {
        let file = try SQLiteFile(path: path, isReadOnly: false)
        let triggers = try file.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for trigger in triggers where !sql.hasPrefix("DROP TRIGGER") {
            try file.rows("DROP TRIGGER \(trigger["name"]?.text ?? "")")
        }
        for statement in sql.split(separator: "; ") { try file.rows(String(statement)) }
        for trigger in triggers where !sql.hasPrefix("DROP TRIGGER") { try file.rows(trigger["sql"]?.text ?? "") }
    }
}
