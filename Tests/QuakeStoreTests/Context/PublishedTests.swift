import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("States at a publication time", .scratch) final class PublishedTests: SuiteWithCache {
    /// Fills the cache from two feeds, of which the second was read late and is older than the end of the first.
    override init() throws {
        try super.init()
        try learn(context, 10, ["us1": 1, "us2": 2])
        try learn(context, 30, ["us1": 1.3])
        try learn(context, 50, ["us1": 1.5, "us4": 4])
        try learn(context, 20, ["us3": 3])
        try learn(context, 40, ["us2": 2.4, "us3": nil])
    }

    /// Minutes after the tests' sample time.
    private func minute(_ minute: Int64) -> Timestamp { .sample + .seconds(60 * minute) }

    /// Applies a snapshot published at `minute` with these magnitudes; a quake without one is deleted.
    private func learn(_ context: QuakeContext, _ minute: Int64?, _ magnitudes: KeyValuePairs<String, Double?>) throws {
        let provenance = minute.map { HistoryTransaction.Provenance(generated: self.minute($0)) }
        try context.write(TransactionOrigin(purpose: "all_day", provenance: provenance)) { writer in
            for (id, magnitude) in magnitudes {
                let stored = try context.quake(id: id)
                switch (stored, magnitude) {
                case (let stored?, let magnitude?):
                    try writer.update(stored, to: .sample(id, magnitude: magnitude), reason: .revised)
                case (let stored?, nil): try writer.delete(stored, reason: .retracted)
                case (nil, let magnitude): try writer.insert(.sample(id, magnitude: magnitude), reason: .new)
                }
            }
        }
    }

    private func magnitudes(_ context: QuakeContext) throws -> [String: Double] {
        Dictionary(uniqueKeysWithValues: try context.fetch().map { ($0.quake.id, $0.quake.magnitude ?? -9) })
    }

    private func magnitudes(_ context: QuakeContext, published minute: Int64) throws -> [String: Double] {
        try context.pin(to: .published(self.minute(minute)))
        return try magnitudes(context)
    }

    @Test("A state at a publication time shows each quake as of the snapshots published by then")
    func statesOfQuakes() throws {
        let expected: [(Int64, [String: Double])] = [
            (10, ["us1": 1, "us2": 2]), (19, ["us1": 1, "us2": 2]), (20, ["us1": 1, "us2": 2, "us3": 3]),
            (30, ["us1": 1.3, "us2": 2, "us3": 3]), (45, ["us1": 1.3, "us2": 2.4]),
            (50, ["us1": 1.5, "us2": 2.4, "us4": 4]), (999, ["us1": 1.5, "us2": 2.4, "us4": 4]),
        ]
        for (minute, magnitudes) in expected {
            #expect(try self.magnitudes(context, published: minute) == magnitudes, "\(minute)")
            #expect(try context.fetchCount() == magnitudes.count)
            #expect(try context.maintenance.statistics().quakes == magnitudes.count)
        }
    }

    @Test("Edits in a row after a snapshot all belong to the state at its publication time") func edits() throws {
        try learn(context, nil, ["us1": nil])
        try learn(context, nil, ["us2": nil])
        #expect(try magnitudes(context, published: 45) == ["us1": 1.3, "us2": 2.4])
        #expect(try magnitudes(context, published: 50) == ["us4": 4])
    }

    @Test("In a state at a publication time, the history includes only changes published by then") func history() throws
    {
        let keys = try ["us1", "us3"].map { try #require(try context.key(ofID: $0)) }
        try context.pin(to: .published(minute(30)))
        #expect(try context.history.transactions(after: 0).map(\.number) == [1, 2, 4])
        #expect(try context.history.changes(ofKey: keys[0]).map(\.after?.magnitude) == [1, 1.3])
        #expect(try context.history.changes(ofKey: keys[1]).map(\.kind) == [.insert])
        #expect(try context.key(ofID: "us4") == nil && context.key(ofID: "us3") == keys[1])
        #expect(try context.aliases(ofKey: keys[1]) == ["us3"])
        let statistics = try context.maintenance.statistics()
        #expect(statistics.transactions == 3 && statistics.changes == 4)
        #expect(try context.relevantChanges().map(\.transaction.number) == [1, 1, 2, 4])
        #expect(try context.history.transaction(3) == nil && context.history.transaction(4) != nil)
    }

    @Test("Reading a state at a publication time finds later changes through an index") func queryPlan() throws {
        let plans = try context.plans(ofPastAt: context.history.position(publishedAt: minute(30)))
        let walk = try #require(plans.first { $0.sql.contains("changes later") })
        #expect(walk.has("SEARCH c USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), "\(walk)")
        #expect(walk.has("SEARCH later USING INDEX changes_by_quake"), "\(walk)")
        // Each transaction is read once, not once for each change.
        #expect(walk.steps.count { $0.hasPrefix("LIST SUBQUERY") } == 1, "\(walk)")
        #expect(!walk.steps.contains { $0.hasPrefix("CORRELATED LIST SUBQUERY") }, "\(walk)")
    }

    @Test("A state pinned at a publication time never changes, even if an earlier snapshot is applied")
    func sharedGeneration()
        throws
    {
        try context.pin(to: .published(minute(30)))
        let then = try magnitudes(context)
        let writer = try QuakeContext(scratch.store, access: .writing)
        try learn(writer, 25, ["us5": 5])
        let other = try QuakeContext(scratch.store, access: .reading)
        try other.pin(to: .of(context))
        #expect(try magnitudes(other) == then && magnitudes(context) == then)
        #expect(try magnitudes(other, published: 30) == then.merging(["us5": 5]) { $1 })
    }

    @Test("Changes since a publication time are exactly those published after that time") func changesSince() throws {
        var descriptor = HistoryDescriptor(start: .published(minute(30)))
        #expect(try context.relevantChanges(descriptor).map(\.transaction.number) == [3, 3, 5, 5])
        #expect(try context.end(descriptor)?.token == context.history.currentToken())
        for (moment, end) in [(Int64(10), Int64(45)), (20, 30), (30, 60), (45, 60), (5, 30)] {
            descriptor = HistoryDescriptor(start: .published(minute(moment)))
            descriptor.isCoalesced = true
            var copy = moment < 10 ? [:] : try magnitudes(context, published: moment)
            try context.pin(to: .published(minute(end)))
            for change in try context.relevantChanges(descriptor).map(\.change) {
                if let before = change.before { copy[before.id] = nil }
                if let after = change.after { copy[after.id] = after.magnitude }
            }
            #expect(try copy == magnitudes(context), "\(moment) to \(end)")
        }
    }

    @Test("A pinned context rejects a request for changes since a state later than the pinned one")
    func stateOutsidePin() throws {
        let tokens = try [2, 3, 4].map { try context.history.token(afterTransaction: $0) }
        try context.pin(to: .published(minute(30)))
        #expect(throws: StoreError.token(.future)) {
            try context.events(HistoryDescriptor(start: .token(tokens[2])), resyncs: false)
        }
        #expect(throws: StoreError.token(.future)) {
            try context.events(HistoryDescriptor(start: .published(minute(31))), resyncs: false)
        }
        #expect(try context.relevantChanges(HistoryDescriptor(start: .token(tokens[0]))).count == 1)
        try context.pin(to: .token(tokens[1]))
        #expect(throws: StoreError.token(.future)) {
            try context.events(HistoryDescriptor(start: .published(minute(30))), resyncs: false)
        }
    }

    @Test("A purge or an edit gets the publication time of the newest snapshot applied before it")
    func localTransactions() throws {
        try ScratchStore.with { _, context in
            try learn(context, nil, ["us9": 9])
            #expect(throws: StoreError.beforeFirstSnapshot(published: nil)) {
                try context.pin(to: .published(minute(0)))
            }
            try learn(context, 10, ["us1": 1])
            try learn(context, 30, ["us1": 1.3])
            try context.maintenance.purge(QuakeFilter())
            #expect(try magnitudes(context, published: 10) == ["us9": 9, "us1": 1])
            #expect(try magnitudes(context, published: 29) == ["us9": 9, "us1": 1])
            #expect(try magnitudes(context, published: 30) == [:])
        }
    }

    @Test("Pinning to a time before the first snapshot throws an error with that snapshot's time")
    func beforeFirstSnapshot() throws {
        #expect(throws: StoreError.beforeFirstSnapshot(published: minute(10))) {
            try context.pin(to: .published(minute(9)))
        }
        #expect(try context.relevantChanges(HistoryDescriptor(start: .published(minute(9)))).count == 8)
    }

    @Test("Pinning to a publication time whose history was purged throws an error") func purgedHistory() throws {
        let then = try magnitudes(context, published: 55)
        try context.unpin()
        // The first five minutes of the current state include only transactions 1 to 3, of which 3 is the newest.
        _ = try context.history.trim(through: 3)
        for minute in [Int64(10), 30, 49] {
            #expect(throws: StoreError.generationExpired(trimmedThrough: 3)) {
                try context.pin(to: .published(self.minute(minute)))
            }
        }
        #expect(try magnitudes(context, published: 50) == then)
        try context.unpin()
        #expect(try context.events(HistoryDescriptor(start: .published(minute(20)))).first == .dropEverything(.expired))
        _ = try context.history.trim(before: .published(minute(50)))
        #expect(try context.history.floor().number == 5)
    }

    @Test("Purging history before a publication time keeps all changes published later") func purgeBefore() throws {
        #expect(try context.history.trim(before: .published(minute(45)), dryRun: true).trimmedThrough == 2)
        #expect(try context.history.trim(before: .published(minute(5)), dryRun: true).trimmedThrough == 0)
    }
}
