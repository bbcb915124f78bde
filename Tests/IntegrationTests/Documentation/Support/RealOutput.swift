import Foundation
import QuakeModel
import QuakeTestSupport

/// Records of every kind that the program writes, in all situations that affect their shape.
struct RealOutput {
    /// A record, and the name of the table that describes it.
    struct Record {
        var kind: String
        var object: [String: Any]
    }

    private(set) var records: [Record] = []
    private let cache: ProcessRunner
    /// Another cache, with a feed that contains unconfirmed changes and unreadable features.
    private let unconfirmed: ProcessRunner

    /// Runs the program on caches in `directory`.
    init(in directory: ScratchDirectory) async throws {
        cache = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
        unconfirmed = ProcessRunner(environment: ["QUAKES_DB": directory.path("unconfirmed.db")])
        try await refresh(in: directory)
        try await details()
        try await ask()
        try await purge()
        try await askAfterPurge()
        try await save(in: directory)
        try await backfill()
    }

    private mutating func details() async throws {
        let server = try EventServiceServer.ofTest()
        let answer = try Fixture.data("details/us7000zzay.geojson")
        server.change { catalog in
            catalog.insert(Quake(sample: "us7000zzay"))
            catalog.details["us7000zzay"] = answer
        }
        server.fail(where: { $0.parameters["eventid"] == "us7000zz9d" ? .body(Data("[]".utf8)) : nil })
        let call = ["details", "us7000zzay", "us7000zz9d", "--format", "json", "--service-url", server.queryURL]
        for options in [["--dry-run"], []] { try take(nil, try await cache.run(call + options), isLines: true) }
        try await add("details", cache, ["show", "us7000zzay", "--format", "json"])
        // The cache notes a service that cannot be reached.
        _ = try await cache.run("details", "us7000zzay", "--again", "--service-url", "http://127.0.0.1:9/query")
    }

