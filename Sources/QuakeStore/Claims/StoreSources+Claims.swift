import FoundationEssentials
public import QuakeModel

extension StoreSources {
    /// What the cache holds, the earliest origin times first.
    public func claims() throws -> [Claim] { try ledger().claims.filter { !$0.isVoid } }

    /// The claims that updates keep up to date: those of backfills, the void ones too.
    package func keptClaims() throws -> [Claim] { try ledger().keptClaims }

    /// What backfills asked for and have not fetched yet, the earliest origin times first; ``Claim/asOf`` is where the
    /// request began.
    package func unfinishedBackfills() throws -> [Claim] { try ledger().unfinished }

    /// The origin time ranges whose quakes may be missing, oldest first: between two that complete documents have
    /// covered, and further back than the longest feed reaches at `now`. What came before the first snapshot is no gap,
    /// nor is what was purged.
    public func gaps(at now: Timestamp) throws -> [Range<Timestamp>] { try ledger().gaps(at: now) }

    /// The earliest range, from the start of `filter` to its end or that of the coverage, in which the cache may lack
    /// quakes that it accepts; nil if there is none, or if it has no start.
    package func firstGap(in filter: QuakeFilter) throws -> Range<Timestamp>? { try ledger().firstGap(in: filter) }

    /// Removes claims of backfills: those whose conditions `filter` includes, in its times. No update keeps their
    /// quakes up to date any more; the quakes stay.
    ///
    /// - Returns: What was removed.
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
    /// What the cache holds, as this transaction sees it.
    package func claims() throws -> [Claim] { try ClaimLedger(in: database).claims }

    /// The claims that updates keep up to date, as this transaction sees them.
    package func keptClaims() throws -> [Claim] { try ClaimLedger(in: database).keptClaims }

    package func claimEpoch() throws -> Int64 { try database.claimEpoch() }

    /// Notes that the cache holds what `claim` says from this transaction on, after what it deleted until now.
    package func add(_ claim: Claim) throws {
        try writing {
            try settleLosses()
            _ = try ClaimLedger.change(in: database) { $0.add(claim) }
        }
    }

    /// Notes what a backfill begins to ask for (``StoreSources/unfinishedBackfills()``).
    package func beginBackfill(of missing: [Claim]) throws {
        try writing { _ = try ClaimLedger.change(in: database) { $0.begin(missing) } }
    }

    /// Notes that a backfill of what `filter` accepts in these origin times has ended.
    package func finishBackfill(of filter: QuakeFilter, in originTimes: Range<Timestamp>) throws {
        try writing { _ = try ClaimLedger.change(in: database) { $0.finish(filter, in: originTimes) } }
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

    /// The sources of what is no claim: ``purged`` and ``unfinished``.
    static let (purgedSource, unfinishedSource) = ("purged", "unfinished")

    init(in database: Database) throws {
        var (claims, purged, unfinished): ([Claim], [Range<Timestamp>], [Claim]) = ([], [], [])
        try database.forEach(
            "SELECT source, since, until, as_of, open_ended, conditions FROM claimed ORDER BY since, as_of"
        ) { row in
            let originTimes = row.timestamp(1)..<max(row.timestamp(1), row.timestamp(2))
            // Feeds covered what was purged since.
            guard row.text(0) != Self.purgedSource else { return purged.append(originTimes) }
            let source = Claim.Source(rawValue: row.text(0))
            let claim = Claim(
                source: source ?? .backfill, conditions: try QuakeFilter(claimJSON: row.text(5), in: database.path),
                originTimes: originTimes, asOf: row.timestamp(3), isOpenEnded: row.integer(4) != 0)
            if source == nil { unfinished.append(claim) } else { claims.append(claim) }
        }
        self.init(claims, purged: purged, unfinished: unfinished)
    }

    static func change(in database: Database, _ change: (inout ClaimLedger) -> Void) throws -> Bool {
        let before = try ClaimLedger(in: database)
        var after = before
        change(&after)
        guard after != before else { return false }
        try database.run("DELETE FROM \(CheckedTable.claims.name)")
        for claim in after.claims { try claim.insert(into: database, as: claim.source.rawValue) }
        for originTimes in after.purged {
            try Claim(originTimes: originTimes, asOf: originTimes.upperBound).insert(into: database, as: purgedSource)
        }
        for part in after.unfinished { try part.insert(into: database, as: unfinishedSource) }
        return true
    }
}

extension Claim {
    fileprivate func insert(into database: Database, as source: String) throws {
        try database.run(
            CheckedTable.claims.insertion(), source, originTimes.lowerBound.milliseconds,
            originTimes.upperBound.milliseconds, asOf.milliseconds, isOpenEnded ? 1 : 0, conditions.claimJSON)
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
