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

extension Statement {
    /// The range between the times in column `first` and the next column.
    fileprivate func originTimes(_ first: Int32) -> Range<Timestamp> {
        timestamp(first)..<max(timestamp(first), timestamp(first + 1))
    }
}
