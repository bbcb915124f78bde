import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

/// A story in Fixtures/stories: successive snapshots, and the changes that each must make.
struct Story: CustomTestStringConvertible {
    let name: String
    let title: String
    let settings: MirrorSettings
    /// The numbers of the steps, from `01` on.
    let steps: [String]
    /// The snapshots, in the order of the steps.
    private let files: [String]
    private let expectations: [Expectation]

    var testDescription: String { "\(name): \(title)" }

    /// All stories, by name.
    static let all: [Story] = {
        do {
            return try Fixture.names(in: "stories").map { try Story($0) }
        } catch {
            preconditionFailure("Fixtures/stories cannot be read: \(error)")
        }
    }()

    private init(_ name: String) throws {
        self.name = name
        let description = try JSONDecoder().decode(Description.self, from: Fixture.data("stories/\(name)/story.json"))
        title = description.title
        var settings = MirrorSettings()
        if let given = description.settings {
            settings.confirmSnapshots = given.confirmSnapshots
            settings.confirmAfter = .seconds(given.confirmAfterSeconds)
        }
        self.settings = settings
        files = try Fixture.names(in: "stories/\(name)").filter { $0.hasSuffix(".geojson") || $0.hasSuffix(".csv") }
        steps = files.map { String($0.prefix { $0 != "." }) }
        expectations = try Fixture.data("stories/\(name)/expected.ndjson").split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Expectation.self, from: Data($0)) }
    }

    func path(_ step: String) throws -> String {
        let file = try #require(files.first { $0.hasPrefix("\(step).") })
        return Fixture.url("stories/\(name)/\(file)").path
    }

    /// Returns the changes that `step` must make.
    func outcome(of step: String) -> StepOutcome {
        let lines = expectations.filter { $0.step == step }
        var outcome = StepOutcome(changes: Set(lines.compactMap(\.change)))
        outcome.isRefused = lines.contains { $0.exit != nil }
        return outcome
    }

    /// Returns the ids whose changes must be unconfirmed after `step`; nil if the story does not specify them.
    func unconfirmedChanges(after step: String) -> Set<String>? {
        expectations.first { $0.step == step && $0.unconfirmedChanges != nil }?.unconfirmedChanges.map { Set($0) }
    }

    private struct Description: Decodable {
        var title: String
        var settings: Settings?

        struct Settings: Decodable {
            var confirmSnapshots: Int
            var confirmAfterSeconds: Int

            enum CodingKeys: String, CodingKey {
                case confirmSnapshots = "confirm_snapshots"
                case confirmAfterSeconds = "confirm_after_seconds"
            }
        }
    }

    private struct Expectation: Decodable {
        var step: String
        var op: String?
        var reason: String?
        var id: String?
        var changed: [String]?
        var previous: String?
        var survivor: String?
        var exit: Int?
        var unconfirmedChanges: [String]?

        enum CodingKeys: String, CodingKey {
            case step, op, reason, id, changed, exit
            case unconfirmedChanges = "unconfirmed"
            case previous = "previous_id"
            case survivor = "merged_into"
        }

        var change: StepOutcome.Change? {
            guard let op, let reason, let id else { return nil }
            return StepOutcome.Change(
                op: op, reason: reason, id: id, changed: changed ?? [], previous: previous, survivor: survivor)
        }
    }
}
