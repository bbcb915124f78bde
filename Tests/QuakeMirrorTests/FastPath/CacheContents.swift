import QuakeTestSupport

@testable import QuakeStore

/// The entire contents of a cache file, read with plain SQL as any other reader would.
struct CacheContents {
    /// The rows of one table in the order of their primary key, as values by column.
    typealias Table = [[String: SQLiteFile.Value]]

    private let tables: [String: Table]

    /// Reads the file at `path`, whatever tables it has.
    init(path: String) throws {
        let file = try SQLiteFile(path: path)
        let names = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_schema'")
            .compactMap { $0["name"]?.text }
        tables = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try file.rows("SELECT * FROM \($0) ORDER BY 1, 2")) })
    }

    subscript(name: String) -> Table { tables[name] ?? [] }

    /// Describes every value in which the files differ, except in the columns `ignored`, named as `table.column`.
    func differences(from other: CacheContents, ignoring ignored: Set<String>) -> [String] {
        var found: [String] = []
        for name in Set(tables.keys).union(other.tables.keys).sorted() {
            let (left, right) = (self[name], other[name])
            if left.count != right.count { found.append("\(name): \(left.count) and \(right.count) rows") }
            for (index, (left, right)) in zip(left, right).enumerated() where left != right {
                for column in Set(left.keys).union(right.keys).sorted()
                where left[column] != right[column] && !ignored.contains("\(name).\(column)") {
                    found.append(
                        "\(name), row \(index), \(column): \(Self.text(left[column])), \(Self.text(right[column]))")
                }
            }
        }
        return found
    }

    private static func text(_ value: SQLiteFile.Value?) -> String { value.map { "\($0)" } ?? "no column" }
}

extension CacheContents {
    /// The quakes confirmed by the newest snapshot of each feed, and when that snapshot was generated.
    var rosters: [String: (generated: Int64, keys: Set<Int64>)] {
        var rosters: [String: (Int64, Set<Int64>)] = [:]
        for row in self["feeds"] {
            guard let name = row["name"]?.text, let generated = row["generated"]?.integer,
                let packed = row["roster"]?.blob
            else { continue }
            rosters[name] = (generated, Set(ListedKeys(packed: packed).keys.map(\.rawValue)))
        }
        return rosters
    }

    /// The `generated` of the newest snapshot that confirmed each quake, even a deleted one: its own stamp, or that of
    /// the newest roster that contains it.
    var confirmations: [Int64: Int64] {
        var confirmations: [Int64: Int64] = [:]
        for (table, key) in [("quakes", "key"), ("departed", "quake")] {
            for row in self[table] {
                guard let key = row[key]?.integer else { continue }
                confirmations[key] = row["source_time"]?.integer
            }
        }
        for roster in rosters.values {
            for key in roster.keys { confirmations[key] = max(confirmations[key] ?? .min, roster.generated) }
        }
        return confirmations
    }
}
