import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

/// A cache with quakes, history, unconfirmed changes, covered ranges, solutions and consumers, and the output of the
/// version that wrote it. Both are in Tests/Frozen; a test run with `QUAKES_FREEZE` creates them if they are missing.
@Suite("A cache written by 1.0 works with this version", .serialized, .endsInTime, .scratch) struct FrozenCacheTests {
    private static let folder = Fixture.projectDirectory.appending(path: "Tests/Frozen")

    private static let file = folder.appending(path: "cache-1.0.db")
    private static let answers = folder.appending(path: "cache-1.0.json")

    /// Commands whose output does not depend on the day.
    private static let calls = [
        "list --format ndjson", "list --ids --at published:2026-03-14T12:30", "show us7000zzay --format json",
        "changes --format ndjson", "changes --since-token --consumer alarm --no-ack --format ndjson",
        "diff beginning --format ndjson", "history --format json", "token",
    ]

    /// Runs `body` with a copy of the cache.
    private func withCopy(_ body: (ProcessRunner, ScratchDirectory) async throws -> Void) async throws {
        try await withScratchDirectory { directory in
            if ProcessInfo.processInfo.environment["QUAKES_FREEZE"] != nil { try await make(in: directory) }
            let path = directory.path("quakes.db")
            try FileManager.default.copyItem(atPath: Self.file.path, toPath: path)
            try await body(ProcessRunner(environment: ["QUAKES_DB": path]), directory)
        }
    }

