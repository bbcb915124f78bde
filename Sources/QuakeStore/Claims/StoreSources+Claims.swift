import FoundationEssentials
public import QuakeModel

extension StoreSources {
    /// What the cache holds, the earliest origin times first.
    public func claims() throws -> [Claim] { try ledger().claims.filter { !$0.isVoid } }

    /// The claims that updates keep up to date: those of backfills, the void ones too.
    package func keptClaims() throws -> [Claim] { try ledger().keptClaims }

    /// The origin time ranges whose quakes may be missing, oldest first: those between two that complete
    /// documents have covered, and what lies further back than the longest feed reaches at `now`. What came before the
    /// first snapshot is no gap, and neither is what was purged.
    public func gaps(at now: Timestamp) throws -> [Range<Timestamp>] { try ledger().gaps(at: now) }

    /// Removes claims of backfills: those whose conditions `filter` includes, in its times. No update keeps their
    /// quakes up to date any more; the quakes stay.
    ///
    /// - Returns: what was taken back.
    @discardableResult
    public func forgetClaims(_ filter: QuakeFilter = QuakeFilter()) throws -> [Claim] {
        let (first, last) = (filter.since ?? Timestamp.representable.lowerBound, filter.until)
        var forgotten: [Claim] = []
        try context.inTransaction(.writing) {
            let hasChanged = try ClaimLedger.change(in: context.database()) { ledger in
                forgotten = ledger.forget(
                    filter.withoutTimes, in: first..<max(first, last ?? Timestamp.representable.upperBound))
            }
            if hasChanged { try context.database().raiseEpoch() }
        }
        return forgotten
    }

    /// The epoch of the claims: a plan that was made of them is good as long as it stays.
    package func claimEpoch() throws -> Int64 { try context.database().claimEpoch() }

    func ledger() throws -> ClaimLedger { try ClaimLedger(in: context.database()) }
}

extension QuakeWriter {
    /// The claims that updates keep up to date, as this transaction sees them.
    package func keptClaims() throws -> [Claim] { try ClaimLedger(in: database).keptClaims }

    /// The epoch of the claims (``StoreSources/claimEpoch()``).
    package func claimEpoch() throws -> Int64 { try database.claimEpoch() }

    /// Notes that the cache holds what `claim` says from this transaction on, after what it deleted until now.
    package func add(_ claim: Claim) throws {
        try writing {
            try settleLosses()
            _ = try ClaimLedger.change(in: database) { $0.add(claim) }
        }
    }

    /// Notes that the changes of these origin times which were published before `moment` are in the cache.
    package func advanceClaims(_ originTimes: Range<Timestamp>, to moment: Timestamp) throws {
        try writing { _ = try ClaimLedger.change(in: database) { $0.advance(originTimes, to: moment) } }
    }

    /// Removes the claims that are no longer true without the quakes of `losses`. The epoch rises even where none of
    /// them was claimed: a backfill may be about to claim the window that brought them.
    ///
    /// - Returns: the claims that are not as they were, and what is left of them.
    func takeBack(_ losses: ClaimLosses, purge: QuakeFilter?) throws -> (taken: [Claim], left: [Claim]) {
        let before = try ClaimLedger(in: database).claims
        _ = try ClaimLedger.change(in: database) { ledger in
            ledger.takeBack(losses.byClaim, stopping: losses.stopped, purge: purge)
            ledger.takeBack(daysOf: losses.deletedByDocuments)
        }
        try database.raiseEpoch()
        let after = try ClaimLedger(in: database).claims
        let (earlier, later) = (Set(before), Set(after))
        return (before.filter { !later.contains($0) }, after.filter { !earlier.contains($0) })
    }
}

extension Database {
    func claimEpoch() throws -> Int64 { try integer("SELECT epoch FROM store") ?? 0 }

    /// Ends the plans that were made before: above the present epoch, and above `other`.
    func raiseEpoch(above other: Int64 = 0) throws {
        try run(CheckedTable.store.update([("epoch", "max(epoch, ?1) + 1")], where: "singleton = 1"), other)
    }
}

