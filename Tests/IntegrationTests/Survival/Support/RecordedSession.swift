import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Commands run one after another in one folder, with their effects on its files and the states they left.
struct RecordedSession: Sendable {
    /// A command in a session.
    struct Step: Sendable {
        var arguments: [String]
        /// Whether success guarantees that its changes are on the disk.
        var waits = true
        /// Whether its output reports that it is done. `changes` prints before it moves the token.
        var reports = true
    }

    /// Other users of the cache during the session.
    enum Company: String, CaseIterable, Sendable {
        case nobody, reader, pinnedReader
    }

    /// A moment in the session.
    enum Moment: Sendable {
        case began(step: Int)
        case event(DiskEvent)
        case succeeded(step: Int)
    }

    private(set) var moments: [Moment] = []
    /// The state before the first command, and after each.
    private(set) var states: [CacheContents] = []
    /// All contents that the token file had.
    private(set) var tokens: Set<String> = []
    let steps: [Step]

    /// Runs all steps in `scratch`, where no other process runs.
    init(_ company: Company, in scratch: ScratchDirectory) async throws {
        let folder = scratch.path("session")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/quakes.db"
        steps = Self.steps(in: folder)
        states = [try CacheContents(ofCacheAt: path)]
        var events = DiskEvents(folder: folder)
        let quakes = ProcessRunner(environment: [
            "QUAKES_DB": path, "HOME": scratch.url.path, "QUAKES_BASE_URL": "http://127.0.0.1:9",
        ])
        // The reader stays open until all steps have run.
        var reader: QuakeContext?
        for (index, step) in steps.enumerated() {
            let (result, calls) = try await SystemCallTrace.record(quakes, step.arguments, in: scratch.path("calls"))
            // Beside a pin, a purge succeeds, but the file cannot shrink.
            let isBlocked = company == .pinnedReader && step.arguments.contains("--compact")
            #expect(result.exitStatus == (isBlocked ? 75 : 0), "\(step.arguments): \(result.errorOutput)")
            moments.append(.began(step: index))
            events.beginProgram()
            var isReported = false
            for call in calls {
                moments += try events.events(of: call).map { .event($0) }
                if step.reports, !isReported, call.name == "write", case .descriptor(1, _) = call.arguments[0] {
                    moments.append(.succeeded(step: index))
                    isReported = true
                }
            }
            if !isReported { moments.append(.succeeded(step: index)) }
            states.append(try CacheContents(ofCacheAt: path))
            if let token = try? String(contentsOfFile: folder + "/token", encoding: .utf8) { tokens.insert(token) }
            if index == 1, company == .reader || company == .pinnedReader {
                reader = try QuakeContext(QuakeCache(path: path), access: .reading)
                if company == .pinnedReader { try reader?.pin(to: .current) }
                _ = try reader?.fetchCount()
            }
            // From here on, the log can be emptied again.
            if index == 9 { try reader?.unpin() }
        }
        withExtendedLifetime(reader) {}
    }

    private static func steps(in folder: String) -> [Step] {
        func feed(_ name: String) -> [String] { ["refresh", Fixture.url("feeds/\(name).geojson").path] }
        return [
            Step(arguments: feed("all_day-1")), Step(arguments: feed("all_day-2")),
            Step(arguments: ["changes", "--since-token", "--consumer", "alarm"], reports: false),
            // Nothing is new, so only the time of the feed's response is recorded.
            Step(arguments: feed("all_day-2"), waits: false),
            Step(arguments: ["purge", "--max-mag", "1.5"]), Step(arguments: ["undo"]),
            Step(arguments: ["changes", "--token-file", folder + "/token"], reports: false),
            Step(arguments: ["backup", folder + "/copy.db"]),
            Step(arguments: ["purge", "--compact", "--max-mag", "1"]),
            Step(arguments: ["changes", "--token-file", folder + "/token"], reports: false),
            Step(arguments: ["purge", "--history", "--all", "--force"]),
            Step(arguments: feed("significant_month")), Step(arguments: ["restore", folder + "/copy.db"]),
            Step(arguments: feed("all_hour")),
        ]
    }
}
