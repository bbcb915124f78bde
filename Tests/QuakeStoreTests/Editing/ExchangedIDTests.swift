import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E6 of seeds.md.
@Suite("Random undos of quakes that exchange their ids", .computing) struct ExchangedIDTests {
    @Test(
        "After random changes of ids, a dry undo agrees with the real one, and the cache is sound",
        arguments: Thoroughness.seeds(16, of: 5_000, orOnly: "QUAKES_UNDO_SEED"))
    func randomUndos(seeds: Range<Int>) throws {
        var outcomes: Set<String> = []
        for seed in seeds {
            var story = try IDStory(seed: UInt64(seed + 1))
            do {
                for _ in 0..<40 { try story.step() }
                try story.finish()
            } catch {
                Issue.record("seed \(seed): \(error), after \(story.log.joined(separator: ", "))")
            }
            outcomes.formUnion(story.outcomes)
        }
        #expect(seeds.count < 16 || outcomes == ["whole", "partial", "refused", "taken"])
    }
}

/// Changes to quakes that share few ids, in upper and lower case, and undos of recent transactions.
private struct IDStory {
    struct Difference: Error {
        var found: String
        var expected: String
    }

    /// The steps so far.
    private(set) var log: [String] = []
    /// The names of the outcomes so far.
    private(set) var outcomes: Set<String> = []
    private var random: SplitMix64
    private let context: QuakeContext
    private let reader: QuakeContext
    /// The quakes after each transaction.
    private var states: [TransactionNumber: [QuakeKey: Quake]] = [0: [:]]
    private static let ids = (1...5).map { "us\($0)" }

    init(seed: UInt64) throws {
        random = SplitMix64(state: seed)
        let cache = try QuakeCache.inMemory()
        context = try QuakeContext(cache, author: "writer")
        reader = try QuakeContext(cache, access: .reading)
    }

    mutating func step() throws {
        let newest = try context.history.currentToken().number
        if random.next(3) == 0, newest > 0 {
            try undo(TransactionNumber(max(1, newest.rawValue - Int64(random.next(6)))), newest)
        } else {
            do {
                try change()
            } catch StoreError.idTaken(let id, _) {
                log.append("\(id) is taken")
                outcomes.insert("taken")
            }
        }
        states[try context.history.currentToken().number] = try context.contents()
    }

    func finish() throws { try require(context.maintenance.verify(full: true).findings.map { "\($0)" }, []) }

    // MARK: Steps

    private mutating func change() throws {
        let quakes = try context.fetch()
        guard !quakes.isEmpty, random.next(3) > 0 else { return try insert() }
        let stored = quakes[random.next(quakes.count)]
        let other = quakes[random.next(quakes.count)]
        switch random.next(8) {
        case 0...3:
            let new = quake()
            log.append("\(stored.key): \(stored.quake.id) becomes \(new.id) \(new.aliases)")
            try context.edit { try $0.update(stored) { ($0.net, $0.code, $0.ids) = (new.net, new.code, new.ids) } }
        case 4:
            log.append("\(stored.key) and \(other.key): revised")
            let magnitude = Double(10 + random.next(9))
            let revised = stored.key == other.key ? [stored] : [stored, other]
            try context.edit { editor in
                for quake in revised { try editor.update(quake) { $0.magnitude = magnitude } }
            }
        case 5 where stored.key != other.key:
            log.append("\(stored.key): merged into \(other.key)")
            try context.write { try $0.delete(stored, reason: .merged, mergedInto: other.key) }
        case 6 where stored.key != other.key:
            log.append("\(stored.key) and \(other.key): exchange \(stored.quake.id) and \(other.quake.id)")
            let net = random.next(2) == 0 ? "us" : "US"
            try context.edit { try $0.exchangeIDs(of: stored, other, net: net) }
        default:
            log.append("\(stored.key): \(stored.quake.id) is deleted")
            try context.edit { try $0.delete(stored) }
        }
    }

    private mutating func insert() throws {
        let new = quake()
        log.append("insert \(new.id) \(new.aliases)")
        try context.save(new)
    }

    private mutating func undo(_ number: TransactionNumber, _ newest: TransactionNumber) throws {
        log.append("undo \(number) of \(newest)")
        let dry = Result { try reader.undo(transaction: number, dryRun: true).result }
        let real = Result { try context.undo(transaction: number) }
        switch (dry, real) {
        case (.success(let planned), .success(let outcome)):
            try require("\(outcome.result)", "\(planned)")
            try require(outcome.transaction?.counts.total, planned.restored)
            outcomes.insert(planned.leftAsTheyAre == 0 ? "whole" : "partial")
            guard number == newest, let before = states[TransactionNumber(number.rawValue - 1)] else { return }
            try require(context.contents(), before)
        case (.failure(StoreError.cannotUndo(_, let planned)), .failure(StoreError.cannotUndo(_, let found))):
            try require(found, planned)
            outcomes.insert("refused")
        default: throw Difference(found: "\(real)", expected: "\(dry)")
        }
    }

    // MARK: Values

    private mutating func quake() -> Quake {
        let (id, magnitude, alias) = (id(), Double(random.next(9)), id())
        let isAlone = random.next(3) > 0
        return Quake.coded(String(id.dropFirst(2)), mag: magnitude, net: String(id.prefix(2))).with {
            $0.ids = PublishedSet(members: isAlone ? [id] : [id, alias])
        }
    }

    private mutating func id() -> String {
        let id = Self.ids[random.next(Self.ids.count)]
        return random.next(6) == 0 ? id.uppercased() : id
    }

    private func require<Value: Equatable>(_ found: Value, _ expected: Value) throws {
        if found != expected { throw Difference(found: "\(found)", expected: "\(expected)") }
    }
}
