import QuakeStore
import QuakeTestSupport
import Testing

/// Undo and redo with few ids for many quakes: renamed in chains, shared, merged, split, purged and restored.
@Suite(.computing) struct TangledUndoTests {
    private static let ids = ["us", "ci", "at", "nn"].flatMap { net in (1...3).map { "\(net)\($0)" } }

    private struct State: Equatable {
        let quakes: [QuakeKey: Quake]
        /// The quake that each assigned id leads to.
        let keys: [String: QuakeKey]

        init(_ context: QuakeContext) throws {
            quakes = try context.contents()
            let led = try TangledUndoTests.ids.compactMap { id in try context.key(ofID: id).map { (id, $0) } }
            keys = Dictionary(uniqueKeysWithValues: led)
        }

        /// Whether everything is as it was in `other`. An id that led nowhere then may be assigned now.
        func isBack(to other: State) -> Bool {
            quakes == other.quakes && other.keys.allSatisfy { keys[$0.key] == $0.value }
        }
    }

    @Test(arguments: Thoroughness.seeds(10, of: 2_000, orOnly: "QUAKES_TANGLED_SEED"))
    func valuesAndIDsAreBackAfterEachUndoAndRedo(seeds: Range<Int>) throws {
        #expect(try seeds.filter { try !isTrue(UInt64($0 + 1)) } == [])
    }

    private func isTrue(_ seed: UInt64) throws -> Bool {
        var random = SplitMix64(state: seed)
        return try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            for _ in 0..<12 {
                let before = try State(context)
                guard let entry = try transaction(in: context, &random) else { continue }
                let after = try State(context)
                var number = entry.number
                for (wanted, isRedo) in [(before, false), (after, true), (before, false), (after, true)] {
                    guard let undo = try context.history.undo(transaction: number).transaction else { return false }
                    let state = try State(context)
                    guard isRedo ? state == wanted : state.isBack(to: wanted) else { return false }
                    number = undo.number
                }
                // An older one, if that is possible.
                _ = try? context.history.undo(transaction: TransactionNumber(Int64(random.next(Int(number.rawValue)))))
            }
            return try context.maintenance.verify(full: true).findings.isEmpty
        }
    }

    private func transaction(
        in context: QuakeContext, _ random: inout SplitMix64
    ) throws -> HistoryTransaction? {
        if random.next(6) == 0 {
            return try context.maintenance.purge(QuakeFilter(minimumMagnitude: Double(random.next(9)))).transaction
        }
        do {
            for _ in 0..<(1 + random.next(3)) {
                let quake = quake(&random)
                let held = try context.fetch()
                switch random.next(4) {
                case 0 where !held.isEmpty: try context.edits.update(held[random.next(held.count)], to: quake)
                case 1 where !held.isEmpty: try context.edits.delete(held[random.next(held.count)])
                default: try context.edits.insert(quake)
                }
            }
            return try context.edits.save()
        } catch is StoreError {
            context.edits.rollback()
            return nil
        }
    }

    private func quake(_ random: inout SplitMix64) -> Quake {
        let ids = (0..<(1 + random.next(4))).map { _ in Self.ids[random.next(Self.ids.count)] }
        var quake = Quake(sample: ids[0], magnitude: Double(random.next(10)))
        quake.ids = PublishedSet(members: ids)
        return quake
    }
}
