import QuakeTestSupport
import Testing

@testable import QuakeStore

/// The index that each of the library's statements uses, according to SQLite. Statements without one are slow only with
/// millions of quakes, but the plan is the same with fifty.
@Suite("Query plans", .scratch) final class QueryPlanTests: SuiteWithCache {
    private static let fields: [QuakeProperty] = [.time, .mag, .depth, .id, .place]
    private static let since = Timestamp(milliseconds: 1_773_489_600_000) - .seconds(1000)

    /// Fills the cache with a history of every kind of change.
    override init() throws {
        try super.init()
        try context.write { writer in
            for index in 0..<50 {
                try writer.insert(.sample("us70\(index)", minutesAgo: Int64(index)), reason: .new)
            }
        }
        for magnitude in [1.0, 2, 3] {
            for key in [QuakeKey(1), 2, 7] { try context.revise(key) { $0.magnitude = magnitude } }
        }
        let gone = try #require(try context.quake(key: 3))
        try context.write { try $0.delete(gone, reason: .merged, mergedInto: 4) }
    }

    /// The position after the first transaction.
    private var firstToken: HistoryToken { get throws { try context.history.token(afterTransaction: 1) } }

    /// Returns the plan of a listing's only statement.
    private func list(_ change: (inout QuakeDescriptor) -> Void) throws -> QueryPlan {
        var descriptor = QuakeDescriptor()
        change(&descriptor)
        // In a snapshot, the rows come from the traced connection, not from a separate reader.
        let plans = try context.plans {
            try context.snapshot { try context.forEachRow(descriptor, fields: Self.fields) { _ in } }
        }
        try #require(plans.count == 1)
        return plans[0]
    }

    // MARK: Counting regions

    @Test("Counting quakes by region reads the newest ones by index, up to a fixed number") func regions() throws {
        let plans = try context.plans { _ = try context.regions() }
        try #require(plans.count == 1)
        #expect(plans[0].has("SCAN quakes USING INDEX quakes_by_time") && plans[0].sql.contains("LIMIT"), "\(plans[0])")
    }

    // MARK: Listing

    @Test("Newest-first lists filtered by magnitude or time are read from an index without sorting") func lists() throws
    {
        let end = Self.since + .seconds(600)
        let (scan, search) = ("SCAN quakes USING INDEX quakes_by_time", "SEARCH quakes USING INDEX quakes_by_time")
        // Otherwise nothing would be printed before all are sorted, and the last day would cost as much as all years.
        for (step, change) in [
            (scan, { $0.limit = 20 }), (scan, { $0.filter.minimumMagnitude = 2 }),
            ("\(search) (time>?)", { $0.filter.since = Self.since }),
            ("\(search) (time>?)", { $0.filter = QuakeFilter(minimumMagnitude: 2, since: Self.since) }),
            ("\(search) (time>? AND time<?)", { $0.filter = QuakeFilter(since: Self.since, until: end) }),
            (
                "\(search) (time>? AND time<?)",
                { $0.filter = QuakeFilter(minimumMagnitude: 2, since: Self.since, until: end) }
            ),
        ] as [(String, (inout QuakeDescriptor) -> Void)] {
            let plan = try list(change)
            #expect(plan.has(step) && !plan.sorts, "\(plan)")
        }
        // From the oldest, only those of one moment are sorted.
        let plan = try list { ($0.sortKeys, $0.limit) = ([QuakeSortKey(.time, order: .forward)], 20) }
        #expect(plan.has(scan) && !plan.has("USE TEMP B-TREE FOR ORDER BY"), "\(plan)")
    }

    @Test("Counting quakes with a magnitude and time filter reads only the time index") func count() throws {
        let plans = try context.plans {
            _ = try context.fetchCount(QuakeFilter(minimumMagnitude: 2))
            _ = try context.fetchCount(QuakeFilter(minimumMagnitude: 2, since: Self.since))
        }
        // Otherwise every row would be read, which has ten times the bytes.
        #expect(plans[0].has("SCAN quakes USING COVERING INDEX quakes_by_time"), "\(plans[0])")
        #expect(plans[1].has("SEARCH quakes USING COVERING INDEX quakes_by_time (time>?)"), "\(plans[1])")
    }

