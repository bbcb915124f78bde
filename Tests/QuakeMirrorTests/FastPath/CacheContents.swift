import QuakeModel

@testable import QuakeStore

/// Everything a cache file holds, read with plain SQL: what any other reader of the file would find.
struct CacheContents {
    /// The rows of one table in the order of their primary key: values by column, as SQL literals.
    typealias Table = [[String: String]]

    private let tables: [String: Table]
    /// Whom the newest snapshot of each feed confirmed, and when that snapshot was generated.
    let rosters: [String: (generated: Int64, keys: Set<Int64>)]

    /// Reads the file at `path`, whatever tables it has.
    init(path: String) throws {
        let database = try Database(path: path, access: .reading, configuration: StoreConfiguration())
        let names = try database.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_schema'"
        ) { $0.text(0) }
        tables = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Self.rows(of: $0, in: database)) })
        let lists = try database.all("SELECT name, generated, roster FROM feeds WHERE roster IS NOT NULL") { row in
            (row.text(0), (generated: row.integer(1), keys: Set(ListedKeys(packed: row.blob(2)).keys)))
        }
        rosters = Dictionary(uniqueKeysWithValues: lists)
    }

    private static func rows(of table: String, in database: Database) throws -> Table {
        let columns = try database.all("SELECT name FROM pragma_table_info(?)", table) { $0.text(0) }
        let literals = columns.map { "quote(\($0))" }.joined(separator: ", ")
        return try database.all("SELECT \(literals) FROM \(table) ORDER BY \(columns.prefix(2).joined(separator: ", "))") {
            row in
            Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($0.element, row.text(Int32($0.offset))) })
        }
    }

    /// The rows of the table called `name`.
    subscript(name: String) -> Table { tables[name] ?? [] }

    /// Every value in which the files differ, in words, but for the columns `ignored` names as `table.column`.
    func differences(from other: CacheContents, ignoring ignored: Set<String>) -> [String] {
        var found: [String] = []
        for name in Set(tables.keys).union(other.tables.keys).sorted() {
            let (left, right) = (self[name], other[name])
            if left.count != right.count { found.append("\(name): \(left.count) and \(right.count) rows") }
            for (index, (left, right)) in zip(left, right).enumerated() where left != right {
                for column in Set(left.keys).union(right.keys).sorted()
                where left[column] != right[column] && !ignored.contains("\(name).\(column)") {
                    let values = [left, right].map { $0[column] ?? "no column" }.joined(separator: ", ")
                    found.append("\(name), row \(index), \(column): \(values)")
                }
            }
        }
        return found
    }

    /// The `generated` of the newest snapshot that confirmed each quake, also of one that is deleted by now: its own stamp,
    /// or that of the newest roster that holds it.
    var confirmations: [Int64: Int64] {
        var confirmations: [Int64: Int64] = [:]
        for (table, key) in [("quakes", "key"), ("departed", "quake")] {
            for row in self[table] {
                guard let key = row[key].flatMap({ Int64($0) }) else { continue }
                confirmations[key] = row["confirmed"].flatMap { Int64($0) }
            }
        }
        for roster in rosters.values {
            for key in roster.keys { confirmations[key] = max(confirmations[key] ?? .min, roster.generated) }
        }
        return confirmations
    }
}
