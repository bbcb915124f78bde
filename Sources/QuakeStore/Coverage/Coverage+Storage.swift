extension Coverage {
    init(in database: Database) throws {
        self.init(
            try Self.coveredRanges(in: database, "SELECT since, until, conditions, as_of, source FROM covered_ranges"),
            requested: try Self.coveredRanges(
                in: database, "SELECT since, until, conditions, since, source FROM requested_ranges"),
            idsInQuestion: try IDInQuestion.all(in: database))
    }

    private static func coveredRanges(in database: Database, _ sql: String) throws -> [CoveredRange] {
        // Decode each JSON string only once: most rows have the same conditions.
        var conditions: [String: QuakeFilter] = [:]
        return try database.all(sql) { row in
            guard let source = CoveredRange.Source(rawValue: row.text(4)) else {
                throw StoreError.corrupt(path: database.path, reason: "the source of a covered range cannot be read")
            }
            let json = row.text(2)
            let filter = try conditions[json] ?? QuakeFilter(coverageJSON: json, in: database.path)
            conditions[json] = filter
            return CoveredRange(
                source: source, conditions: filter, originTimes: row.originTimes(0), asOf: row.timestamp(3))
        }
    }

    static func change(in database: Database, _ change: (inout Coverage) -> Void) throws {
        let before = try Coverage(in: database)
        var after = before
        change(&after)
        guard after != before else { return }
        try RangeRow.replace(
            .requestedRanges, by: after.requestedRanges.map(RangeRow.init(requested:)), in: database)
        try RangeRow.replace(.coveredRanges, by: after.coveredRanges.map(RangeRow.init(covered:)), in: database)
        guard after.idsInQuestion != before.idsInQuestion else { return }
        try database.run("DELETE FROM ids_in_question")
        for idInQuestion in after.idsInQuestion {
            try database.run(
                CheckedTable.idsInQuestion.insertion(), idInQuestion.id,
                idInQuestion.originTimes.lowerBound.milliseconds,
                idInQuestion.originTimes.upperBound.milliseconds, idInQuestion.reason, idInQuestion.raised.milliseconds,
                idInQuestion.unsettledAnswers, idInQuestion.lastAnswer?.milliseconds)
        }
    }

    /// Returns a number that changes whenever a requested or covered range changes: the sum of the rows' checksums.
    static func fingerprint(in database: Database) throws -> Int64 {
        try database.all("SELECT checksum FROM requested_ranges UNION ALL SELECT checksum FROM covered_ranges") {
            $0.integer(0)
        }
        .reduce(0, &+)
    }
}

extension IDInQuestion {
    static func all(in database: Database) throws -> [IDInQuestion] {
        try database.all(
            "SELECT id, since, until, reason, raised, unsettled_answers, last_answer FROM ids_in_question ORDER BY id"
        ) { row in
            var idInQuestion = IDInQuestion(
                id: row.text(0), originTimes: row.originTimes(1), reason: row.text(3), raised: row.timestamp(4))
            idInQuestion.unsettledAnswers = Int(row.integer(5))
            idInQuestion.lastAnswer = row.timestampOrNil(6)
            return idInQuestion
        }
    }
}

extension Statement {
    /// The range from the time in column `first` to the time in the next column.
    fileprivate func originTimes(_ first: Int32) -> Range<Timestamp> {
        timestamp(first)..<max(timestamp(first), timestamp(first + 1))
    }
}
