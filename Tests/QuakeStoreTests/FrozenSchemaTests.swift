import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The layout of each released version, as recorded by SQLite, is stored in Tests/Frozen.
@Suite("The frozen database schema", .scratch) struct FrozenSchemaTests {
    @Test("A new cache has exactly the database schema that was released under its version number")
    func schemaIsFrozen() throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        _ = try QuakeContext(QuakeCache(path: path), access: .creating)
        let rows = try SQLiteFile(path: path).rows(
            "SELECT sql || ';' AS text FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
        let text = rows.compactMap { $0["text"]?.text }.joined(separator: "\n") + "\n"
        let name = "schema-\(Schema.current.version).sql"
        let file = Fixture.projectDirectory.appending(path: "Tests/Frozen/\(name)")
        if ProcessInfo.processInfo.environment["QUAKES_FREEZE"] != nil,
            !FileManager.default.fileExists(atPath: file.path)
        {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "A layout that differs from \(name) has a new number and a file")
    }
}
