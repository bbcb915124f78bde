import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

@Suite struct PinTests {
    private func filled(_ scenario: Scenario, _ count: Int = 10) throws -> QuakeContext {
        let context = try scenario.context()
        try context.edits.transaction {
            for index in 0..<count { try context.edits.insert(Scenario.quake("q\(index)", mag: Double(index))) }
        }
        return context
    }

    @Test func aNoteAboutAFeedIsKeptWhereTheContextIsPinned() throws {
        try withScratchDirectory { directory in
            let context = try filled(Scenario(directory))
            try context.pin(to: .current)
            #expect(try context.fetchCount() == 10)
            try context.sources.save(FeedRecord(name: "all_day"))
            #expect(try context.sources.feed(named: "all_day") != nil)
        }
    }

    @Test func aPinnedContextReadsOneGenerationUntilItAdvances() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let writer = try filled(scenario)
            let reader = try scenario.store.context(access: .reading)
            try reader.pin(to: .current)
            // The pin is fixed at the next read, not at the call.
            try writer.edits.transaction { try writer.edits.insert(Scenario.quake("before")) }
            let head = try reader.history.head()
            let pinned = try reader.contents()
            #expect(pinned.count == 11)
            try writer.maintenance.purge(QuakeFilter())
            _ = try writer.history.delete(through: try writer.history.head().number)
            try? writer.maintenance.compact()
            #expect(try reader.contents() == pinned)
            #expect(try reader.fetchCount() == 11)
            #expect(try reader.history.head() == head)
            #expect(try reader.maintenance.statistics().quakes == 11)
            #expect(try reader.history.transactions(after: 0).count == 2)
            try reader.advance()
            #expect(try reader.fetchCount() == 0)
            try reader.unpin()
            try writer.edits.transaction { try writer.edits.insert(Scenario.quake("after")) }
            #expect(try reader.fetchCount() == 1)
        }
    }

    @Test func anOldGenerationKeepsAnsweringWhenItsHistoryIsPurged() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let writer = try filled(scenario)
            let then = try writer.contents()
            let token = try writer.history.head()
            var small = QuakeFilter()
            small.maximumMagnitude = 4
            try writer.maintenance.purge(small)
            let reader = try scenario.store.context(access: .reading)
            try reader.pin(to: .token(token))
            let other = try scenario.store.context(access: .reading)
            try other.pin(to: .of(reader))
            #expect(try other.history.head() == token)
            _ = try writer.history.delete(through: try writer.history.head().number)
            try writer.maintenance.purge(QuakeFilter())
            #expect(try reader.contents() == then)
            #expect(try reader.fetchCount(small) == 5)
            #expect(try reader.fetchIdentifiers(QuakeDescriptor(sort: .magnitude, limit: 3, offset: 1)) == [9, 8, 7])
            #expect(try other.contents() == then)
            let late = try scenario.store.context(access: .reading)
            try late.pin(to: .of(reader))
            #expect(try late.contents() == then, "two contexts agree as long as one of them reads the generation")
            #expect(throws: StoreError.generationExpired(floor: 2)) { try late.pin(to: .token(token)) }
            #expect(try late.fetchCount() == 0, "a context that could not be pinned is unpinned")
        }
    }

    @Test func everyFaultOfATokenIsToldApart() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let context = try filled(scenario)
            let head = try context.history.head()
            let foreign = HistoryToken(storeID: "0000000000000", number: 1, fingerprint: 1)
            let future = HistoryToken(storeID: head.storeID, number: 9, fingerprint: 1)
            let forked = HistoryToken(storeID: head.storeID, number: 1, fingerprint: head.fingerprint &+ 1)
            for (token, fault) in [(foreign, TokenFault.foreign), (future, .future), (forked, .forked)] {
                #expect(throws: StoreError.token(fault)) { try context.pin(to: .token(token)) }
            }
        }
    }

    @Test func twoContextsCanReadTheSameGeneration() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let writer = try filled(scenario)
            let first = try scenario.store.context(access: .reading)
            try first.pin(to: .current)
            let then = try first.contents()
            try writer.maintenance.purge(QuakeFilter())
            let second = try scenario.store.context(access: .reading)
            try second.pin(to: .of(first))
            #expect(try second.history.head() == first.history.head())
            #expect(try second.contents() == then)
            try first.pin(to: .of(first))
            #expect(try first.contents() == then)
            let third = try scenario.store.context(access: .reading)
            try third.pin(to: .of(writer))
            #expect(try third.fetchCount() == 0, "an unpinned context reads the present")
        }
    }

    @Test func aSaveGoesToThePresentAndAdvancesThePin() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let other = try filled(scenario)
            let context = try scenario.context()
            let token = try context.history.head()
            try other.edits.transaction { try other.edits.insert(Scenario.quake("theirs")) }
            try context.pin(to: .token(token))
            #expect(try context.fetchCount() == 10)
            try context.edits.insert(Scenario.quake("mine"))
            #expect(try context.fetchCount() == 10)
            try context.edits.save()
            #expect(context.isPinned)
            #expect(try context.fetchCount() == 12)
            try other.maintenance.purge(QuakeFilter())
            #expect(try context.fetchCount() == 12)
        }
    }

    @Test func aFailedWriteLeavesThePinWhereItWas() throws {
        struct Refusal: Error {}
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let context = try filled(scenario)
            let token = try context.history.head()
            try context.edits.transaction { try context.edits.insert(Scenario.quake("later")) }
            try context.pin(to: .token(token))
            #expect(throws: Refusal.self) { try context.write { _ in throw Refusal() } }
            #expect(try context.fetchCount() == 10)
            #expect(try context.history.head() == token)
        }
    }

    @Test func aPinCannotMoveInsideASnapshot() throws {
        try withScratchDirectory { directory in
            let context = try filled(Scenario(directory))
            try context.snapshot {
                #expect(throws: StoreError.self) { try context.pin(to: .current) }
                #expect(throws: StoreError.self) { try context.unpin() }
            }
        }
    }

    @Test func historyOfAPinnedContextEndsAtItsGeneration() throws {
        try withScratchDirectory { directory in
            let context = try filled(Scenario(directory))
            let token = try context.history.head()
            try context.maintenance.purge(QuakeFilter())
            try context.pin(to: .token(token))
            var kinds: [ChangeKind] = []
            var end: HistoryEnd?
            try context.history.fetch { event in
                if case .change(let relevant) = event { kinds.append(relevant.change.kind) }
                if case .end(let last) = event { end = last }
            }
            #expect(kinds == Array(repeating: .insert, count: 10))
            #expect(end?.token == token)
            var resynced = 0
            let foreign = HistoryToken(storeID: "0000000000000", number: 1, fingerprint: 1)
            try context.history.fetch(HistoryDescriptor(start: .token(foreign))) { event in
                if case .resync = event { resynced += 1 }
            }
            #expect(resynced == 10)
            #expect(try context.history.changes(ofKey: 1).map(\.reason) == [.edited])
        }
    }

    @Test func aMomentMeansTheLastTransactionUpToIt() throws {
        try withScratchDirectory { directory in
            let clock = Clock()
            let scenario = Scenario(directory, now: { clock.now })
            let context = try scenario.context()
            for index in 1...3 {
                clock.set(Int64(index) * 1000)
                try context.edits.transaction { try context.edits.insert(Scenario.quake("q\(index)")) }
            }
            for (moment, count) in [(Int64(1000), 1), (2999, 2), (9000, 3)] {
                try context.pin(to: .moment(Timestamp(milliseconds: moment)))
                #expect(try context.fetchCount() == count)
            }
            #expect(throws: StoreError.beforeHistory(begins: Timestamp(milliseconds: 1000))) {
                try context.pin(to: .moment(Timestamp(milliseconds: 999)))
            }
            _ = try context.history.delete(before: .transaction(3))
            #expect(throws: StoreError.generationExpired(floor: 2)) {
                try context.pin(to: .moment(Timestamp(milliseconds: 1500)))
            }
            try context.pin(to: .moment(Timestamp(milliseconds: 2000)))
            #expect(try context.fetchCount() == 2)
        }
    }

    /// Before, only quakes that changed since were searched.
    @Test func anIDThatWasSplitOffLedToTheQuakeThatListedIt() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            func learn(at seconds: Int64, _ body: (StoreEdits) throws -> Void) throws -> HistoryToken {
                let provenance = HistoryTransaction.Provenance(generated: Timestamp(milliseconds: seconds * 1000))
                try body(context.edits)
                try context.edits.save(TransactionOrigin(provenance: provenance))
                return try context.history.head()
            }
            func keys() throws -> [QuakeKey?] { try ["usa", "CI4", "pr5"].map { try context.key(ofID: $0) } }

            let listing = Scenario.quake("a").with { $0.ids = PublishedSet(members: ["usa", "ci4"]) }
            let first = try learn(at: 10) { try $0.insert(listing) }
            let split = try learn(at: 20) { try $0.insert(contentsOf: [listing, Scenario.quake("4", net: "ci")]) }
            _ = try learn(at: 15) { try $0.insert(Scenario.quake("5", net: "pr")) }
            #expect(try keys() == [1, 2, 3])
            // First as the split left it, then with the listing quake changed, then also with the split one changed.
            for key in [nil, 1, 2] as [QuakeKey?] {
                try context.unpin()
                if let stored = try key.flatMap({ try context.quake(forKey: $0) }) {
                    _ = try learn(at: 30) { try $0.update(stored, to: stored.quake.with { $0.magnitude = 6 }) }
                }
                try context.pin(to: .token(first))
                #expect(try keys() == [1, 1, nil], "\(String(describing: key))")
                #expect(try context.quake(forID: "ci4")?.quake == listing)
                try context.pin(to: .token(split))
                #expect(try keys() == [1, 2, nil], "\(String(describing: key))")
                try context.pin(to: .published(Timestamp(milliseconds: 17_000)))
                #expect(try keys() == [1, 1, 3], "\(String(describing: key))")
            }
        }
    }
}

/// A clock that stands still until it is set.
private final class Clock: Sendable {
    private let milliseconds = Mutex<Int64>(0)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func set(_ value: Int64) { milliseconds.withLock { $0 = value } }
}
