import Foundation
@testable import QuakeCommands
import QuakeTestSupport
import Testing

@Suite("Exit statuses and advice", .endsInTime, .scratch) struct ExitCodeTests {
    @Test("commands.md and the quakes(1) man page give every exit status the same meaning") func meanings() throws {
        let meanings = try ExitCodeTable(all: []).meanings
        #expect(Set(meanings.keys) == Set(ExitStatus.allCases.map { "\($0.rawValue)" } + ["0 to 3", "130, 143"]))
        let manual = try ManualPage("quakes.1")
        let entries = manual.items(of: "EXIT STATUS").map { ($0.term, $0.text.dropLast().lowercased()) }
        #expect(Dictionary(uniqueKeysWithValues: entries) == meanings.mapValues { $0.lowercased() })
    }

    @Test("Each command can exit with exactly the statuses that commands.md documents for it")
    func statusesOfCommands() async throws {
        let commands = try await CommandReference.built().filter { !$0.name.isEmpty }
        var table = try ExitCodeTable(all: Set(commands.map(\.name))).commands
        table["130, 143"] = nil
        // MonitorTests covers the exit codes of `status --check`.
        table["0 to 3"] = nil
        let directory = try ScratchDirectory.ofTest()
        let places = try await ExitScenarioPlaces(in: directory)
        let busy = ExitScenario.all.filter { $0.place == .busyCache }
        var runs = Array(zip(busy, try await places.runWhileBusy(busy)))
        for scenario in ExitScenario.all where scenario.place != .busyCache {
            runs.append((scenario, try await places.run(scenario)))
        }
        var seen: [String: Set<String>] = ["1": [try await commandWithoutHelper(in: directory)]]
        seen["0"] = [try await commandThatEndsWithASignal(in: directory)]
        seen["65"] = try await commandsWithBrokenService(in: directory)
        for (scenario, outcome) in runs {
            #expect(outcome.exitStatus == scenario.code, "\(scenario.words): \(outcome.words)")
            seen["\(scenario.code)", default: []].insert(scenario.command)
            let advised = Advice(outcome.words, of: scenario.command).missing(in: commands)
            #expect(advised == [], "\(scenario.words): \(outcome.words)")
        }
        #expect(seen == table)
        #expect(try places.areUntouched)
    }

    /// A watch exits with 0 when it is told to end. Returns the command's name.
    private func commandThatEndsWithASignal(in directory: ScratchDirectory) async throws -> String {
        let runner = ProcessRunner(
            environment: ["QUAKES_DB": directory.path("watched.db"), "QUAKES_BASE_URL": "http://127.0.0.1:9"])
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let arguments = ["watch", "--format", "ndjson", "--heartbeat", "1s"]
        let (_, result) = try await runner.whileRunning(arguments) { process in
            let line = try await process.nextLine()
            #expect(line?.contains("heartbeat") == true)
            process.send(signal: SIGTERM)
        }
        #expect(result.ending == .exited(0))
        return "watch"
    }

    /// A refresh from a server exits with 1 if the helper is not installed. Returns the command's name.
    private func commandWithoutHelper(in directory: ScratchDirectory) async throws -> String {
        let lone = try await directory.copyProgram(BuiltProduct.path("quakes"), to: "quakes")
        let runner = ProcessRunner(path: lone, environment: ["QUAKES_DB": directory.path("lone.db")])
        let result = try await runner.run("refresh", "http://127.0.0.1:9/all_day.geojson")
        #expect(result.exitStatus == 1 && result.errorOutput.contains("quakes-fetch is missing"))
        return "refresh"
    }

    /// A backfill and `details` exit with 65 if the service's response is unusable. Returns the commands' names.
    private func commandsWithBrokenService(in directory: ScratchDirectory) async throws -> Set<String> {
        let server = try EventServiceServer.ofTest()
        server.fail { _ in .body(Data("[]".utf8)) }
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("broken.db")])
        #expect(try await runner.run("backfill", "--until", "1990", "--service-url", server.queryURL).exitStatus == 65)
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let details = try await runner.run("details", "us7000zzay", "--service-url", server.queryURL)
        #expect(details.exitStatus == 65)
        return ["backfill", "details"]
    }
}

/// The commands and options that a message names. An option of another command is quoted together with that command.
private struct Advice {
    private var named: [(command: String, options: [String])]

    init(_ message: String, of command: String) {
        let calls = message.matches(of: /`quakes ([a-z]+)([^`]*)`/)
        named = calls.filter { $0.output.1 != "help" }.map {
            (String($0.output.1), Advice.options(in: String($0.output.2)))
        }
        named.append((command, Advice.options(in: message.replacing(/`[^`]*`/, with: ""))))
    }

    private static func options(in text: String) -> [String] {
        text.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    }

    /// The named commands and options that do not exist.
    func missing(in commands: [CommandReference]) -> [String] {
        named.flatMap { name, options -> [String] in
            guard let command = commands.first(where: { $0.name == name }) else { return [name] }
            return options.filter { !command.options.contains($0) && $0 != "--nonsense" }.map { "\(name) \($0)" }
        }
    }
}
