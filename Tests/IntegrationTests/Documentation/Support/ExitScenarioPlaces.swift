import Foundation
import QuakeStore
import QuakeTestSupport

struct ExitScenarioPlaces {
    private static let diary = Data(String(repeating: "Dear diary. ", count: 200).utf8)
    private let directory: ScratchDirectory

    init(in directory: ScratchDirectory) async throws {
        self.directory = directory
        let runner = runner(for: .cache)
        for name in ["all_day-1", "all_day-2"] {
            _ = try await runner.run("refresh", Fixture.url("feeds/\(name).geojson").path)
        }
        // Transaction 3 is a purge of quakes that have all returned since.
        _ = try await runner.run("purge", "--min-mag", "6", "--yes")
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-2.geojson").path)
        _ = try await runner.run("changes", "--since-token", "--consumer", "alarm")
        _ = try await runner.run("purge", "--max-mag", "1")
        let held = Timestamp(milliseconds: 946_684_800_000)..<Timestamp(milliseconds: 978_307_200_000)
        try QuakeContext(QuakeCache(path: path(of: .cache))).write { writer in
            try writer.add(CoveredRange(originTimes: held, asOf: held.upperBound))
        }
        _ = try await runner.run("backup", directory.path("saved.db"))
        let cache = try Data(contentsOf: URL(filePath: path(of: .cache)))
        try directory.write(cache, to: "busyCache")
        try directory.write(Self.diary, to: "diary")
        try FileManager.default.createDirectory(atPath: path(of: .folder), withIntermediateDirectories: false)
    }

    /// A command's exit status and what it wrote to standard error.
    typealias Outcome = (exitStatus: Int32?, words: String)

    func run(_ scenario: ExitScenario) async throws -> Outcome {
        let result = try await runner(for: scenario.place).run(words(of: scenario))
        return (result.exitStatus, result.errorOutput)
    }

    /// Returns the outcome of each of `scenarios`, all of which run while another process writes to their cache.
    func runWhileBusy(_ scenarios: [ExitScenario]) async throws -> [Outcome] {
        let (store, runner) = (QuakeCache(path: path(of: .busyCache)), runner(for: .busyCache))
        return try await onOwnThread {
            let writing = try QuakeContext(store, author: "test", access: .writing).write { _ in
                try scenarios.map { try RunningCall(words(of: $0), runner) }.map { try $0.end() }
            }
            return writing.result
        }
    }

    /// Whether no command has written to a file that is not a cache, or created a cache that it was to read.
    var areUntouched: Bool {
        get throws {
            try Data(contentsOf: URL(filePath: path(of: .diary))) == Self.diary
                && !FileManager.default.fileExists(atPath: path(of: .nothing))
        }
    }

    private func words(of scenario: ExitScenario) -> [String] {
        scenario.words.map { $0.replacing("@", with: directory.url.path) }
    }

    private func path(of place: ExitScenario.Place) -> String { directory.path("\(place)") }

    private func runner(for place: ExitScenario.Place) -> ProcessRunner {
        ProcessRunner(environment: ["QUAKES_DB": path(of: place)])
    }
}

/// A process awaited without `await`, because a transaction is open meanwhile.
private struct RunningCall {
    private let process = Process()
    private let errors = Pipe()

    init(_ words: [String], _ runner: ProcessRunner) throws {
        process.executableURL = URL(filePath: runner.executable)
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(runner.environment.compactMapValues { $0 }) {
            $1
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
    }

    func end() throws -> ExitScenarioPlaces.Outcome {
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }
}
