import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("changes with --quiet", .scratch) struct QuietChangesTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    /// Every form of the output, as options.
    private static let forms =
        ChangesFormat.allCases.map { ["--format", $0.rawValue] } + [["--template", "{id}"], []]

    @Test("Without changes, quakes changes -q prints nothing or, in JSON, only the \"end\" object", arguments: forms)
    func nothingNew(form: [String]) throws {
        let token = try cache.run("token").output.split(separator: "\n").map(String.init)[0]
        let starts = [
            ["--consumer", "a"], ["--since-token", token], ["--op", "undo"], ["--follow", "--timeout", "0s"],
        ]
        _ = try cache.run("changes", "--consumer", "a", "--ack", "now")
        let isJSON = ["json", "ndjson"].contains(form.last)
        let isFollowable = form.last.map { ["table", "ndjson"].contains($0) } ?? false
        for start in starts where isFollowable || !start.contains("--follow") {
            let call = start.contains("--follow") ? start + ["--consumer", "a"] : start
            let outcome = try cache.run(["changes", "-q"] + form + call)
            #expect(outcome.errors.isEmpty && outcome.output.isEmpty != isJSON, "\(start): \(outcome.output)")
            #expect(outcome.output.contains("\"end\"") == isJSON)
            #expect(outcome.status == .success)
        }
    }

    @Test("quakes changes prints the same changes with and without -q", arguments: forms)
    func withChanges(form: [String]) throws {
        let call = ["changes", "--consumer", "a", "--no-ack"] + form
        #expect(try cache.run(call + ["-q"]).output == cache.run(call).output)
        #expect(try !cache.run(call + ["-q"]).output.isEmpty)
    }
}
