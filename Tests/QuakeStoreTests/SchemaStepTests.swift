import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The next step of the schema, as Documentation/adding.md shows it.
@Suite("Schema upgrades", .serialized, .scratch) struct SchemaStepTests {
    private static let remark = "remark"

    private static let addRemark = SchemaStep { database in
        try database.addColumn("remark TEXT", to: withRemark(.quakes))
        try database.addColumn("remark TEXT", to: withRemark(.rowsBefore))
    }

    private static let nextSchema = Schema(steps: SchemaStep.all + [addRemark])

    /// The table as a program of the next version would read and write it.
    private static func withRemark(_ table: CheckedTable) -> CheckedTable {
        CheckedTable(
            table.name, key: table.key, "remark TEXT", bound: (table.columns + [remark]).joined(separator: ", "))
    }

    private static func open(_ path: String, schema: Schema) throws -> Database {
        try Database(cacheAt: path, access: .creating, configuration: StoreConfiguration(), schema: schema)
    }

    private static func faults(of table: CheckedTable, in database: Database) throws -> [Int64] {
        try database.all(table.faultsQuery) { $0.integer(0) }
    }

    @Test("Adding a column to a 1.0 cache keeps all 100,000 quakes, and a damaged row is still found")
    func addedColumn()
        throws
    {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        let frozen = Fixture.projectDirectory.appending(path: "Tests/Frozen/cache-1.0.db")
        try FileManager.default.copyItem(atPath: frozen.path, toPath: path)
        let before = try Self.grow(path, to: 100_000)
        try SQLiteFile(path: path, isReadOnly: false).rows("DROP TRIGGER guard_quakes_update")
        try SQLiteFile(path: path, isReadOnly: false).rows("UPDATE quakes SET mag = 9.9 WHERE key = 2")

        let start = ContinuousClock.now
        let database = try Self.open(path, schema: Self.nextSchema)
        let duration = ContinuousClock.now - start
        print("A column added to 100,000 quakes: \(duration)")

        #expect(try database.integer("PRAGMA user_version") == 2)
        #expect(try database.integer("SELECT count(*) FROM quakes") == before.quakes)
        #expect(try database.integer("SELECT count(*) FROM rows_before") == before.rowsBefore)
        #expect(try database.integer("SELECT count(*) FROM quakes WHERE remark IS NULL") == before.quakes)
        #expect(try Self.faults(of: Self.withRemark(.quakes), in: database) == [2])
        #expect(try Self.faults(of: Self.withRemark(.rowsBefore), in: database) == [])
    }

    @Test("A new cache and a cache upgraded to the same version have the same schema") func newCache() throws {
        let directory = try ScratchDirectory.ofTest()
        let new = try Self.open(directory.path("new.db"), schema: Self.nextSchema)
        let old = try Self.open(directory.path("old.db"), schema: .current)
        try old.execute("DROP VIEW solutions_v1; CREATE VIEW solutions_v1 AS SELECT key FROM quakes")
        let upgraded = try Self.open(directory.path("old.db"), schema: Self.nextSchema)
        let text = "SELECT group_concat(sql, ';') FROM sqlite_schema"
        #expect(try new.first(text) { $0.text(0) } == (try upgraded.first(text) { $0.text(0) }))
    }

    @Test("If one step of a schema upgrade fails, the cache keeps its old schema") func failingStep() throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        _ = try Self.open(path, schema: .current)
        let failing = SchemaStep { _ in throw StoreError.notACache(path: path) }
        #expect(throws: StoreError.self) {
            try Self.open(path, schema: Schema(steps: SchemaStep.all + [Self.addRemark, failing]))
        }
        let database = try Self.open(path, schema: .current)
        #expect(try database.integer("SELECT count(*) FROM pragma_table_info('quakes') WHERE name = 'remark'") == 0)
    }

    @Test("A cache with a schema newer than the program's is rejected and left unchanged") func laterSchema() throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        _ = try Self.open(path, schema: Self.nextSchema)
        let expected = StoreError.otherSchema(path: path, found: 2, supported: 1)
        #expect(throws: expected) { try Self.open(path, schema: .current) }
        #expect(try Self.open(path, schema: Self.nextSchema).integer("PRAGMA user_version") == 2)
    }

    /// Adds quakes to the cache until it has `count`, and returns how many rows it then has.
    private static func grow(_ path: String, to count: Int) throws -> (quakes: Int64, rowsBefore: Int64) {
        let context = try QuakeContext(QuakeCache(path: path), access: .writing)
        let present = try context.fetchCount()
        try context.write { writer in
            for number in present..<count {
                let quake = Quake(sample: "xx\(number)", time: .sample + .seconds(-60 * number))
                try writer.insert(quake, reason: .new)
            }
        }
        let database = try open(path, schema: .current)
        return (
            try #require(try database.integer("SELECT count(*) FROM quakes")),
            try #require(try database.integer("SELECT count(*) FROM rows_before"))
        )
    }
}
