import FoundationEssentials

extension Coverage {
    init(in database: Database) throws {
        let questions = try database.all("SELECT id, since, until, reason FROM questions") { row in
            OpenQuestion(id: row.text(0), originTimes: row.originTimes(1), reason: row.text(3))
        }
        self.init(
            try Self.claims(in: database, "SELECT since, until, conditions, as_of, source FROM covered"),
            parts: try Self.claims(in: database, "SELECT since, until, conditions, since, 'backfill' FROM parts"),
            questions: questions)
    }

    private static func claims(in database: Database, _ sql: String) throws -> [Claim] {
        try database.all(sql) { row in
            guard let source = Claim.Source(rawValue: row.text(4)) else {
                throw StoreError.corrupt(path: database.path, reason: "the source of a claim cannot be read")
            }
            return Claim(
                source: source, conditions: try QuakeFilter(claimJSON: row.text(2), in: database.path),
                originTimes: row.originTimes(0), asOf: row.timestamp(3))
        }
    }

    static func change(in database: Database, _ change: (inout Coverage) -> Void) throws {
        let before = try Coverage(in: database)
        var after = before
        change(&after)
        guard after != before else { return }
        for table in [CheckedTable.parts, .covered, .questions] { try database.run("DELETE FROM \(table.name)") }
        for part in after.partClaims {
            try database.run(
                CheckedTable.parts.insertion(), part.originTimes.lowerBound.milliseconds,
                part.originTimes.upperBound.milliseconds, part.conditions.claimJSON)
        }
        for claim in after.claims {
            try database.run(
                CheckedTable.covered.insertion(), claim.originTimes.lowerBound.milliseconds,
                claim.originTimes.upperBound.milliseconds, claim.conditions.claimJSON, claim.asOf.milliseconds,
                claim.source.rawValue)
        }
        for question in after.questions {
            try database.run(
                CheckedTable.questions.insertion(), question.id, question.originTimes.lowerBound.milliseconds,
                question.originTimes.upperBound.milliseconds, question.reason)
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
