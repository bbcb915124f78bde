import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The guarantees of the layer over SQLite.
@Suite("The database connection", .scratch) final class DatabaseTests: SuiteWithCache {
    // Proves promise 2 of reliability.md.
    @Test("Every connection uses PRAGMA synchronous = FULL, so each commit waits for the disk")
    func commitWaitsForDisk() throws {
        #expect(try context.session.database().integer("PRAGMA synchronous") == 2)
        #expect(try QuakeContext(scratch.store).session.database().integer("PRAGMA synchronous") == 2)
        try context.sources.save(FeedRecord(name: "all_week"))
        #expect(try context.session.database().integer("PRAGMA synchronous") == 2)
    }

    @Test("A write marked as not waiting for the disk uses PRAGMA synchronous = NORMAL") func noteDoesNotWait() throws {
        let inside = try context.session.connection.withoutWaitingForDisk {
            try context.session.inTransaction(.writing) { try context.session.database().integer("PRAGMA synchronous") }
        }
        #expect(inside == 1)
    }

    @Test("If PRAGMA synchronous cannot be reset to FULL, the next write still waits for the disk")
    func waitsAfterFailure() throws {
        // Inside a transaction that is left open, the setting cannot be restored.
        #expect(throws: StoreError.self) {
            try context.session.connection.withoutWaitingForDisk { try context.session.connection.begin(.reading) }
        }
        #expect(try context.session.database().integer("PRAGMA synchronous") == 1)
        try context.session.connection.rollBack()
        #expect(try context.write { _ in try context.session.database().integer("PRAGMA synchronous") }.result == 2)
    }

    @Test("Binding more values than a statement has parameters throws an error") func unboundValue() throws {
        let statement = try context.session.database().prepare("SELECT ?")
        #expect(throws: StoreError.self) { try 1.bind(to: statement, at: 2) }
        #expect(throws: StoreError.self) { try statement.bindAll("one", "too many") }
    }

    @Test("A failed SQL statement throws an error with SQLite's message and extended result code")
    func failedStatement() throws {
        let insert = "INSERT INTO consumers (name, token, number, seen, checksum) VALUES ('a', '', 0, 0, 0)"
        try context.session.database().execute(insert)
        let reason = "UNIQUE constraint failed: consumers.name"
        #expect(throws: StoreError.statement(path: scratch.path, code: 1555, reason: reason)) {
            try context.session.database().run(insert)
        }
    }

    @Test("The same query can be run again while its rows are read, and both runs return all rows") func nestedQuery()
        throws
    {
        let (database, sql) = (try context.session.database(), "SELECT value FROM json_each('[1,2,3]')")
        let sums = try database.all(sql) { outer in
            try database.all(sql) { $0.integer(0) }.reduce(outer.integer(0), +)
        }
        #expect(sums == [7, 8, 9])
    }

    // Proves promise 10 of reliability.md, and feature B1 of seeds.md.
    @Test("Another program's INSERT, UPDATE or DELETE on quakes or history fails with an error")
    func otherProgramCannotWrite() throws {
        try context.record(.sample())
        try context.revise(1) { $0.magnitude = 5 }
        let other = try SQLiteFile(path: scratch.path, isReadOnly: false)
        for (table, column) in [
            ("quakes", "mag"), ("aliases", "quake"), ("transactions", "time"), ("changes", "kind"),
            ("rows_before", "mag"),
        ] {
            for statement in [
                "INSERT INTO \(table) SELECT * FROM \(table)", "INSERT OR REPLACE INTO \(table) SELECT * FROM \(table)",
                "UPDATE OR IGNORE \(table) SET \(column) = 1", "DELETE FROM \(table)",
            ] {
                let error = #expect(throws: SQLiteFile.Failure.self, "\(statement)") { try other.rows(statement) }
                let words = "a quakes cache can be changed only with the `quakes` program"
                #expect(error?.description.contains(words) == true, "\(statement): \(error?.description ?? "")")
            }
        }
        #expect(try context.fetch().map(\.quake.magnitude) == [5])
    }
}
