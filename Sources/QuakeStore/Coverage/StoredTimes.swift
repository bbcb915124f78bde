/// A row of the table `parts` or `covered`.
struct StoredTimes: Hashable {
    var since: Int64
    var until: Int64
    var conditions: String
    /// Nil in `parts`, as is the source.
    var asOf: Int64?
    var source: String?

    init(part: Claim) {
        since = part.originTimes.lowerBound.milliseconds
        until = part.originTimes.upperBound.milliseconds
        conditions = part.conditions.claimJSON
    }

    init(covered claim: Claim) {
        self.init(part: claim)
        asOf = claim.asOf.milliseconds
        source = claim.source.rawValue
    }

    private init(_ row: Statement) {
        since = row.integer(1)
        until = row.integer(2)
        conditions = row.text(3)
        asOf = row.integerOrNil(4)
        source = row.textOrNil(5)
    }

    /// Makes `table` contain exactly these rows. Writes only rows that differ, because years of feeds leave hundreds.
    static func replace(_ table: CheckedTable, by rows: [StoredTimes], in database: Database) throws {
        var missing = Set(rows)
        let others = table.columns.contains("as_of") ? "as_of, source" : "NULL, NULL"
        let stored = try database.all("SELECT rowid, since, until, conditions, \(others) FROM \(table.name)") {
            ($0.integer(0), StoredTimes($0))
        }
        for (number, row) in stored where missing.remove(row) == nil {
            try database.run("DELETE FROM \(table.name) WHERE rowid = ?", number)
        }
        for row in rows where missing.contains(row) { try row.insert(into: table, database) }
    }

    private func insert(into table: CheckedTable, _ database: Database) throws {
        if let asOf, let source {
            try database.run(table.insertion(), since, until, conditions, asOf, source)
        } else {
            try database.run(table.insertion(), since, until, conditions)
        }
    }
}
