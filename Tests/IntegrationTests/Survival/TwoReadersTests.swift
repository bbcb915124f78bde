import Foundation
import Glibc
import QuakeStore
import QuakeTestSupport
import Testing

/// Two runs of one reader, started and killed at random times, repeat nothing acknowledged and lose nothing.
@Suite("Two runs of one reader at once", .endsInTime, .scratch) struct TwoReadersTests {
    private static let rounds = Thoroughness.count(20, of: 200)
    private static let changesPerRound = 6

    enum Keeping: CaseIterable, Sendable {
        case consumer, tokenFile
    }

    /// A run of `quakes` and what it did.
    private struct Run: Sendable {
        var label: String
        var process: Int32
        var isKilled: Bool
        var result: ProcessResult
    }

    /// A change that a run passed to its command.
    private struct Delivery {
        var label: Substring
        var change: Int64
    }

    /// When a run starts, and when it is killed, in microseconds; nil for never.
    private struct Timing {
        var start: UInt32
        var kill: UInt32?

        init(_ random: inout SplitMix64, latest: Int) {
            start = UInt32(random.next(latest))
            kill = random.next(3) == 0 ? UInt32(random.next(400_000)) : nil
        }

        init(start: UInt32) { self.start = start }
    }

    private let cache: Cache
    private let log: String

    init() throws {
        cache = try .ofTest()
        log = cache.directory.path("log")
    }

    private var token: String { cache.directory.path("token") }

    private func start(_ label: String, _ keeping: Keeping, at timing: Timing) async throws -> Run {
        var runner = cache.quakes
        runner.environment["RUN"] = label
        let options = keeping == .consumer ? ["--consumer", "alarm"] : ["--token-file", token]
        let call = ["changes"] + options + ["--exec-each", "echo $RUN $QUAKE_CHANGE_ID >> '\(log)'"]
        try await onOwnThread { _ = usleep(timing.start) }
        let (process, result) = try await runner.whileRunning(call) { process in
            if let delay = timing.kill {
                try await onOwnThread { _ = usleep(delay) }
                process.send(signal: SIGKILL)
            }
            // A command left behind has this output, too.
            _ = try await process.remainingLines()
            return process.processID
        }
        return Run(label: label, process: process, isKilled: result.ending == .signaled(SIGKILL), result: result)
    }

    /// Adds changes in one transaction or, because a token file holds no position within one, in one for each.
    private func addChanges(round: Int, _ keeping: Keeping) throws {
        let range = 1 + round * Self.changesPerRound..<1 + (round + 1) * Self.changesPerRound
        guard keeping == .tokenFile else { return try cache.insert(range) }
        for index in range { try cache.insert(index..<index + 1) }
    }

    /// Returns the id of the last acknowledged change.
    private func acknowledged(_ keeping: Keeping) throws -> Int64 {
        if keeping == .tokenFile {
            let text = try String(contentsOfFile: token, encoding: .utf8).trimmingCharacters(in: .newlines)
            return try #require(HistoryToken(text)).number.rawValue
        }
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let consumer = try #require(try context.history.consumer(named: "alarm"))
        let before = 1 + (consumer.number.rawValue - 1) * Int64(Self.changesPerRound)
        return max(before, consumer.lastChange?.rawValue ?? 0)
    }

    private func takeLog() throws -> [Delivery] {
        let text = FileManager.default.fileExists(atPath: log) ? try String(contentsOfFile: log, encoding: .utf8) : ""
        unlink(log)
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Delivery(label: words[0], change: try #require(Int64(words[1])))
        }
    }

    // Proves promise 4 of reliability.md.
    @Test(
        "Two --exec-each runs for one consumer, started and killed at random times, lose no change",
        arguments: Keeping.allCases)
    func randomTimings(keeping: Keeping) async throws {
        try cache.insert(0..<1)
        let options = keeping == .consumer ? ["--consumer", "alarm"] : ["--token-file", token]
        _ = try await cache.quakes.run(["changes"] + options + ["--ack", "now"])
        var random = SplitMix64(state: keeping == .consumer ? 1 : 2)
        var delivered: Set<Int64> = []
        var refused = 0
        var killed = 0
        for round in 0..<Self.rounds {
            try addChanges(round: round, keeping)
            let before = try acknowledged(keeping)
            let timing = Timing(&random, latest: 5_000)
            // Every other pair starts at almost the same time.
            let later = Timing(&random, latest: round % 2 == 0 ? 10_000 : 600_000)
            async let first = start("\(round)a", keeping, at: timing)
            async let second = start("\(round)b", keeping, at: later)
            let runs = [try await first, try await second]
            let deliveries = try takeLog()
            expectOrder(of: deliveries, after: before, runs)
            delivered.formUnion(deliveries.map(\.change))
            refused += runs.count { $0.result.exitStatus == 75 }
            killed += runs.count(where: \.isKilled)
            expectRefusalsNameTheOther(runs)
        }
        _ = try await start("last", keeping, at: Timing(start: 0))
        delivered.formUnion(try takeLog().map(\.change))
        #expect(delivered == Set(2...1 + Int64(Self.rounds * Self.changesPerRound)))
        #expect(refused > 0 && killed > 0, "\(refused) refused, \(killed) killed")
    }

    /// Expects that only the last change of a killed run was delivered twice, and none that was acknowledged before.
    private func expectOrder(of deliveries: [Delivery], after before: Int64, _ runs: [Run]) {
        #expect(deliveries.allSatisfy { $0.change > before })
        let killed = Set(runs.filter(\.isKilled).map(\.label))
        let lists = Dictionary(grouping: deliveries, by: \.label).mapValues { $0.map(\.change) }
        for (label, changes) in lists { #expect(changes == changes.sorted(), "\(label)") }
        for (change, twice) in Dictionary(grouping: deliveries, by: \.change) where twice.count > 1 {
            let unfinished = twice.filter { killed.contains(String($0.label)) && lists[$0.label]?.last == change }
            #expect(unfinished.count >= twice.count - 1, "change \(change): \(twice)")
        }
    }

    private func expectRefusalsNameTheOther(_ runs: [Run]) {
        for (run, other) in [(runs[0], runs[1]), (runs[1], runs[0])] where !run.isKilled {
            #expect([0, 75].contains(run.result.exitStatus), "\(run.result)")
            guard run.result.exitStatus == 75 else { continue }
            let words = run.result.errorOutput
            // A process that was killed meanwhile has no name.
            #expect(words.contains("is already in use by ") && words.contains(" (\(other.process))."), "\(words)")
        }
    }
}
