import Foundation
import QuakeTestSupport
import Testing

@Suite("The views of a cache", .scratch)
struct ViewDocumentTests {
    @Test("output.md has the columns of each view, all of them and in their order")
    func columns() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let file = try SQLiteFile(path: cache.path)
        let views = try file.rows("SELECT name AS text FROM sqlite_schema WHERE type = 'view' ORDER BY name")
            .compactMap { $0["text"]?.text }
        var documented: [String: [String]] = [:]
        for row in try Document("Documentation/output.md").tableRows where row.count == 2 && row[0].contains("_v1`") {
            let view = try #require(row[0].split(separator: "`").first)
            documented[String(view)] = row[1].split(separator: "`").map(String.init).filter { $0 != ", " }
        }
        #expect(documented.keys.sorted() == views)
        for view in views {
            let columns = try file.rows("SELECT name AS text FROM pragma_table_info('\(view)') ORDER BY cid")
            #expect(documented[view] == columns.compactMap { $0["text"]?.text })
        }
    }
}
