import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

@Suite(.computing, .scratch) struct MergedListTests {
    @Test(arguments: Thoroughness.seeds(20, of: 1_000))
    func aListWithHistoryMergedEqualsOneFetchedAnew(seeds: Range<Int>) throws {
        #expect(try seeds.filter { try !agrees(UInt64($0 + 1)) } == [])
    }

    private func agrees(_ seed: UInt64) throws -> Bool {
        var random = SplitMix64(state: seed &* 7919)
        return try ScratchStore.with { scratch, context in
            var story = RandomStory(seed: seed, context: context, clock: scratch.clock)
            for _ in 0..<8 { try story.step() }
            let descriptor = descriptor(&random)
            let reader = try scratch.store.context(access: .reading)
            var token = try reader.history.head()
            var quakes = try reader.fetch(descriptor)
            for _ in 0..<3 {
                for _ in 0..<(1 + random.next(4)) { try story.step() }
                token = try reader.history.merge(after: token, into: &quakes, fetchedBy: descriptor)
                guard try token == reader.history.head(), try quakes == reader.fetch(descriptor) else { return false }
            }
            return true
        }
    }

    private func descriptor(_ random: inout SplitMix64) -> QuakeDescriptor {
        let sorts: [QuakeSort] = [
            .time, .magnitude, .depth, .updated, .distance(from: GeographicPoint(latitude: 1, longitude: 2)),
        ]
        var filter = QuakeFilter()
        if random.next(2) == 0 { filter.minimumMagnitude = 2.5 }
        if random.next(3) == 0 { filter.networks = ["us"] }
        let keys = (0..<(1 + random.next(2))).map { _ in
            QuakeSortKey(sorts[random.next(sorts.count)], order: random.next(2) == 0 ? .forward : .reverse)
        }
        let isPage = random.next(4) == 0
        return QuakeDescriptor(
            filter: filter, sortedBy: keys, limit: isPage ? 3 : nil, offset: isPage ? random.next(3) : 0)
    }

    @Test func aListIsMergedFromEventsAlsoAfterEverythingWasDropped() throws {
        let (_, context) = try ScratchStore.ofTest()
        for index in 1...5 { try context.record(.sample("us\(index)", magnitude: Double(index))) }
        let descriptor = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 2), sort: .magnitude)
        var quakes = try context.fetch(descriptor)
        try context.revise(1) { $0.magnitude = 4.5 }
        try context.revise(5) { $0.magnitude = 1 }
        try context.maintenance.purge(QuakeFilter(minimumMagnitude: 3, maximumMagnitude: 3))
        var update = QuakeListUpdate()
        try context.history.fetch(HistoryDescriptor(start: .transaction(5))) { update.add($0) }
        try update.merge(into: &quakes, fetchedBy: descriptor)
        #expect(quakes.map(\.key) == [1, 4, 2])

        let foreign = HistoryToken(storeID: "0000000000000", number: 1, fingerprint: 1)
        var list = [StoredQuake(key: 99, quake: .sample("us99"))]
        update = QuakeListUpdate()
        try context.history.fetch(HistoryDescriptor(start: .token(foreign))) { update.add($0) }
        try update.merge(into: &list, fetchedBy: descriptor)
        #expect(list == quakes)
    }

    @Test func aPageIsNotMergedFromEventsAlone() throws {
        var quakes: [StoredQuake] = []
        let update = QuakeListUpdate()
        #expect(throws: QuakeListError.pageOfAList) {
            try update.merge(into: &quakes, fetchedBy: QuakeDescriptor(limit: 3))
        }
        #expect(throws: QuakeListError.pageOfAList) {
            try update.merge(into: &quakes, fetchedBy: QuakeDescriptor(offset: 1))
        }
        #expect(throws: QuakeListError.pendingChanges) {
            try update.merge(into: &quakes, fetchedBy: QuakeDescriptor(includesPending: true))
        }
    }
}