    @Test("For a cache written by version 1.0, commands print every value that 1.0 printed") func sameAnswers()
        async throws
    {
        try await withCopy { runner, _ in
            let kept = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: Self.answers)) as? [String: [Any]])
            #expect(Set(kept.keys) == Set(Self.calls))
            for (call, answer) in kept {
                let lines = try await Self.answer(to: call, runner)
                #expect(Self.keeps(answer, lines), "\(call)")
            }
        }
    }

    @Test("A cache written by version 1.0 still has its unconfirmed changes, coverage and consumers")
    func sameState() async throws {
        try await withCopy { runner, _ in
            let verified = try await runner.run("verify", "--full")
            #expect(verified.exitStatus == 0 && verified.output.hasPrefix("OK: "), "\(verified.output)")
            let data = try await runner.run("status", "--format", "json").standardOutput
            let status = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(status["schema"] as? Int == 1)
            let unconfirmedChanges = try #require(status["unconfirmed"] as? [[String: Any]])
            #expect(unconfirmedChanges.map { $0["kind"] as? String } == ["absent"])
            let coverage = try #require(status["coverage"] as? [[String: Any]])
            #expect(Set(coverage.compactMap { $0["source"] as? String }) == ["feed", "query", "backfill"])
            let consumers = try #require(status["consumers"] as? [[String: Any]])
            #expect(consumers.compactMap { $0["name"] as? String }.sorted() == ["alarm", "nightly"])
            for name in ["alarm", "nightly"] {
                let call = [
                    "changes", "--since-token", "--consumer", name, "--on-expired", "fail", "--format", "ndjson",
                ]
                #expect(try await runner.run(call).exitStatus == 0)
                #expect(try await runner.run(call).output.split(separator: "\n").count == 1)
            }
        }
    }

    @Test("A cache written by version 1.0 can be refreshed, purged, undone, backed up and restored") func canBeWritten()
        async throws
    {
        try await withCopy { runner, directory in
            let token = try await runner.run("token").output.split(separator: "\n").joined()
            #expect(
                try await runner.run("refresh", Fixture.url("feeds/significant_month.geojson").path).exitStatus == 0)
            #expect(try await runner.run("purge", "--max-mag", "0", "--yes").exitStatus == 0)
            #expect(try await runner.run("undo").exitStatus == 0)
            #expect(try await runner.run("changes", "--since-token", token, "--on-expired", "fail").exitStatus == 0)
            let copy = directory.path("copy.db")
            #expect(try await runner.run("backup", copy).exitStatus == 0)
            #expect(try await runner.run("restore", copy).exitStatus == 0)
            #expect(try await runner.run("verify", "--full").exitStatus == 0)
        }
    }

    @Test("quakes list reads a cache file of mode 0444 that was written by version 1.0") func canBeReadOnly()
        async throws
    {
        try await withCopy { runner, directory in
            #expect(chmod(directory.path("quakes.db"), 0o444) == 0)
            let count = try await runner.run("list", "--count")
            #expect(count.exitStatus == 0 && Int(count.output.dropLast()) ?? 0 > 20)
        }
    }

    /// The output lines of `call`, parsed if they are JSON.
    private static func answer(to call: String, _ runner: ProcessRunner) async throws -> [Any] {
        let result = try await runner.run(call.split(separator: " ").map(String.init))
        #expect(result.exitStatus == 0, "\(call): \(result.errorOutput)")
        return result.output.split(separator: "\n").map { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) ?? String(line)
        }
    }

    /// Whether `new` contains everything in `old`, with lists of the same length.
    private static func keeps(_ old: Any, _ new: Any) -> Bool {
        if let old = old as? [String: Any], let new = new as? [String: Any] {
            return old.allSatisfy { name, value in new[name].map { keeps(value, $0) } ?? false }
        } else if let old = old as? [Any], let new = new as? [Any] {
            return old.count == new.count && zip(old, new).allSatisfy { keeps($0, $1) }
        }
        return (old as? NSObject) == (new as? NSObject)
    }

    // MARK: Creating the cache

    /// Creates the cache of 1.0.0 and its output if they are missing.
    private func make(in directory: ScratchDirectory) async throws {
        guard !FileManager.default.fileExists(atPath: Self.file.path) else { return }
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("made.db")])
        func run(_ arguments: [String], input: Data = Data()) async throws {
            let result = try await runner.run(arguments, input: input)
            try #require(result.exitStatus == 0, "\(arguments): \(result.errorOutput)")
        }
        // From standard input, because a path would depend on the machine.
        func refresh(_ document: Data) async throws { try await run(["refresh", "-"], input: document) }
        try await refresh(Fixture.data("feeds/all_day-1.geojson"))
        try await run(["changes", "--consumer", "alarm", "--ack", "now"])
        try await refresh(Fixture.data("feeds/all_day-2.geojson"))
        try await run(["purge", "--max-mag", "1", "--yes"])
        try await run(["undo"])
        try await refresh(try withoutOneQuake(Fixture.data("feeds/all_day-2.geojson")))
        try await refresh(wholeStretch())
        try await run(["changes", "--consumer", "nightly", "--ack", "now"])
        let server = try EventServiceServer.ofTest()
        let details = try Fixture.data("details/us7000zzay.geojson")
        let stretch = Timestamp(milliseconds: 978_307_200_000)...Timestamp(milliseconds: 1_009_843_200_000)
        server.change { catalog in
            catalog.insertInvented(5, in: stretch)
            catalog.insert(Quake(sample: "us7000zzay"))
            catalog.details["us7000zzay"] = details
        }
        let service = ["--service-url", server.queryURL]
        try await run(["backfill", "--since", "2001", "--until", "2002", "-q"] + service)
        try await run(["details", "us7000zzay", "-q"] + service)
        try await run(["verify", "--full"])
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try await run(["backup", Self.file.path])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: Self.file.path)
        var answers: [String: [Any]] = [:]
        let reader = ProcessRunner(environment: ["QUAKES_DB": directory.path("made.db")])
        for call in Self.calls { answers[call] = try await Self.answer(to: call, reader) }
        try JSONSerialization.data(
            withJSONObject: answers, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        )
        .write(to: Self.answers)
    }

    /// The feed a minute later without its newest quake, whose absence is then unconfirmed.
    private func withoutOneQuake(_ feed: Data) throws -> Data {
        var document = try #require(try JSONSerialization.jsonObject(with: feed) as? [String: Any])
        let features = try #require(document["features"] as? [[String: Any]]).sorted { time(of: $0) < time(of: $1) }
        let metadata = try #require(document["metadata"] as? [String: Any])
        let generated = try #require(metadata["generated"] as? Int) + 120_000
        document["features"] = features.dropLast().map(\.self)
        document["metadata"] = metadata.merging(["generated": generated, "count": features.count - 1]) { $1 }
        return try JSONSerialization.data(withJSONObject: document, options: .sortedKeys)
    }

    private func time(of feature: [String: Any]) -> Int {
        (feature["properties"] as? [String: Any])?["time"] as? Int ?? 0
    }

    /// The response to a query for all quakes of a month that has none.
    private func wholeStretch() -> Data {
        let query = "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson"
        return FeedText.document(
            query + "&starttime=1999-01-01&endtime=1999-02-01", generated: Timestamp(milliseconds: 1_773_500_000_000),
            features: [])
    }
}
