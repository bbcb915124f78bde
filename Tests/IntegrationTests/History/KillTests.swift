import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// A reader killed at any moment repeats records or resumes, but never skips any.
// Proves promise 3 of reliability.md.
@Suite("Consumers that are killed", .scratch) struct KillTests {
    private static let rounds = Thoroughness.count(10, of: 70)
    /// How the position is saved, and how the records arrive.
    enum Keeping: String, CaseIterable, Sendable {
        case consumer, tokenFile, command
    }

    @Test(
        "If quakes changes is killed at any time, later runs still print every unread change",
        arguments: Keeping.allCases)
    func killedConsumerMissesNothing(keeping: Keeping) async throws {
        let cache = try Cache.ofTest()
        let arguments =
            ["changes", "--format", "ndjson"]
            + (keeping == .tokenFile ? ["--token-file", cache.directory.path("token")] : ["--since-token"])
            + (keeping == .command ? ["--exec", "cat"] : [])
        let rounds = Self.rounds
        let heard = try await onOwnThread { () -> Set<Int64> in
            var seen: Set<Int64> = []
            for round in 0..<rounds {
                try cache.insert(round * 120..<(round + 1) * 120)
                // Every other run is killed during its output, the others at any stage of the 20 ms they take.
                let (output, isHit) = try KilledReader.run(
                    cache.quakes, arguments, after: round % 2 == 0 ? round * 997 % 15_000 : 0,
                    delay: round % 2 == 0 ? 0 : UInt32(round * 997 % 60) * 1000)
                if round % 2 == 0 { #expect(isHit, "round \(round)") }
                seen.formUnion(Self.changes(output))
            }
            return seen
        }
        let last = try await cache.quakes.run(arguments)
        #expect(heard.union(Self.changes(last.standardOutput)) == Set(1...Int64(rounds * 120)))
    }

    /// The ids of the changes in complete lines.
    private static func changes(_ data: Data) -> Set<Int64> {
        Set(String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Record(String($0))?.changeID })
    }
}

/// A reader that is killed once its output has been read up to some point.
private enum KilledReader {
    /// Kills the program once `count` bytes have been read and `delay` microseconds have passed. Returns everything
    /// that it or its command wrote, and whether it was still running.
    ///
    /// The pipe's buffer holds 64 KB of the 84 KB of 120 records, so the program cannot have ended if little was read.
    static func run(
        _ runner: ProcessRunner, _ arguments: [String], after count: Int, delay: UInt32
    ) throws -> (output: Data, isHit: Bool) {
        let process = Process()
        process.executableURL = URL(filePath: runner.executable)
        process.arguments = arguments
        process.environment = runner.environment.compactMapValues { $0 }.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        var output = count > 0 ? try pipe.fileHandleForReading.read(upToCount: count) ?? Data() : Data()
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (output, process.terminationReason == .uncaughtSignal)
    }
}
