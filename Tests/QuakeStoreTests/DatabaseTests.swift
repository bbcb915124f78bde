import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The guarantees of the layer over SQLite.
@Suite(.scratch)
struct DatabaseTests {
    @Test func everyCommitWaitsForTheDisk() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        #expect(try context.database().integer("PRAGMA synchronous") == 2)
        #expect(try scratch.store.context().database().integer("PRAGMA synchronous") == 2)
        try context.sources.save(FeedRecord(name: "all_week"))
        #expect(try context.database().integer("PRAGMA synchronous") == 2)
    }

    @Test func aNoteAboutAFeedDoesNotWaitForTheDisk() throws {
        let (_, context) = try ScratchStore.ofTest()
        let inside = try context.connection.withoutWaitingForDisk {
            try context.inTransaction(.writing) { try context.database().integer("PRAGMA synchronous") }
        }
        #expect(inside == 1)
    }

    @Test func aWriteAfterAFailureToRestoreTheSettingWaitsForTheDisk() throws {
        let (_, context) = try ScratchStore.ofTest()
        // Inside a transaction that is left open, the setting cannot be restored.
        #expect(throws: StoreError.self) {
            try context.connection.withoutWaitingForDisk { try context.connection.begin(.reading) }
        }
        #expect(try context.database().integer("PRAGMA synchronous") == 1)
        try context.connection.rollBack()
        let inside = try context.write { _ in try context.database().integer("PRAGMA synchronous") }
        #expect(inside.result == 2)
    }

    @Test func aValueThatCannotBeBoundIsAnError() throws {
        let (_, context) = try ScratchStore.ofTest()
        let statement = try context.database().prepare("SELECT ?")
        #expect(throws: StoreError.self) { try statement.bind(2, Int64(1)) }
        #expect(throws: StoreError.self) { try statement.bindAll("one", "too many") }
    }

    @Test func aRefusedStatementNamesSQLitesReasonAndExtendedCode() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let insert = "INSERT INTO consumers (name, token, number, seen, checksum) VALUES ('a', '', 0, 0, 0)"
        try context.database().execute(insert)
        let reason = "UNIQUE constraint failed: consumers.name"
        #expect(throws: StoreError.statement(path: scratch.path, code: 1555, reason: reason)) {
            try context.database().run(insert)
        }
    }

    @Test(arguments: ["", "é", "Pa\u{304}hala", "no\u{301}", "a\nb"]) func textComesBackByteForByte(text: String) throws
    {
        let (_, context) = try ScratchStore.ofTest()
        let back = try context.database().first("SELECT ?, typeof(?)", text, text) { [$0.text(0), $0.text(1)] }
        #expect(back?.map { Array($0.utf8) } == [Array(text.utf8), Array("text".utf8)])
    }

    @Test func aQuestionInsideItsOwnAnswerHasAStatementOfItsOwn() throws {
        let (_, context) = try ScratchStore.ofTest()
        let (database, sql) = (try context.database(), "SELECT value FROM json_each('[1,2,3]')")
        let sums = try database.all(sql) { outer in
            try database.all(sql) { $0.integer(0) }.reduce(outer.integer(0), +)
        }
        #expect(sums == [7, 8, 9])
    }

    @Test func anotherProgramCannotWriteQuakes() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try context.record(.sample())
        let other = try SQLiteFile(path: scratch.path, isReadOnly: false)
        #expect(throws: SQLiteFile.Failure.self) { try other.rows("DELETE FROM quakes") }
        #expect(try context.fetchCount() == 1)
    }
}
