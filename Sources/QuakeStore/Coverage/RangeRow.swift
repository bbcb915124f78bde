/// A row of the table `requested_ranges` or `covered_ranges`.
struct RangeRow: Hashable {
    var since: Int64
    var until: Int64
    var conditions: String
    /// The time as of which the range is complete; nil in `requested_ranges`.
    var asOf: Int64?
    var source: String

    init(requested range: CoveredRange) {
        since = range.originTimes.lowerBound.milliseconds
        until = range.originTimes.upperBound.milliseconds
        conditions = range.conditions.coverageJSON
        source = range.source.rawValue
    }

    init(covered range: CoveredRange) {
        self.init(requested: range)
        asOf = range.asOf.milliseconds
    }

    private init(_ row: Statement) {
        since = row.integer(1)
        until = row.integer(2)
        conditions = row.text(3)
        asOf = row.integerOrNil(4)
        source = row.text(5)
    }

    /// Makes `table` contain exactly these rows. Writes only rows that differ, because years of feeds leave hundreds of
    /// rows.
    static func replace(_ table: CheckedTable, by rows: [RangeRow], in database: Database) throws {
        var missing = Set(rows)
        let asOf = table.columns.contains("as_of") ? "as_of" : "NULL"
        let stored = try database.all("SELECT rowid, since, until, conditions, \(asOf), source FROM \(table.name)") {
            ($0.integer(0), RangeRow($0))
        }
        for (number, row) in stored where missing.remove(row) == nil {
            try database.run("DELETE FROM \(table.name) WHERE rowid = ?", number)
        }
        for row in rows where missing.contains(row) { try row.insert(into: table, database) }
    }

    private func insert(into table: CheckedTable, _ database: Database) throws {
        if let asOf {
            try database.run(table.insertion(), since, until, conditions, asOf, source)
        } else {
            try database.run(table.insertion(), since, until, conditions, source)
        }
    }
}
