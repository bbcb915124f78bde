import Foundation
import QuakeTestSupport
import Testing

/// Documentation/output.md and real output name the same fields, neither more nor less.
@Suite("What the output document leaves out or invents", .timeLimit(.minutes(1)))
struct OutputDocumentTests {
    @Test("Every field of every record stands in the document, and nothing else does")
    func fields() async throws {
        let documented = try OutputDocument()
        let real = try await RealOutput.collected()
        for (record, fields) in real.sorted(by: { $0.key < $1.key }) {
            #expect(documented.fields[record] == fields, "\(record)")
        }
        #expect(Set(documented.fields.keys) == Set(real.keys))
    }

    @Test("Columns stand in the order in which they are written")
    func columns() async throws {
        let documented = try OutputDocument()
        try await withScratchDirectory { directory in
            let runner = ProcessRunner("quakes", environment: ["QUAKES_DB": directory.path("quakes.db")])
            _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
            let quakes = try await runner.run("list", "--format", "csv", "--limit", "1").output
            #expect(
                quakes.split(separator: "\n").first.map(String.init)
                    == documented.order["quake"]?.joined(separator: ","))
            let changes = try await runner.run("changes", "--format", "csv").output
            #expect(
                changes.split(separator: "\n").first.map(String.init)
                    == documented.order["change columns"]?.joined(separator: ","))
        }
    }
}

/// The tables of the document, by the name in the comment above each.
private struct OutputDocument {
    private(set) var order: [String: [String]] = [:]
    var fields: [String: Set<String>] { order.mapValues(Set.init) }

    init() throws {
        var record: String?
        for line in try Document("Documentation/output.md").text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /<!-- output: (.+) -->/) {
                record = String(match.output.1)
            } else if let record, let match = line.prefixMatch(of: /\| `([^`]+)` \|/) {
                order[record, default: []].append(String(match.output.1))
            } else if !line.hasPrefix("|") {
                record = nil
            }
        }
    }
}

/// The fields of what the program really writes, by kind of record.
private enum RealOutput {
    static func collected() async throws -> [String: Set<String>] {
        try await withScratchDirectory { directory in
            let runner = ProcessRunner("quakes", environment: ["QUAKES_DB": directory.path("quakes.db")])
            var fields: [String: Set<String>] = [:]
            func add(_ record: String, _ object: Any) { fields[record, default: []].formUnion(paths(object)) }

            for feed in ["all_day-1", "all_day-2"] {
                _ = try await runner.run("refresh", Fixture.url("feeds/\(feed).geojson").path)
            }
            _ = try await runner.run("purge", "--max-mag", "1")
            for line in try await lines(runner, "list", "--format", "ndjson") { add("quake", line) }
            var records = try await lines(runner, "changes", "--since-token", "--format", "ndjson")
            records += try await lines(runner, "changes", "--follow", "--heartbeat", "1s", "--timeout", "2s")
            for line in try await lines(runner, "history", "--format", "json") {
                for transaction in line as? [Any] ?? [] { add("transaction", transaction) }
            }
            for number in ["1", "2", "3"] {
                for line in try await lines(runner, "history", number, "--format", "json") {
                    add("transaction changes", line)
                }
            }
            let known = fields["transaction"] ?? []
            fields["transaction changes"]?.subtract(known)
            for line in try await lines(runner, "consumers", "--format", "json") {
                for consumer in line as? [Any] ?? [] { add("consumer", consumer) }
            }
            _ = try await runner.run("purge", "--history", "--all")
            records += try await lines(runner, "changes", "--since-token", "beginning", "--format", "ndjson")
            for record in records {
                guard let kind = (record as? [String: Any])?["kind"] as? String else { continue }
                add(kind, record)
            }
            let csv = try await runner.run("changes", "--format", "csv").output
            fields["change columns"] = Set(
                csv.split(separator: "\n").first?.split(separator: ",").map(String.init) ?? [])
            return fields
        }
    }

    private static func lines(_ runner: ProcessRunner, _ arguments: String...) async throws -> [Any] {
        try await runner.run(arguments).output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8))
        }
    }

    /// The paths of all members. Objects that are quakes are one field: their members are the quake's.
    private static func paths(_ value: Any, below prefix: String = "") -> Set<String> {
        if let array = value as? [Any] {
            return Set(array.flatMap { $0 is [String: Any] ? paths($0, below: prefix + "[]") : [] })
        }
        guard let object = value as? [String: Any] else { return [] }
        var result: Set<String> = []
        for (name, member) in object {
            let path = prefix.isEmpty ? name : "\(prefix).\(name)"
            result.insert(path)
            if !["before", "after", "tombstone", "extra"].contains(name) {
                result.formUnion(paths(member, below: path))
            }
        }
        return result
    }
}
