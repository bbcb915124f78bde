import QuakeStore
import QuakeTestSupport

/// Simulates what a mirror and its user do to a cache in years: refreshes, renames, merges, restores, undos, and purges
/// of quakes and history.
struct RandomStory {
    private var random: SplitMix64
    private let context: QuakeContext
    private let clock: TestClock
    private var live: [StoredQuake] = []
    private var departed: [StoredQuake] = []
    private var serial = 0

    init(seed: UInt64, context: QuakeContext, clock: TestClock) {
        random = SplitMix64(state: seed)
        self.context = context
        self.clock = clock
    }

    /// Returns a random number below `bound`.
    mutating func draw(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    /// Performs one more event.
    mutating func step() throws {
        clock.advance(by: .seconds(Int.random(in: -30...600, using: &random)))
        switch draw(12) {
        case 0: try purgeHistory()
        case 1: try purgeQuakes()
        case 2: try undo()
        default: try refresh()
        }
    }

    private mutating func refresh() throws {
        // The writer is a reference, so the effects of a body that is rolled back must be undone too.
        let before = (live, departed)
        let isLost = draw(8) == 0
        var story = self
        do {
            try context.write { writer in
                for _ in 0..<(1 + story.draw(6)) { try story.write(writer) }
                if isLost { throw Lost() }
            }
            self = story
        } catch is Lost {
            (live, departed) = before
            random = story.random
        }
    }

    private struct Lost: Error {}

    private mutating func write(_ writer: QuakeWriter) throws {
        switch live.count < 3 ? 0 : draw(9) {
        case 0...1: try insert(writer)
        case 2: try restore(writer)
        case 3: try delete(writer)
        case 4: try merge(writer)
        case 5: try rename(writer)
        default: try revise(writer)
        }
    }

    private mutating func insert(_ writer: QuakeWriter) throws {
        serial += 1
        var quake = Quake.sample("us70\(serial)", magnitude: magnitude())
        if draw(4) == 0 { quake.publishedTitle = "Felt report \(serial)" }
        live.append(StoredQuake(key: try writer.insert(quake, reason: .new), quake: quake))
    }

    private mutating func restore(_ writer: QuakeWriter) throws {
        guard !departed.isEmpty else { return try insert(writer) }
        let gone = departed.remove(at: draw(departed.count))
        var quake = gone.quake
        quake.magnitude = magnitude()
        _ = try writer.insert(quake, reason: .restored, key: gone.key)
        live.append(StoredQuake(key: gone.key, quake: quake))
    }

    private mutating func delete(_ writer: QuakeWriter) throws {
        let gone = live.remove(at: draw(live.count))
        try writer.delete(gone, reason: .retracted)
        departed.append(gone)
    }

    private mutating func merge(_ writer: QuakeWriter) throws {
        let gone = live.remove(at: draw(live.count))
        try writer.delete(gone, reason: .merged, mergedInto: live[draw(live.count)].key)
        departed.append(gone)
    }

    private mutating func rename(_ writer: QuakeWriter) throws {
        serial += 1
        try change(writer, .renamed) { [serial] quake in
            quake.net = "ci"
            quake.code = "49\(serial)"
            quake.ids = PublishedSet(members: quake.aliases + ["ci49\(serial)"])
        }
    }

    private mutating func revise(_ writer: QuakeWriter) throws {
        let (magnitude, felt) = (magnitude(), draw(3))
        try change(writer, .revised) { quake in
            quake.magnitude = magnitude
            quake.feltReports = felt == 0 ? nil : felt
            if felt == 1 { quake.publishedTitle = quake.publishedTitle == nil ? "by hand \(felt)" : nil }
        }
    }

    private mutating func change(
        _ writer: QuakeWriter, _ reason: ChangeReason, _ body: (inout Quake) -> Void
    ) throws {
        let index = draw(live.count)
        let new = live[index].quake.with(body)
        // A published title alone is not a change, and is not stored either.
        guard !(try writer.update(live[index], to: new, reason: reason)).isEmpty else { return }
        live[index] = StoredQuake(key: live[index].key, quake: new)
    }

    private mutating func purgeQuakes() throws {
        var filter = QuakeFilter()
        filter.maximumMagnitude = 2.3
        try context.maintenance.purge(filter)
        departed += live.filter { filter.accepts($0.quake) }
        live.removeAll { filter.accepts($0.quake) }
    }

    /// Undoes one of the last three transactions, unless that is no longer possible.
    private mutating func undo() throws {
        let (floor, head) = (try context.history.floor().number, try context.history.currentToken().number)
        guard head > floor else { return }
        let first = max(floor.rawValue + 1, head.rawValue - 2)
        do {
            _ = try context.undo(
                transaction: TransactionNumber(.random(in: first...head.rawValue, using: &random)))
        } catch StoreError.cannotUndo { return }
        let known = departed + live
        live = try context.fetch().sorted { $0.key < $1.key }
        let keys = Set(live.map(\.key))
        departed = known.filter { !keys.contains($0.key) }
    }

    private mutating func purgeHistory() throws {
        let (floor, head) = (try context.history.floor().number, try context.history.currentToken().number)
        guard head > floor else { return }
        _ = try context.history.trim(
            through: TransactionNumber(.random(in: floor.rawValue...head.rawValue, using: &random)), force: true)
    }

    /// Few values, so that quakes often return to earlier ones.
    private mutating func magnitude() -> Double? { [2.1, 2.6, 4.3, 4.6, nil][draw(5)] }
}