// MARK: Storage

extension ClaimLedger {
    fileprivate var keptClaims: [Claim] { claims.filter { $0.source == .backfill } }

    /// The source of what is no claim: ``purged``.
    private static let purgedSource = "purged"

    init(in database: Database) throws {
        let (table, conditions) =
            try database.has(.claims)
            ? (CheckedTable.claims, "conditions") : (CheckedTable.firstClaims, SchemaUpgrade.conditionsOfVersion1)
        let rows = try database.all(
            """
            SELECT source, since, until, as_of, open_ended, \(conditions) FROM \(table.name) ORDER BY since, as_of
            """
        ) { try Row($0, in: database.path) }
        self.init(
            rows.compactMap { row in
                row.source.map { source in
                    Claim(
                        source: source, conditions: row.conditions, originTimes: row.originTimes, asOf: row.asOf,
                        isOpenEnded: row.isOpenEnded)
                }
            }, purged: rows.filter { $0.source == nil }.map(\.originTimes))
    }

    /// Changes the ledger of `database`, and returns whether that made a difference.
    static func change(in database: Database, _ change: (inout ClaimLedger) -> Void) throws -> Bool {
        let before = try ClaimLedger(in: database)
        var after = before
        change(&after)
        guard after != before else { return false }
        try database.run("DELETE FROM \(CheckedTable.claims.name)")
        for claim in after.claims { try Row(claim).insert(into: database) }
        for originTimes in after.purged {
            try Row(Claim(originTimes: originTimes, asOf: originTimes.upperBound), isPurged: true).insert(
                into: database)
        }
        return true
    }

    /// A row of the table.
    private struct Row {
        /// Nil where feeds covered what was purged since.
        var source: Claim.Source?
        var conditions: QuakeFilter
        var originTimes: Range<Timestamp>
        var asOf: Timestamp
        var isOpenEnded: Bool

        init(_ claim: Claim, isPurged: Bool = false) {
            source = isPurged ? nil : claim.source
            (conditions, originTimes) = (claim.conditions, claim.originTimes)
            (asOf, isOpenEnded) = (claim.asOf, claim.isOpenEnded)
        }

        init(_ row: Statement, in path: String) throws {
            source = Claim.Source(rawValue: row.text(0))
            let (since, until) = (Timestamp(milliseconds: row.integer(1)), Timestamp(milliseconds: row.integer(2)))
            originTimes = since..<max(since, until)
            asOf = Timestamp(milliseconds: row.integer(3))
            isOpenEnded = row.integer(4) != 0
            conditions = try QuakeFilter(claimJSON: row.text(5), in: path)
        }

        func insert(into database: Database) throws {
            try database.run(
                CheckedTable.claims.insertion(), source?.rawValue ?? ClaimLedger.purgedSource,
                originTimes.lowerBound.milliseconds, originTimes.upperBound.milliseconds, asOf.milliseconds,
                isOpenEnded ? 1 : 0, conditions.claimJSON)
        }
    }
}

/// The conditions of a claim as the cache keeps them: a JSON object of ``QuakeFilter/claimMembers``.
extension QuakeFilter {
    var claimJSON: String {
        let members = claimMembers.map { name, value in "\(JSONText.quoted(name)):\(value.json)" }
        return "{\(members.joined(separator: ","))}"
    }

    /// Reads the conditions that the cache at `path` keeps; throws where the file is damaged.
    init(claimJSON json: String, in path: String) throws(StoreError) {
        guard let members = try? JSONDecoder().decode([String: FilterValue].self, from: Data(json.utf8)) else {
            throw .corrupt(path: path, reason: "the conditions of a claim cannot be read")
        }
        self.init(claimMembers: members)
    }
}

extension FilterValue {
    fileprivate var json: String {
        switch self {
        case .number(let number): "\(number)"
        case .numbers(let numbers): "[\(numbers.map { "\($0)" }.joined(separator: ","))]"
        case .words(let words): "[\(words.map { JSONText.quoted($0) }.joined(separator: ","))]"
        }
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
