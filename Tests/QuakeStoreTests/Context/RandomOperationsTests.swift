import QuakeStore
import QuakeTestSupport
import Testing

/// Compares reads of past states with a model that keeps every state in memory.
@Suite(.computing) struct RandomOperationsTests {
    @Test(arguments: Thoroughness.seeds(5, of: 1_000))
    func everyGenerationOfRandomHistoriesEqualsTheModel(seeds: Range<Int>) throws {
        #expect(try seeds.filter { try !agrees(UInt64($0 + 1)) } == [])
    }

    private func agrees(_ seed: UInt64) throws -> Bool {
        var random = SplitMix64(state: seed)
        return try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            var states: [(token: HistoryToken, quakes: [QuakeKey: Quake])] = [(try context.history.head(), [:])]
            var model: [QuakeKey: Quake] = [:]
            var gone: [QuakeKey: Quake] = [:]
            for _ in 0..<(6 + random.next(6)) {
                let entry = try context.write { writer in
                    for _ in 0..<(1 + random.next(6)) { try change(&model, &gone, writer, &random) }
                }.transaction
                if entry != nil { states.append((try context.history.head(), model)) }
            }
            let floor = random.next(4) == 0 ? random.next(states.count) : 0
            if floor > 0 { _ = try context.history.delete(through: states[floor].token.number) }
            return try states.indices.allSatisfy { index in
                try isRight(context, states[index], isGone: index < floor, &random)
            }
        }
    }

    private func isRight(
        _ context: QuakeContext, _ state: (token: HistoryToken, quakes: [QuakeKey: Quake]), isGone: Bool,
        _ random: inout SplitMix64
    ) throws -> Bool {
        do {
            try context.pin(to: .token(state.token))
        } catch StoreError.generationExpired {
            return isGone
        }
        var filter = QuakeFilter()
        filter.minimumMagnitude = Double(random.next(8))
        let sorts: [QuakeSort] = [
            .time, .magnitude, .depth, .updated, .feltReports, .significance,
            .distance(from: GeographicPoint(latitude: 1, longitude: 2)),
        ]
        let keys = (0..<(1 + random.next(3))).map { _ in
            QuakeSortKey(sorts[random.next(sorts.count)], order: random.next(2) == 0 ? .forward : .reverse)
        }
        let descriptor = QuakeDescriptor(filter: filter, sortedBy: keys)
        let listed = try context.fetch(descriptor)
        let wanted = state.quakes.filter { filter.accepts($0.value) }
        let offset = random.next(3)
        let page = try context.fetchIdentifiers(
            QuakeDescriptor(filter: filter, sortedBy: keys, limit: 3, offset: offset))
        return try !isGone && context.contents() == state.quakes
            && context.fetchCount(filter) == wanted.count
            && Dictionary(uniqueKeysWithValues: listed.map { ($0.key, $0.quake) }) == wanted
            && page == Array(listed.map(\.key).dropFirst(offset).prefix(3))
            && (1...12).allSatisfy { try context.quake(forKey: QuakeKey($0))?.quake == state.quakes[QuakeKey($0)] }
    }

    private func change(
        _ model: inout [QuakeKey: Quake], _ gone: inout [QuakeKey: Quake], _ writer: QuakeWriter,
        _ random: inout SplitMix64
    ) throws {
        let live = model.keys.sorted()
        let departed = gone.keys.sorted()
        switch random.next(10) {
        case 0..<3 where !live.isEmpty, 3..<6 where !live.isEmpty:
            let key = live[random.next(live.count)]
            guard let quake = model[key] else { return }
            let old = StoredQuake(key: key, quake: quake)
            let new = revised(old.quake, &random)
            try writer.update(old, to: new, reason: .revised)
            if !new.differences(from: old.quake).isEmpty { model[key] = new }
        case 6 where !live.isEmpty:
            let key = live[random.next(live.count)]
            guard let quake = model.removeValue(forKey: key) else { return }
            gone[key] = quake
            try writer.delete(StoredQuake(key: key, quake: quake), reason: .retracted)
        case 7 where !departed.isEmpty:
            let key = departed[random.next(departed.count)]
            guard let last = gone.removeValue(forKey: key) else { return }
            let quake = revised(last, &random)
            try writer.insert(quake, reason: .restored, key: key)
            model[key] = quake
        default:
            let quake = revised(Scenario.quake("n\(live.count + departed.count)"), &random)
            model[try writer.insert(quake, reason: .new)] = quake
        }
    }

    private func revised(_ quake: Quake, _ random: inout SplitMix64) -> Quake {
        var quake = quake
        switch random.next(6) {
        case 0: quake.magnitude = random.next(3) == 0 ? nil : Double(random.next(80)) / 10
        case 1: quake.place = random.next(3) == 0 ? nil : "p\u{1F30B}\(random.next(9))\"\\\n"
        case 2: quake.hypocenter.depthKilometers = random.next(3) == 0 ? nil : Double(random.next(700)) + 0.1
        case 3: quake.feltReports = random.next(2) == 0 ? nil : Int64(random.next(1 << 20))
        case 4: quake.updated = Timestamp(milliseconds: Int64(random.next(1 << 40)))
        default: quake.hypocenter.longitude = Double(random.next(1 << 53)) / Double(1 << 45) - 128
        }
        quake.publishedTitle = random.next(5) == 0 ? "quarry \(random.next(9))" : quake.publishedTitle
        return quake
    }
}
