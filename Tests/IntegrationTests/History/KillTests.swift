import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// A reader that is killed at any moment repeats or goes on; it never skips.
struct KillTests {
    private static let rounds = Thoroughness.count(15, of: 70)
    /// Where the place is kept, and how the records arrive.
    enum Keeping: String, CaseIterable, Sendable {
        case consumer, tokenFile, command
    }

    @Test(arguments: Keeping.allCases) func aKilledReaderNeverSkips(keeping: Keeping) async throws {
        try await withScratchDirectory { directory in
            let cache = HistoryCache(directory)
            let tokenFile = directory.path("token")
            let records = directory.path("records")
            var arguments = ["changes", "--format", "ndjson"]
            switch keeping {
            case .consumer: arguments += ["--since-token"]
            case .tokenFile: arguments += ["--token-file", tokenFile]
            case .command: arguments += ["--since-token", "--exec", "cat >> '\(records)'"]
            }
            let runner = cache.runner
            let (call, rounds) = (arguments, Self.rounds)
            let heard = try await onOwnThread { () -> Set<Int64> in
                var seen: Set<Int64> = []
                for round in 0..<rounds {
                    try cache.insert(round * 40..<(round + 1) * 40)
                    let killed = Process()
                    killed.executableURL = URL(filePath: runner.executable)
                    killed.arguments = call
                    killed.environment = ["QUAKES_DB": cache.path, "PATH": "/usr/bin:/bin"]
                    let pipe = Pipe()
                    killed.standardOutput = pipe
                    try killed.run()
                    // A start takes some 20 ms: every stage of it is hit.
                    usleep(UInt32(round * 997 % 60) * 1000)
                    kill(killed.processIdentifier, SIGKILL)
                    seen.formUnion(Self.changes(pipe.fileHandleForReading.readDataToEndOfFile()))
                    killed.waitUntilExit()
                }
                return seen
            }
            let last = try await runner.run(call)
            var seen = heard.union(Self.changes(last.standardOutput))
            if keeping == .command {
                let file = URL(filePath: records)
                // The command of a killed call may still be writing its last lines.
                for _ in 0..<50 {
                    seen.formUnion(Self.changes((try? Data(contentsOf: file)) ?? Data()))
                    if seen.count == rounds * 40 { break }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(seen == Set(1...Int64(rounds * 40)))
        }
    }

    /// The ids of the changes in whole lines.
    private static func changes(_ data: Data) -> Set<Int64> {
        Set(String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Record(String($0))?.changeID })
    }
}
