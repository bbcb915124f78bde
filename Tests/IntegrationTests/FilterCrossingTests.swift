import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Crosses the commands that select quakes with the filters in the help of `list`, so new filters are included
/// automatically. Only a filter that does not accept `Alaska` needs an example.
@Suite("Every command takes the filters of list and selects the same quakes", .endsInTime, .scratch)
struct FilterCrossingTests {
    enum Command: String, CaseIterable {
        case map, summary, details, purge, changes, diff, backfill
    }

    /// Arguments for a filter that select some quakes of `all_day-1`.
    private static func example(of option: String) -> [String] {
        switch option {
        case "--min-mag", "--max-mag": [option, "3"]
        case "--min-depth", "--max-depth", "--min-felt": [option, "10"]
        case "--min-sig": [option, "100"]
        case "--bbox": [option, "-130,30,-110,45"]
        case "--near", "--radius": ["--near", "35.75,-117.48", "--radius", "300"]
        case "--min-intensity": [option, "1.5", "--near", "35.75,-117.48", "--radius", "20000"]
        case "--home": [option, "35.75,-117.48", "--min-intensity", "1.5"]
        case "--type": [option, "quarry blast"]
        case "--status": [option, "reviewed"]
        case "--net": [option, "us"]
        case "--magtype": [option, "ml"]
        case "--alert": [option, "green"]
        case "--tsunami": [option]
        case "--since", "--until": [option, "2026-03-14T06:00"]
        default: [option, "Alaska"]
        }
    }

    /// The filters in the help of `list`.
    private func filters(_ cache: Cache) async throws -> [String] {
        let help = try await cache.output("list", "--help-hidden")
        let sections = help.split(separator: "\n\n").filter {
            $0.hasPrefix("WHICH QUAKES:") || $0.hasPrefix("ORIGIN TIME:")
        }
        let names = sections.flatMap { section in
            section.split(separator: "\n").compactMap { $0.firstMatch(of: /^  (?:-\w, )?(--[a-z-]+)/) }
        }
        return names.map { String($0.1) }
    }

    @Test(
        "With any filter, each command selects the same quakes as quakes list or rejects the filter",
        arguments: Command.allCases)
    func sameQuakesAsList(command: Command) async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let catalog = try EventCatalog(of: cache)
        let options = try await filters(cache)
        #expect(options.count >= 20)
        let server = try EventServiceServer.ofTest(catalog)
        var refused: [String] = []
        for option in options {
            // For `changes`, this is the time of a change.
            if command == .changes, option == "--since" { continue }
            let filter = Self.example(of: option)
            let listed = Set(try await cache.quakes.run(["list", "--ids"] + filter).output.split(separator: "\n"))
            #expect((1..<24).contains(listed.count), "\(filter) selects \(listed.count)")
            let result = try await run(command, filter, cache, scratch, server)
            if result.exitStatus == 64 {
                let sentence =
                    option == "--until" ? "Changes always run up to now" : "has no option \(option)"
                #expect(result.errorOutput.contains(sentence), "\(result.errorOutput)")
                refused.append(option)
                continue
            }
            #expect(result.exitStatus == 0, "\(command) \(filter): \(result.errorOutput)")
            switch try await selection(command, result, scratch, cache) {
            case .ids(let ids): #expect(ids == listed, "\(command) \(filter)")
            case .count(let count): #expect(count == listed.count, "\(command) \(filter)")
            }
        }
        switch command {
        case .backfill:
            let known = [
                "--min-mag", "--max-mag", "--min-depth", "--max-depth", "--bbox", "--near", "--radius",
                "--type",
                "--since", "--until",
            ]
            #expect(Set(options).subtracting(refused) == Set(known))
        case .changes: #expect(refused == ["--until"])
        default: #expect(refused.isEmpty)
        }
    }

    @Test(
        "With --min-intensity, quakes purge and quakes details select by the estimated intensity at $QUAKES_HOME",
        arguments: [["purge", "--dry-run", "--format", "json"], ["details", "--dry-run", "--format", "json"]])
    func homeForIntensity(command: [String]) async throws {
        let cache = try await Cache.ofDay(environment: ["QUAKES_HOME": "35.75,-117.48"])
        let listed = try await cache.output("list", "--ids", "--min-intensity", "1.5").split(separator: "\n")
        let result = try await cache.quakes.run(command + ["--min-intensity", "1.5"])
        #expect(try JSONValue(result.standardOutput)["quakes"].integer == listed.count && !listed.isEmpty)
        // An option without effect is not a filter.
        let useless = try await cache.quakes.run(command + ["--home", "Tokyo"])
        #expect(
            useless.exitStatus == 64
                && useless.errorOutput.contains("--home has no effect here without --min-intensity."))
    }

    @Test("With --since and --until, quakes purge deletes exactly the quakes that quakes list shows")
    func purgeTimeRange() async throws {
        let cache = try await Cache.ofDay()
        let hours = ["--since", "2026-03-14T00:00", "--until", "2026-03-14T06:00"]
        let listed = try await cache.quakes.run(["list", "--count"] + hours).output
        #expect(Int(listed.dropLast()).map { (1..<24).contains($0) } == true)
        #expect(try await cache.quakes.run(["purge"] + hours).output == "deleted \(listed.dropLast()) quakes\n")
        #expect(try await cache.quakes.run(["list", "--count"] + hours).output == "0\n")
    }

    private func run(
        _ command: Command, _ filter: [String], _ cache: Cache, _ scratch: ScratchDirectory,
        _ server: EventServiceServer
    ) async throws -> ProcessResult {
        let arguments =
            switch command {
            case .map: ["map", "-v", "--output", scratch.path("map.svg")]
            case .summary: ["summary", "--format", "json"]
            case .details: ["details", "--dry-run", "--format", "json"]
            case .purge: ["purge", "--dry-run", "--format", "json"]
            case .changes: ["changes", "--format", "ndjson"]
            case .diff: ["diff", "beginning", "now", "--format", "ndjson"]
            case .backfill:
                ["backfill", "--again", "--service-url", server.queryURL, "--db", scratch.path("copy.db")]
            }
        if command == .backfill {
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: scratch.path("copy.db" + ending))
            }
        }
        return try await cache.quakes.run(arguments + filter)
    }

    private enum Selection {
        case ids(Set<Substring>)
        case count(Int)
    }

    /// The ids of the quakes that `command` selected, or their number if it prints no ids.
    private func selection(
        _ command: Command, _ result: ProcessResult, _ scratch: ScratchDirectory, _ cache: Cache
    ) async throws -> Selection {
        switch command {
        case .map:
            return .count(try #require(result.errorOutput.firstMatch(of: /, (\d+) quakes?\n/).flatMap { Int($0.1) }))
        case .summary: return .count(try #require(try JSONValue(result.standardOutput)["count"].integer))
        case .details, .purge: return .count(try #require(try JSONValue(result.standardOutput)["quakes"].integer))
        case .changes, .diff:
            let records = try result.output.split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
            return .ids(Set(records.filter { $0["kind"].text == "change" }.compactMap { $0["id"].text?[...] }))
        case .backfill:
            return .ids(
                Set(try await cache.output("list", "--ids", "--db", scratch.path("copy.db")).split(separator: "\n")))
        }
    }
}
