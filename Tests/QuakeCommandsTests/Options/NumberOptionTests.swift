import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// Every option with a number, a time, a place or a token, with extreme values.
@Suite("Extreme numbers", .computing, .scratch) struct NumberOptionTests {
    private static let values = [
        "-9223372036854775808", "1e308", "9223372036854775807", "nan", "inf", "", "-0", "9223372036854775807d",
        String(repeating: "9", count: 10_000), "1e308,-1e308", "q1.0a.9223372036854775807.00000000", "nan,nan,inf,1",
    ]

    /// Options by command, with the command's other required arguments.
    private static let options: [(command: [String], options: [String])] = [
        (
            ["list"],
            [
                "--limit", "--min-mag", "--max-mag", "--min-depth", "--max-depth", "--bbox", "--near", "--min-felt",
                "--min-sig", "--since", "--until", "--at", "--home", "--tz",
            ]
        ),
        (["list", "--near", "1,2"], ["--radius"]),
        (["map", "--format", "svg"], ["--limit", "--min-mag", "--bbox", "--since", "--until", "--at", "--select"]),
        (
            ["changes"],
            [
                "--since", "--since-transaction", "--since-token", "--limit", "--max-origin-age", "--ack", "--min-mag",
                "--heartbeat",
            ]
        ),
        (["changes", "--follow"], ["--timeout"]),
        (["show", MappedCache.renamed], ["--at", "--home"]), (["show"], ["--"]), (["diff", "beginning"], ["--"]),
        (["history"], ["--limit", "--"]), (["undo", "--dry-run"], ["--"]), (["status"], ["--at", "--max-age"]),
        (["purge", "--dry-run"], ["--until", "--min-mag", "--max-mag", "--older-than"]),
        (["purge", "--history", "--dry-run"], ["--older-than", "--before"]), (["consumers"], ["--forget"]),
        (["refresh", "--dry-run", "/nowhere/feed.json"], ["--confirm-snapshots", "--confirm-after", "--timeout"]),
        (
            ["backfill", "--dry-run", "--service-url", "http://127.0.0.1:9/query", "--since", "2020"],
            ["--min-mag", "--min-depth", "--bbox", "--pause", "--max-requests", "--max-time", "--timeout", "--until"]
        ),
    ]

    private static let statuses: Set<QuakeCommands.ExitStatus?> = [
        .success, .noRows, .usage, .unusableToken, .unusableFeed, .serverUnavailable, .stale,
    ]

    @Test("Extreme numbers in options give a result or a clear error, never a crash", arguments: options.indices)
    func extremeNumbers(index: Int) throws {
        let (command, options) = Self.options[index]
        let cache = try MappedCache.ofTest()
        for option in options {
            for value in Thoroughness.sample(4, of: Self.values) {
                // With a valid value, `--follow` would not end.
                let words = command + (option == "--" ? ["--", value] : [option + "=" + value])
                if command.contains("--follow"), (try? Duration.parse(value)) != nil { continue }
                let outcome: MappedCache.Outcome
                do {
                    outcome = try cache.run(words)
                } catch {
                    let text = UsageMessage.text(for: error, in: words)
                    #expect(QuakesCommand.exitCode(for: error) == .validationFailure, "\(words): \(text)")
                    #expect(text.hasPrefix("quakes: ") && text.count > 20, "\(words): \(text)")
                    continue
                }
                #expect(Self.statuses.contains(outcome.status), "\(words) \(outcome.status): \(outcome.errors)")
                #expect(
                    outcome.status == .success || !outcome.errors.isEmpty || outcome.status == .stale,
                    "\(words): \(outcome.status)")
                #expect(!outcome.errors.contains("Unexpected error"), "\(words): \(outcome.errors)")
            }
        }
    }
}
