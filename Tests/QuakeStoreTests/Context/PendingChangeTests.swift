import QuakeStore
import QuakeTestSupport
import Testing

@Suite struct PendingChangeTests {
    @Test func pendingChangesAreSeenInTheirArraysAndSavedAsOneTransaction() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context(author: "org.example.editor")
            for code in ["a", "b", "c"] { try context.edits.insert(Scenario.quake(code)) }
            #expect(context.edits.hasChanges)
            #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["a", "b", "c"])
            #expect(try context.fetchCount() == 0)
            let entry = try #require(try context.edits.save())
            #expect(entry.author == "org.example.editor")
            #expect(!context.edits.hasChanges)
            #expect(try context.fetchCount() == 3)

            let a = try #require(try context.quake(forID: "USA"))
            let b = try #require(try context.quake(forID: "usb"))
            var changed = a.quake
            changed.magnitude = 5
            try context.edits.update(a, to: changed)
            try context.edits.delete(b)
            #expect(try context.edits.changedQuakes.map(\.quake.magnitude) == [5])
            #expect(try context.edits.deletedQuakes == [b])
            #expect(try context.edits.save()?.number == TransactionNumber(entry.number.rawValue + 1))
            #expect(try context.history.transactions(after: 0).count == 2)
            #expect(try context.quake(forKey: a.key)?.quake == changed)
            #expect(try context.quake(forKey: b.key) == nil)
        }
    }

    @Test func insertingTheSameIDAgainUpdatesAndADeletedQuakeReturnsUnderItsKey() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.insert(Scenario.quake("a", mag: 4))
            try context.edits.save()
            try context.edits.insert(Scenario.quake("a", mag: 6))
            try context.edits.save()
            let stored = try #require(try context.fetch().first)
            #expect(try context.fetchCount() == 1)
            #expect(stored.quake.magnitude == 6)
            try context.edits.delete(stored)
            try context.edits.save()
            try context.edits.insert(Scenario.quake("a", mag: 7))
            try context.edits.save()
            #expect(try context.fetch().map(\.key) == [stored.key])
            try context.edits.insert(Scenario.quake("a", mag: 7))
            #expect(try context.edits.save() == nil, "nothing differs, so there is no entry")
        }
    }

    @Test func anUpdateWritesOnlyWhatTheCallerChanged() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let context = try scenario.context()
            try context.edits.insert(Scenario.quake("a", mag: 4, place: "old"))
            try context.edits.save()
            let stored = try #require(try context.fetch().first)
            var mine = stored.quake
            mine.magnitude = 5
            try context.edits.update(stored, to: mine)

            let other = try scenario.context()
            var theirs = stored.quake
            theirs.place = "new"
            try other.edits.update(stored, to: theirs)
            try other.edits.save()
            try context.edits.save()
            let result = try #require(try context.quake(forKey: stored.key))
            #expect(result.quake.magnitude == 5)
            #expect(result.quake.place == "new")
        }
    }

    @Test func deletionByFilterLeavesTombstonesAndRollbackLeavesNothing() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.transaction {
                for index in 0..<20 { try context.edits.insert(Scenario.quake("q\(index)", mag: Double(index))) }
            }
            var small = QuakeFilter()
            small.maximumMagnitude = 9
            try context.edits.delete(where: small)
            #expect(context.edits.pendingChanges == [.deleteAll(small)])
            context.edits.rollback()
            #expect(try context.edits.save() == nil)
            #expect(try context.fetchCount() == 20)
            try context.edits.delete(where: small)
            let entry = try #require(try context.edits.save())
            #expect(try context.fetchCount() == 10)
            var tombstones = 0
            try context.history.fetch(
                HistoryDescriptor(start: .transaction(TransactionNumber(entry.number.rawValue - 1)))
            ) { event in
                if case .change(let relevant) = event, relevant.change.before != nil { tombstones += 1 }
            }
            #expect(tombstones == 10)
        }
    }

    @Test func aFailingBlockLeavesNothingPendingAndNothingSaved() throws {
        struct Refusal: Error {}
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.insert(Scenario.quake("before"))
            #expect(throws: Refusal.self) {
                try context.edits.transaction {
                    try context.edits.insert(Scenario.quake("inside"))
                    throw Refusal()
                }
            }
            #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["before"])
            #expect(throws: Refusal.self) {
                try context.write { writer in
                    try writer.insert(Scenario.quake("writer"), reason: .new)
                    throw Refusal()
                }
            }
            #expect(try context.fetchCount() == 0)
            #expect(try context.history.transactions(after: 0).isEmpty)
        }
    }

    @Test func autosaveIsOffUnlessSet() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            do {
                let context = try scenario.context()
                try context.edits.insert(Scenario.quake("dropped"))
            }
            let context = try scenario.context()
            #expect(try context.fetchCount() == 0)
            context.edits.autosave = Autosave(afterOperations: 3)
            for code in ["a", "b"] { try context.edits.insert(Scenario.quake(code)) }
            #expect(context.edits.hasChanges)
            try context.edits.insert(Scenario.quake("c"))
            #expect(!context.edits.hasChanges)
            #expect(try context.fetchCount() == 3)
            do {
                let releasing = try scenario.context()
                releasing.edits.autosave = Autosave(onRelease: true)
                try releasing.edits.insert(Scenario.quake("kept"))
            }
            #expect(try context.fetchCount() == 4)
        }
    }

    @Test func listenersHearBeforeAndAfterASave() async throws {
        try await withScratchDirectory { directory in
            let (willSave, didSave) = try listen(directory)
            var announced: [[PendingChange]] = []
            for await changes in willSave { announced.append(changes) }
            var saved: [SavedChanges] = []
            for await changes in didSave { saved.append(changes) }
            #expect(announced.map(\.count) == [2, 3])
            #expect(saved.map(\.inserted) == [[1, 2], [3]])
            #expect(saved.map(\.updated) == [[], [1]])
            #expect(saved.map(\.deleted) == [[], [2]])
            #expect(saved.map(\.transaction.number) == [1, 2])
        }
    }

    private func listen(
        _ directory: ScratchDirectory
    ) throws -> (AsyncStream<[PendingChange]>, AsyncStream<SavedChanges>) {
        let context = try Scenario(directory).context()
        let streams = (context.edits.willSaveStream(), context.edits.didSaveStream())
        for code in ["a", "b"] { try context.edits.insert(Scenario.quake(code)) }
        try context.edits.save()
        let stored = try context.fetch(QuakeDescriptor()).sorted { $0.key < $1.key }
        var changed = stored[0].quake
        changed.magnitude = nil
        try context.edits.update(stored[0], to: changed)
        try context.edits.delete(stored[1])
        try context.edits.insert(Scenario.quake("c"))
        try context.edits.save()
        return streams
    }

    @Test func batchesHoldKeysAndFetchValuesLate() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.transaction {
                for index in 0..<25 { try context.edits.insert(Scenario.quake("q\(index)", mag: Double(index))) }
            }
            let batches = try context.fetch(QuakeDescriptor(sort: .magnitude), batchSize: 10)
            #expect(batches.count == 3)
            #expect(try batches[0].quakes().map(\.quake.magnitude) == (15...24).reversed().map { Double($0) })
            #expect(try batches.last?.quakes().count == 5)
            #expect(try batches.flatMap { try $0.quakes() } == context.fetch(QuakeDescriptor(sort: .magnitude)))
            #expect(try batches.identifiers == context.fetchIdentifiers(QuakeDescriptor(sort: .magnitude)))
            var sizes: [Int] = []
            try context.enumerate(QuakeDescriptor(), batchSize: 10) { sizes.append($0.count) }
            #expect(sizes == [10, 10, 5])
            sizes = []
            try context.enumerate(QuakeDescriptor(limit: 12), batchSize: 5) { sizes.append($0.count) }
            #expect(sizes == [5, 5, 2])
        }
    }

    @Test func refreshGivesFetchedQuakesTheirPresentValuesAndDropsTheGone() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let context = try scenario.context()
            try context.edits.transaction {
                for code in ["a", "b", "c"] { try context.edits.insert(Scenario.quake(code)) }
            }
            var fetched = try context.fetch(QuakeDescriptor()).sorted { $0.key < $1.key }
            let other = try scenario.context()
            try other.edits.transaction {
                try other.edits.insert(Scenario.quake("a", mag: 9))
                try other.edits.delete(fetched[1])
            }
            #expect(try context.refresh(fetched[1]) == nil)
            try context.refresh(&fetched)
            #expect(fetched.map(\.quake.code) == ["a", "c"])
            #expect(fetched[0].quake.magnitude == 9)
        }
    }

    @Test func aWriteInsideASnapshotIsRefusedInsteadOfLost() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.insert(Scenario.quake("a"))
            #expect(throws: StoreError.self) { try context.snapshot { try context.edits.save() } }
            #expect(context.edits.hasChanges)
        }
    }

    @Test func aContextSaysWhatItIs() throws {
        try withScratchDirectory { directory in
            let scenario = Scenario(directory)
            let context = try scenario.context(author: "org.example.alarm")
            #expect(context.cache.path == scenario.store.path)
            #expect(context.debugDescription.contains("author org.example.alarm, unpinned, 0 pending"))
            try context.pin(to: .current)
            #expect(context.debugDescription.contains("pinned at the next read"))
            let token = try context.history.head()
            #expect(context.debugDescription.contains("pinned to \(token)"))
        }
    }
}
