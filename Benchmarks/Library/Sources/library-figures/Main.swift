import Foundation
import QuakeEditing
import QuakeStore
import Synchronization

/// One measurement a process, so that the peak of memory is its own.
@main
struct LibraryFigures {
    static let usage = """
        usage: library-figures fill PATH COUNT | torn PATH SECONDS | latency PATH | idle PATH SECONDS
               library-figures resync PATH | list PATH | delete PATH
        """

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let work = arguments.first, arguments.count >= 2 else { return print(usage) }
        let cache = QuakeCache(path: arguments[arguments.startIndex + 1])
        let number = arguments.count > 2 ? Int(arguments[arguments.startIndex + 2]) ?? 0 : 0
        switch work {
        case "fill": try fill(cache, number)
        case "torn": try await TornStates(cache).run(seconds: number)
        case "latency": try await latency(cache)
        case "idle": try await idle(cache, seconds: number)
        case "resync": try await resync(cache)
        case "list": try await list(cache)
        case "delete": try delete(cache)
        default: return print(usage)
        }
        print("peak memory: \(peakMegabytes()) MB")
    }

    /// Makes a cache of `count` quakes, 10,000 in a transaction.
    static func fill(_ cache: QuakeCache, _ count: Int) throws {
        let context = try QuakeContext(cache, access: .creating)
        let editor = QuakeEditor(context)
        for start in stride(from: 0, to: count, by: 10_000) {
            try editor.insert(contentsOf: (start..<min(start + 10_000, count)).lazy.map(quake))
            try editor.save()
        }
        print("quakes: \(try context.fetchCount())")
    }

    /// How long a commit takes to reach who follows the cache.
    static func latency(_ cache: QuakeCache) async throws {
        let context = try QuakeContext(cache, access: .creating)
        let editor = QuakeEditor(context)
        try editor.insert(quake(0))
        try editor.save()
        let commits = Commits()
        let rounds = 100
        let start = try context.history.currentToken()
        async let batches = delays(
            of: cache.changes(after: start).prefix(rounds), rounds, commits)
        async let lists = delays(
            of: cache.quakes(matching: QuakeDescriptor(limit: 10)).dropFirst().prefix(rounds), rounds,
            commits)
        try await Task.sleep(for: .seconds(1))
        for round in 1...rounds {
            try await cache.edit { try $0.insert(quake(round)) }
            commits.moments.withLock { $0.append(.now) }
            try await Task.sleep(for: .milliseconds(300 + Int.random(in: 0..<200)))
        }
        print("remoteChanges: \(try await batches)")
        print("quakes(matching:): \(try await lists)")
    }

    private static func delays<Sequence: AsyncSequence & Sendable>(
        of sequence: Sequence, _ count: Int, _ commits: Commits
    ) async throws -> String {
        var delays: [Duration] = []
        for try await _ in sequence {
            let now = ContinuousClock.now
            // A list may be read before the writer has noted its commit.
            if let commit = commits.moments.withLock({ $0.count > delays.count ? $0[delays.count] : nil }) {
                delays.append(max(.zero, now - commit))
            } else {
                delays.append(.zero)
            }
        }
        delays.sort()
        let text = { (part: Double) in
            "\(delays[Int(Double(delays.count - 1) * part)] / .milliseconds(1)) ms"
        }
        return "\(delays.count) commits, median \(text(0.5)), 95 % \(text(0.95)), longest \(text(1))"
    }

    /// The share of a core that two followers use while nothing happens.
    static func idle(_ cache: QuakeCache, seconds: Int) async throws {
        let head = try QuakeContext(cache).history.currentToken()
        let changes = Task { for try await _ in cache.changes(after: head) {} }
        let lists = Task { for try await _ in cache.quakes(matching: QuakeDescriptor(limit: 10)) {} }
        try await Task.sleep(for: .seconds(1))
        let before = processorSeconds()
        try await Task.sleep(for: .seconds(seconds))
        let share = (processorSeconds() - before) / Double(seconds) * 100
        changes.cancel()
        lists.cancel()
        print("idle: \(String(format: "%.2f", share)) % of a core for both")
    }

    static func resync(_ cache: QuakeCache) async throws {
        var events = 0
        for try await batch in cache.changes(after: nil) {
            if events == 0 { print("first batch: \(batch.events.count) events, \(peakMegabytes()) MB") }
            events += batch.events.count
            if batch.token != nil { break }
        }
        print("events: \(events)")
    }

    static func list(_ cache: QuakeCache) async throws {
        for try await quakes in cache.quakes(matching: QuakeDescriptor(sortBy: .magnitude, limit: 10)) {
            print("list: \(quakes.count) quakes, \(peakMegabytes()) MB")
            break
        }
    }

    static func delete(_ cache: QuakeCache) throws {
        let context = try QuakeContext(cache)
        let editor = QuakeEditor(context)
        let before = processorSeconds()
        try editor.delete(where: QuakeFilter())
        let entry = try editor.save()
        print("deleted: \(entry?.counts.deleted ?? 0), \(Int(processorSeconds() - before)) s of CPU")
    }

    static func quake(_ number: Int) -> Quake {
        var quake = Quake(
            net: "us", code: "n\(number)",
            originTime: Timestamp(milliseconds: 1_000_000_000_000 + Int64(number) * 60_000),
            updated: Timestamp(milliseconds: 1_700_000_000_000),
            hypocenter: Hypocenter(
                longitude: Double(number % 360) - 180, latitude: Double(number % 180) - 90,
                depthKilometers: 10))
        quake.magnitude = Double(number % 90) / 10
        quake.place = "\(number % 300) km E of Fox"
        quake.status = "reviewed"
        quake.eventType = "earthquake"
        return quake
    }

    static func peakMegabytes() -> Int { resources().ru_maxrss / 1024 }

    static func processorSeconds() -> Double {
        let times = [resources().ru_utime, resources().ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    private static func resources() -> rusage {
        // 0 is RUSAGE_SELF, which has another type here than the function takes.
        var usage = rusage()
        getrusage(0, &usage)
        return usage
    }
}

/// When the writer had made each commit.
final class Commits: Sendable {
    let moments = Mutex<[ContinuousClock.Instant]>([])
}

/// Eight readers, a writer and an observer, whose tasks are canceled at random. Every write gives all quakes the same
/// magnitude, so that a torn state has two.
final class TornStates: Sendable {
    private let cache: QuakeCache
    private let reads = Atomic(0)
    private let lists = Atomic(0)
    private let batches = Atomic(0)
    private let writes = Atomic(0)
    private let cancellations = Atomic(0)
    private let torn = Atomic(0)

    init(_ cache: QuakeCache) { self.cache = cache }

    func run(seconds: Int) async throws {
        try await cache.edit { try $0.insert(contentsOf: (0..<40).map { Self.quake($0, 0) }) }
        let end = ContinuousClock.now + .seconds(seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { try await self.canceling(until: end) { try await self.read() } }
            }
            group.addTask { try await self.canceling(until: end) { try await self.write() } }
            group.addTask { try await self.canceling(until: end) { try await self.observeLists() } }
            group.addTask { try await self.canceling(until: end) { try await self.observeChanges() } }
            try await group.waitForAll()
        }
        let head = try await cache.read { try $0.history.currentToken().number }
        let sound = try QuakeContext(cache).maintenance.verify().isSound
        print(
            """
            reads \(count(reads)), writes \(count(writes)) (\(head) transactions), lists \(count(lists)), \
            batches \(count(batches)), cancellations \(count(cancellations)), torn states \(count(torn)), \
            \(sound ? "sound" : "NOT SOUND")
            """)
        if count(torn) > 0 || !sound { exit(1) }
    }

    private func count(_ value: borrowing Atomic<Int>) -> Int { value.load(ordering: .relaxed) }

    /// Runs `body` again and again, each time as a task that is canceled after up to 50 ms.
    private func canceling(
        until end: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        while ContinuousClock.now < end {
            let task = Task { while !Task.isCancelled { try await body() } }
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<50_000)))
            task.cancel()
            cancellations.add(1, ordering: .relaxed)
            do { try await task.value } catch is CancellationError {}
        }
    }

    private func read() async throws {
        let seen = try await cache.read { context in
            (
                try context.fetch().map(\.quake.magnitude), try context.fetchCount(),
                try context.fetch().map(\.quake.magnitude)
            )
        }
        check(seen.0, and: seen.0 == seen.2 && seen.1 == seen.0.count)
        reads.add(1, ordering: .relaxed)
    }

    private func write() async throws {
        let round = Double.random(in: 0..<9)
        try await cache.edit { editor in
            for stored in try editor.context.fetch() {
                var quake = stored.quake
                quake.magnitude = round
                try editor.update(stored, to: quake)
            }
        }
        writes.add(1, ordering: .relaxed)
    }

    private func observeLists() async throws {
        for try await quakes in cache.quakes(matching: QuakeDescriptor(), every: .milliseconds(50)) {
            check(quakes.map(\.quake.magnitude), and: true)
            lists.add(1, ordering: .relaxed)
        }
    }

    /// Applies the batches to a copy of the cache, which must be in one state after each complete one.
    private func observeChanges() async throws {
        var copy: [String: Double?] = [:]
        for try await batch in cache.changes(after: nil, every: .milliseconds(50)) {
            for event in batch.events {
                switch event {
                case .dropEverything: copy = [:]
                case .resync(let resynced): copy[resynced.stored.quake.id] = resynced.stored.quake.magnitude
                case .change(let change):
                    if let quake = change.change.after { copy[quake.id] = quake.magnitude }
                default: break
                }
            }
            if batch.token != nil { check(Array(copy.values), and: true) }
            batches.add(1, ordering: .relaxed)
        }
    }

    private func check(_ magnitudes: [Double?], and agree: Bool) {
        if !agree || magnitudes.count != 40 || Set(magnitudes).count != 1 {
            torn.add(1, ordering: .relaxed)
        }
    }

    private static func quake(_ number: Int, _ magnitude: Double) -> Quake {
        var quake = LibraryFigures.quake(number)
        quake.magnitude = magnitude
        return quake
    }
}
