import FoundationEssentials

extension Coverage {
    init(in database: Database) throws {
        self.init(
            try Self.claims(in: database, "SELECT since, until, conditions, as_of, source FROM covered"),
            parts: try Self.claims(in: database, "SELECT since, until, conditions, since, 'backfill' FROM parts"),
            questions: try OpenQuestion.all(in: database))
    }

    private static func claims(in database: Database, _ sql: String) throws -> [Claim] {
        // Most rows have the same conditions.
        var conditions: [String: QuakeFilter] = [:]
        return try database.all(sql) { row in
            guard let source = Claim.Source(rawValue: row.text(4)) else {
                throw StoreError.corrupt(path: database.path, reason: "the source of a claim cannot be read")
            }
            let json = row.text(2)
            let filter = try conditions[json] ?? QuakeFilter(claimJSON: json, in: database.path)
            conditions[json] = filter
            return Claim(
                source: source, conditions: filter, originTimes: row.originTimes(0), asOf: row.timestamp(3))
        }
    }

    static func change(in database: Database, _ change: (inout Coverage) -> Void) throws {
        let before = try Coverage(in: database)
        var after = before
        change(&after)
        guard after != before else { return }
        try StoredTimes.replace(.parts, by: after.partClaims.map(StoredTimes.init(part:)), in: database)
        try StoredTimes.replace(.covered, by: after.claims.map(StoredTimes.init(covered:)), in: database)
        guard after.questions != before.questions else { return }
        try database.run("DELETE FROM questions")
        for question in after.questions {
            try database.run(
                CheckedTable.questions.insertion(), question.id, question.originTimes.lowerBound.milliseconds,
                question.originTimes.upperBound.milliseconds, question.reason, question.raised.milliseconds,
                question.unsettledAnswers, question.lastAnswer?.milliseconds)
        }
    }

    /// A number that changes with every part and claim: the sum of the rows' checksums.
    static func fingerprint(in database: Database) throws -> Int64 {
        try database.all("SELECT checksum FROM parts UNION ALL SELECT checksum FROM covered") { $0.integer(0) }
            .reduce(0, &+)
    }
}

extension OpenQuestion {
    static func all(in database: Database) throws -> [OpenQuestion] {
        try database.all(
            "SELECT id, since, until, reason, raised, unsettled_answers, last_answer FROM questions ORDER BY id"
        ) { row in
            var question = OpenQuestion(
                id: row.text(0), originTimes: row.originTimes(1), reason: row.text(3), raised: row.timestamp(4))
            question.unsettledAnswers = Int(row.integer(5))
            question.lastAnswer = row.timestampOrNil(6)
            return question
        }
    }
}

/// A row of the table `parts` or `covered`.
private struct StoredTimes: Hashable {
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

extension Statement {
    /// The range between the times in column `first` and the next column.
    fileprivate func originTimes(_ first: Int32) -> Range<Timestamp> {
        timestamp(first)..<max(timestamp(first), timestamp(first + 1))
    }
}

/// The conditions of a claim as stored in the cache: a JSON object of ``QuakeFilter/claimMembers``.
extension QuakeFilter {
    var claimJSON: String {
        let json = JSONWriter()
        json.value(Record(claimMembers.map { ($0.name, $0.value) }))
        return json.take { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads conditions stored in the cache at `path`; throws if they are damaged.
    init(claimJSON json: String, in path: String) throws(StoreError) {
        guard let members = try? JSONDecoder().decode([String: FilterValue].self, from: Data(json.utf8)) else {
            throw .corrupt(path: path, reason: "the conditions of a claim cannot be read")
        }
        self.init(claimMembers: members)
    }
}

extension FilterValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let numbers = try? value.decode([Double].self) {
            self = .numbers(numbers)
        } else {
            self = .words(try value.decode([String].self))
        }
    }
}
