import Foundation
import Glibc
import QuakeTestSupport
import Testing

/// A mistyped filter is found at the start, not by the silence of an alarm.
@Suite("Filter values that no quake has", .endsInTime, .scratch) struct FilterVocabularyTests {
    /// The commands that select quakes, with arguments that end them.
    private static let commands = [
        ["list"], ["map", "--format", "svg"], ["summary"], ["changes"], ["diff", "beginning", "now"],
        ["purge", "--dry-run"], ["details", "--dry-run"],
        ["changes", "--follow", "--since-token", "now", "--timeout", "1s"],
    ]
    private static let closed = [
        ("--region", "Califronia", "There is no region"), ("--status", "revewed", "Unknown status"),
        ("--alert", "gren", "Unknown alert level"), ("--type", "quake", "Unknown type"),
    ]
    private static let open = [
        ("--net", "uss", "the network \"uss\""), ("--net", "official", "the network \"official\""),
        ("--magtype", "mwx", "the magnitude type \"mwx\""), ("--place", "Atlantis", "a place name with \"Atlantis\""),
    ]

    @Test(
        "Commands with filters exit with 64 for an unknown --region, --status, --alert or --type", arguments: commands)
    func unknownClosedValues(command: [String]) async throws {
        let cache = try await Cache.ofDay()
        for (option, value, message) in Self.closed {
            let result = try await cache.quakes.run(command + [option, value])
            #expect(result.exitStatus == 64, "\(command) \(option) \(value): \(result.output)")
            #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
        }
    }

    @Test("Commands with filters warn once about a --net, --magtype or --place that no quake has", arguments: commands)
    func unknownOpenValues(command: [String]) async throws {
        let cache = try await Cache.ofDay()
        for (option, value, message) in Self.open {
            let result = try await cache.quakes.run(command + [option, value])
            #expect(result.exitStatus == 0, "\(command) \(option) \(value): \(result.errorOutput)")
            let remarks = result.errorOutput.ranges(of: "no quake in the cache has \(message)").count
            #expect(remarks == 1, "\(command) \(option) \(value): \(result.errorOutput)")
            let quiet = try await cache.quakes.run(command + ["-q", option, value])
            #expect(quiet.exitStatus == 0 && !quiet.errorOutput.contains("no quake"), "\(quiet.errorOutput)")
        }
    }

    @Test(
        "quakes watch exits with 64 for an unknown --region or --type, with or without a cache",
        arguments: [true, false])
    func watchChecksFiltersFirst(hasCache: Bool) async throws {
        let cache = hasCache ? try await Cache.ofDay() : try Cache.ofTest()
        for (option, value, message) in Self.closed {
            let result = try await cache.quakes.run(["watch", "--interval", "1s", option, value])
            #expect(result.exitStatus == 64, "\(option) \(value)")
            #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
        }
        for (option, value) in [("--net", "uss"), ("--id", "us7000none"), ("--magtype", "mwx")] {
            let arguments = ["watch", "--interval", "1h", "--format", "ndjson", option, value]
            let (_, result) = try await cache.quakes.whileRunning(arguments) { process in
                try await Task.sleep(for: .seconds(1))
                process.send(signal: SIGINT)
            }
            #expect(result.ending == .exited(0), "\(result.errorOutput)")
            #expect(result.errorOutput.ranges(of: "no quake in the cache has").count == 1, "\(result.errorOutput)")
        }
    }

    @Test("An --id that no quake has causes a warning, while other ids in the list still match") func unknownID()
        async throws
    {
        let cache = try await Cache.ofDay()
        let result = try await cache.run("changes", "--id", "us7000none", "--format", "ndjson")
        #expect(result.exitStatus == 0 && !result.output.contains(#""kind":"change""#))
        #expect(result.errorOutput.contains("the current or former id us7000none"), "\(result.errorOutput)")
        let both = try await cache.records("changes", "--id", "us7000none,us7000zzay", "--format", "ndjson")
        #expect(both.compactMap { $0["id"].text } == ["us7000zzay"])
    }
}