    // MARK: One quake

    @Test("Finding a quake by any of its ids takes two index lookups") func idLookup() throws {
        let plans = try context.plans { _ = try context.quake(id: "US701") }
        // Otherwise each id of each feature would scan all aliases: a month's import would never end.
        #expect(
            plans.map(\.steps) == [
                ["SEARCH aliases USING PRIMARY KEY (alias=?)"],
                ["SEARCH quakes USING INTEGER PRIMARY KEY (rowid=?)"],
            ])
        let back = try context.plans { _ = try context.aliases(ofKey: 1) }
        #expect(
            back.map(\.steps) == [
                ["SEARCH i USING COVERING INDEX aliases_by_quake (quake=?)", "SEARCH a USING PRIMARY KEY (alias=?)"]
            ])
    }

    @Test("The history of one quake is read through an index, not by scanning all changes") func historyOfQuake() throws
    {
        let plans = try context.plans { _ = try context.history.changes(ofKey: 1) }
        let walk = try #require(plans.first { $0.sql.contains("FROM changes c") })
        // Otherwise `history ID` would read every change of every quake.
        #expect(walk.has("SEARCH c USING INDEX changes_by_quake (quake=?"), "\(walk)")
        for plan in plans { #expect(!plan.sorts && !plan.walks("c") && !plan.walks("changes"), "\(plan)") }
    }

    // MARK: Changes

    @Test("Changes since a token are read without sorting or scanning earlier history") func changesSinceToken() throws
    {
        let token = try firstToken
        let plans = try context.plans {
            var descriptor = HistoryDescriptor(start: .token(token))
            descriptor.limit = 2
            while let end = try context.end(descriptor), end.hasMore { descriptor.start = .token(end.token) }
        }
        let walk = try #require(plans.first { $0.sql.contains("FROM changes c") })
        // Otherwise ten changes would cost as much as the whole history.
        #expect(walk.has("SEARCH c USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), "\(walk)")
        #expect(walk.has("SEARCH q USING INTEGER PRIMARY KEY (rowid=?)"), "\(walk)")
        let rebuilding = try #require(plans.first { $0.sql.contains("FROM rows_before") })
        // Otherwise each state to be rebuilt would scan the history once more.
        #expect(
            rebuilding.has("SEARCH changes USING COVERING INDEX changes_by_quake (quake=? AND rowid>?)"),
            "\(rebuilding)")
        expectNoWalk(plans)
        for plan in plans { #expect(!plan.sorts, "\(plan)") }
    }

    @Test("Computing net changes since a token reads only the changes after that token") func netEffects() throws {
        let token = try firstToken
        let plans = try context.plans {
            var descriptor = HistoryDescriptor(start: .token(token))
            descriptor.isCoalesced = true
            descriptor.authors = ["test"]
            _ = try context.events(descriptor)
        }
        let grouping = try #require(plans.first { $0.sql.contains("GROUP BY") })
        // With the index by quake, the grouping would need no sorting but would read the whole index.
        #expect(grouping.has("SEARCH c USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), "\(grouping)")
        expectNoWalk(plans)
    }

    // MARK: Refreshing

    @Test("The quakes in a feed's period and their hashes are read from an index alone") func fingerprints() throws {
        let plans = try context.plans {
            _ = try context.sources.fingerprints(in: Self.since...Self.since + .seconds(600))
        }
        let plan = try #require(plans.first { $0.sql.contains("hash") })
        // Otherwise a refresh that changes nothing would read a month's rows.
        #expect(plan.steps == ["SEARCH quakes USING COVERING INDEX quakes_by_time (time>? AND time<?)"], "\(plan)")
    }

    @Test("Writes, deletions and undos find their rows by key without scanning a table") func writing() throws {
        let plans = try context.plans {
            try context.write { writer in
                _ = try writer.target(ofID: "us701")
                _ = try context.sources.fingerprint(ofID: "us701")
                let known = try #require(try writer.knownQuake(2))
                let revised = known.stored.quake.with { $0.magnitude = 5 }
                try writer.update(known.stored, to: revised, reason: .revised)
                try writer.confirm(2, RowSource(hash: 1, sourceTime: 1))
                try writer.delete(StoredQuake(key: 2, quake: revised), reason: .merged, mergedInto: 4)
                try writer.insert(revised, reason: .restored, key: 2)
                try writer.drop(.absent, of: 2)
            }
            _ = try context.undo(transaction: context.history.currentToken().number)
        }
        #expect(
            plans.contains {
                $0.sql.hasPrefix("UPDATE quakes") && $0.has("SEARCH quakes USING INTEGER PRIMARY KEY")
            })
        #expect(
            plans.contains {
                $0.sql.contains("FROM aliases") && $0.steps.contains { $0.contains("aliases_by_quake") }
            })
        // Otherwise ten thousand of them would scan a table ten thousand times.
        expectNoWalk(plans)
    }

    // MARK: The past

    @Test("A list of a past state merges the current index with the rows changed since then") func pastList() throws {
        let token = try firstToken
        let building = try context.plans(ofPastAt: HistoryPosition(token: token))
        try context.pin(to: .token(token))
        // Otherwise yesterday would cost the whole history.
        #expect(building.contains { $0.has("SEARCH c USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") })
        expectNoWalk(building)

        let newest = try list { $0.limit = 20 }
        #expect(newest.has("MERGE (UNION ALL)") && newest.has("SCAN quakes USING INDEX quakes_by_time"), "\(newest)")
        // Otherwise each quake would search through all changed quakes.
        #expect(newest.has("USING ROWID SEARCH ON TABLE past_touched FOR IN-OPERATOR"), "\(newest)")
        // Only the quakes changed since are sorted, in the second arm.
        #expect(newest.steps.count { $0.hasPrefix("USE TEMP B-TREE") } == 1, "\(newest)")
        #expect(newest.steps.suffix(2) == ["SCAN past_quakes", "USE TEMP B-TREE FOR ORDER BY"], "\(newest)")

        let window = try list { ($0.filter.since, $0.filter.minimumMagnitude) = (Self.since, 2) }
        #expect(window.has("SEARCH quakes USING INDEX quakes_by_time (time>?)"), "\(window)")

        let one = try context.plans { _ = try context.quake(key: 1) }
        #expect(one.count == 1 && one[0].has("SEARCH quakes USING INTEGER PRIMARY KEY (rowid=?)"))
        #expect(one[0].has("SEARCH past_quakes USING INDEX past_by_key (key=?)"))
        expectNoWalk(try context.plans { _ = try context.quake(id: "us705") })
    }

    // MARK: Purging

    @Test("Neither a purge of quakes nor a purge of history scans a whole table") func purge() throws {
        let token = try firstToken
        let quakes = try context.plans { _ = try context.maintenance.purge(QuakeFilter(until: Self.since)) }
        expectNoWalk(quakes)

        let history = try context.plans { _ = try context.history.trim(through: token.number) }
        let removal = try #require(history.first { $0.sql.hasPrefix("DELETE FROM changes") })
        #expect(removal.has("SEARCH changes USING INTEGER PRIMARY KEY (rowid<?)"), "\(removal)")
        expectNoWalk(history)
    }

    /// Expects that no table that grows forever is scanned from one end to the other.
    private func expectNoWalk(_ plans: [QueryPlan], sourceLocation: SourceLocation = #_sourceLocation) {
        let tables = [
            "quakes", "q", "changes", "c", "l", "transactions", "t", "aliases", "a", "i", "departed",
            "unconfirmed_changes",
        ]
        for plan in plans {
            #expect(!tables.contains(where: plan.walks), "\(plan)", sourceLocation: sourceLocation)
        }
    }
}
