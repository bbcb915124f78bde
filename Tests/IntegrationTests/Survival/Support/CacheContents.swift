import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// All rows of a cache, read as by any other program. A missing or incomplete cache is empty.
struct CacheContents: Equatable, Sendable {
    /// Columns that differ between two runs of one command: the process, time-dependent fingerprints, the cache's id,
    /// and the checksum over all these.
    private static let accidental: Set<String> = [
        "pid", "fingerprint", "floor_fingerprint", "token", "store.id", "checksum",
    ]

    private var tables: [String: [String]] = [:]

    var isEmpty: Bool { tables.isEmpty }
    /// Whether the cache was created but never written to.
    var isNew: Bool { !isEmpty && tables.allSatisfy { $0.value.isEmpty || ["store", "pragma"].contains($0.key) } }

    /// - Parameters:
    ///   - comparable: whether to omit values that differ between two runs, including current times.
    ///   - asides: the tables to omit.
    init(ofCacheAt path: String, comparable: Bool = false, without asides: Set<String> = []) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        // A writable connection leaves no log behind.
        let file = try SQLiteFile(path: path, isReadOnly: false)
        let present = Timestamp.now.milliseconds
        for table in try file.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap({
            $0["name"]?.text
        }) where !asides.contains(table) {
            tables[table] = try file.rows("SELECT * FROM \"\(table)\"").map { row in
                row.compactMap { column, value in
                    if comparable, Self.accidental.contains(column) || Self.accidental.contains("\(table).\(column)") {
                        return nil
                    }
                    // No fixture has today's date.
                    if comparable, let moment = value.integer, abs(moment - present) < 86_400_000 {
                        return "\(column) now"
                    }
                    return "\(column) \(value)"
                }.sorted().joined(separator: ", ")
            }.sorted()
        }
        if !isEmpty { tables["pragma"] = try file.rows("PRAGMA user_version").map { "\($0)" } }
    }

    /// Some rows of the first table that differs.
    func difference(from other: CacheContents) -> String {
        for table in Set(tables.keys).union(other.tables.keys).sorted() where tables[table] != other.tables[table] {
            let (own, others) = (Set(tables[table] ?? []), Set(other.tables[table] ?? []))
            let (more, less) = (own.subtracting(others).sorted(), others.subtracting(own).sorted())
            return "\(table): \(Array(more.prefix(2))) instead of \(Array(less.prefix(2)))"
        }
        return "none"
    }
}

/// Opens the cache at `path` as the next command does, and checks every page and rule. Checks nothing if no cache was
/// ever completed.
func expectSound(
    _ path: String, _ comment: @autoclosure () -> String, sourceLocation location: SourceLocation = #_sourceLocation
) {
    do {
        let found = try QuakeContext(QuakeCache(path: path), access: .reading).maintenance.verify(full: true).findings
        #expect(found.isEmpty, "\(comment()): \(found)", sourceLocation: location)
    } catch StoreError.noCache {
        return
    } catch {
        Issue.record("\(comment()): \(error)", sourceLocation: location)
    }
}