    private mutating func backfill() async throws {
        let server = try EventServiceServer.ofTest()
        let day = Timestamp.sample - Duration.seconds(86_400)...Timestamp.sample
        server.change { $0.insertInvented(10, in: day) }
        let call = ["backfill", "--format", "json", "--service-url", server.queryURL, "--until", "2026-04"]
        for options in [["--dry-run"], []] { try take(nil, try await cache.run(call + options), isLines: true) }
        let unreadable = #"{"type":"Feature","id":"us7000bad1","properties":{},"geometry":null}"#
        let body = Data(#"{"type":"FeatureCollection","features":[\#(unreadable)]}"#.utf8)
        server.fail(where: { $0.method == "query" ? .body(body) : nil })
        try take(nil, try await cache.run(call + ["--again"]), isLines: true)
        server.fail(where: { _ in nil })
        try take(nil, try await unconfirmed.run(call + ["--min-mag", "2.5"]), isLines: true)
        for cache in [cache, unconfirmed] { try await add("status", cache, ["status", "--format", "json"]) }
        try take(nil, try await cache.run(["backfill", "--forget", "--format", "json"]), isLines: true)
    }

    private mutating func refresh(in directory: ScratchDirectory) async throws {
        let json = ["refresh", "--format", "json"]
        let feeds = ["all_day-1", "all_day-2"].map { Fixture.url("feeds/\($0).geojson").path }
        try await add("refresh", cache, json + ["--dry-run"] + feeds)
        for feed in feeds + feeds { try await add("refresh", cache, json + [feed]) }
        try await add("refresh", unconfirmed, json + [Fixture.url("malformed/latitude-91.geojson").path])
        let story = ["01", "02"].map { Fixture.url("stories/retracted-after-six/\($0).geojson").path }
        try await add("refresh", unconfirmed, json + story)
        for generated in [1_600_000_000_000, 1_700_000_000_000] {
            try await add(
                "refresh", unconfirmed, json + [try directory.write(emptyHour(generated), to: "hour.geojson")])
        }
        try await add("status", unconfirmed, ["status", "--format", "json"])
    }

    /// A complete hourly feed without a quake. Two such feeds leave a gap.
    private func emptyHour(_ generated: Int) -> Data {
        let metadata = #"{"generated":\#(generated),"url":"https://example.org/all_hour.geojson"}"#
        return Data(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":[]}"#.utf8)
    }

    private mutating func ask() async throws {
        for format in ["json", "ndjson"] { try await add("quake", cache, ["list", "--format", format]) }
        let place = "distance,bearing,intensity,site"
        try await add("place", cache, ["list", "--home", "1,2", "--format", "json", "--fields", place])
        let city = "region,nearest_city,nearest_city_distance,nearest_city_bearing"
        try await add("city", cache, ["list", "--format", "json", "--fields", city])
        try await add("summary", cache, ["summary", "--format", "json"])
        try await add("summary by day", cache, ["summary", "--by", "day", "--format", "json"])
        try await add("geojson", cache, ["list", "--format", "geojson"])
        try await add("details", cache, ["show", "us7000zzc4", "--format", "json"])
        for format in ["json", "ndjson"] {
            try await add(nil, cache, ["changes", "--format", format])
            try await add(nil, cache, ["diff", "beginning", "--format", format])
        }
        try await add(nil, cache, ["changes", "--coalesce", "--format", "ndjson"])
        try await add(nil, cache, ["changes", "--since-token", "--min-mag", "2.6", "--format", "ndjson"])
        try await follow()
        try await add("consumer", cache, ["consumers", "--format", "json"])
        for place in ["now", "beginning"] {
            try await add("status", cache, ["status", "--format", "json", "--at", place])
        }
    }

    private mutating func purge() async throws {
        let json = ["purge", "--format", "json"]
        try await add("status", cache, ["status", "--format", "json"])
        for options in [["--max-mag", "1", "--dry-run"], ["--max-mag", "1"], ["--compact"]] {
            try await add("purge", cache, json + options)
        }
        for options in [["--dry-run"], []] { try await add("undo", cache, ["undo", "--format", "json"] + options) }
        try await add("purge", cache, json + ["--max-mag", "1"])
        try await add("details", cache, ["show", "ci49000134", "--format", "json"])
        try await add("transaction", cache, ["history", "--format", "json"])
        for number in 1...5 {
            try await add("transaction changes", cache, ["history", "\(number)", "--format", "json"])
        }
        try await add(nil, cache, ["changes", "--format", "ndjson"])
        let history = ["--history", "--all", "--force"]
        for options in [history + ["--dry-run"], history] { try await add("purge", cache, json + options) }
    }

    private mutating func askAfterPurge() async throws {
        try await add(nil, cache, ["changes", "--since-token", "beginning", "--format", "ndjson"])
        try await add("details", cache, ["show", "ci49000134", "--format", "json"])
        try await add("transaction", cache, ["history", "--format", "json"])
        try await add("consumer", cache, ["consumers", "--format", "json"])
        try await add("status", cache, ["status", "--format", "json"])
        try await add("status", cache, ["status", "--format", "json", "--max-age", "0s"], exitStatus: 5)
    }

    private mutating func save(in directory: ScratchDirectory) async throws {
        let copy = directory.path("copy.db")
        try await add("verify", cache, ["verify", "--format", "json"])
        try await add("backup", cache, ["backup", "--format", "json", copy])
        try await add("restore", cache, ["restore", "--format", "json", copy])
        let file = try SQLiteFile(path: copy, isReadOnly: false)
        for statement in ["DROP TRIGGER guard_aliases_delete", "DELETE FROM aliases"] { try file.rows(statement) }
        try await add("verify", cache, ["verify", "--format", "json", "--db", copy], exitStatus: 74)
    }

    /// Adds the records delivered to a follower before its first heartbeat, which comes once nothing else does.
    private mutating func follow() async throws {
        let (lines, _) = try await cache.whileRunning(["changes", "--follow", "--heartbeat", "1s"]) { process in
            var lines: [String] = []
            while lines.last?.contains(#""heartbeat""#) != true, let line = try await process.nextLine() {
                lines.append(line)
            }
            return lines
        }
        for line in lines { try take(nil, Data(line.utf8)) }
    }

    /// Adds the records that the program writes with `arguments`; without `kind`, each record names its own.
    private mutating func add(
        _ kind: String?, _ runner: ProcessRunner, _ arguments: [String], exitStatus: Int32 = 0
    ) async throws {
        let result = try await runner.run(arguments)
        guard result.exitStatus == exitStatus else { throw Failure(call: arguments, words: result.errorOutput) }
        let isLines = ["ndjson", "refresh"].contains { arguments.contains($0) }
        try take(kind, result, isLines: isLines)
    }

    private mutating func take(_ kind: String?, _ result: ProcessResult, isLines: Bool) throws {
        let documents = isLines ? result.output.split(separator: "\n").map { Data($0.utf8) } : [result.standardOutput]
        for document in documents { try take(kind, document) }
    }

    private mutating func take(_ kind: String?, _ document: Data) throws {
        let value = try JSONSerialization.jsonObject(with: document)
        for case let object as [String: Any] in value as? [Any] ?? [value] {
            records.append(Record(kind: kind ?? object["kind"] as? String ?? "", object: object))
        }
    }

    private struct Failure: Error {
        let call: [String]
        let words: String
    }
}
