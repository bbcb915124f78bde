import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Confirmation of changes, from the command line", .endsInTime, .scratch) struct ConfirmationCommandTests {
    private func story(_ name: String, _ step: String) -> String {
        Fixture.url("stories/\(name)/\(step).geojson").path
    }

    /// The operation and reason of every change, in order.
    private func changes(of cache: Cache) async throws -> [String] {
        try await cache.records("changes", "--format", "ndjson").filter { $0["kind"].text == "change" }
            .map { "\($0["op"].text ?? "") \($0["reason"].text ?? "")" }
    }

    @Test("If sources fail, quakes refresh reads the rest and exits with the first failure's status")
    func failedSourceStopsNoOther() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let bad = Fixture.url("malformed/truncated-mid-feature.geojson").path
        let good = Fixture.url("feeds/all_day-1.geojson").path
        let result = try await cache.run("refresh", bad, scratch.path("missing.geojson"), good)
        #expect(result.exitStatus == 65)
        #expect(result.output.hasPrefix("\(good) (all_day): 24 in feed, 24 new"))
        #expect(result.errorOutput.contains("truncated-mid-feature.geojson"))
        #expect(result.errorOutput.contains("missing.geojson"))
        #expect(try await cache.run("refresh", "all_hour", bad).exitStatus == 69)
    }

    @Test("quakes status counts unconfirmed place names, and quakes status -v lists each of them")
    func unconfirmedChangesAreListed() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        for (seconds, place) in [(0, "One, Alaska"), (60, "Two, Nevada")] {
            let quakes = (1...8).map { Quake(sample: "us\($0)", time: .sample - .seconds(3_600), place: place) }
            let feed = FeedText.document(
                "https://example.org/all_day.geojson", generated: .sample + .seconds(seconds),
                features: quakes.map { FeedText.feature($0) })
            try await cache.output("refresh", scratch.write(feed, to: "feed.json"))
        }
        let status = try await cache.output("status").split(separator: "\n").filter { $0.hasPrefix("unconfirmed") }
        #expect(status == ["unconfirmed changes to 8 quakes (other place name: 8); use -v to list them"])
        let all = try await cache.output("status", "-v").split(separator: "\n")
        #expect(all.count { $0.contains(" - One, Alaska: called “Two, Nevada” in 1 copy since") } == 8)
        let unconfirmedChanges = try await cache.json("status", "--format", "json")["unconfirmed"].elements
        #expect(unconfirmedChanges.map { $0["place"].text } == Array(repeating: "Two, Nevada", count: 8))
        for (place, count) in [("one", 8), ("TWO", 0)] {
            #expect(try await cache.output("list", "--place", place, "--count") == "\(count)\n")
        }
        let shown = try await cache.output("show", try #require(unconfirmedChanges.first?["id"].text))
        let also = "\nalso called   \"Two, Nevada\" since 2026-03-14 12:01 UTC (unconfirmed)\n"
        #expect(shown.contains(also), "\(shown)")
        #expect(try await cache.output("purge", "--place", "one", "--yes") == "deleted 8 quakes\n")
    }

    /// Refreshes twice from a server whose second feed lacks a quake, with a service that reports it as deleted or not.
    private func refreshTwice(
        from server: FeedServer, _ cache: Cache, _ options: [String]
    ) async throws -> ProcessResult {
        var result: ProcessResult?
        for step in ["01", "02"] {
            server.serve(
                .document(try Data(contentsOf: URL(filePath: story("vanishes-and-returns", step)))),
                at: "/all_day.geojson")
            result = try await cache.quakes.run(["refresh", "all_day"] + options)
        }
        return try #require(result)
    }

    // Proves rule 9 of mirroring.md.
    @Test("With --service-url, quakes refresh asks the event service about a quake that a feed omits")
    func serviceConfirmsDownloads() async throws {
        let server = try FeedServer.ofTest()
        server.serve(ServedAnswer(status: 409), at: "/query")
        let accepting = ["QUAKES_BASE_URL": server.base, "QUAKES_CONFIRM_SNAPSHOTS": "1", "QUAKES_CONFIRM_AFTER": "0"]
        let address = ["--service-url", server.url("/query")]
        let cases: [(options: [String], variable: String?, isAsked: Bool)] = [
            (address, nil, true), (address + ["--no-confirm-with-service"], nil, false),
            (address, "0", false), (address + ["--confirm-with-service"], "0", true),
            // This is not USGS's server, so USGS's service is not queried either.
            ([], nil, false),
        ]
        for (options, variable, isAsked) in cases {
            let before = server.requests.count
            let variables = accepting.merging(variable.map { ["QUAKES_CONFIRM_WITH_SERVICE": $0] } ?? [:]) { $1 }
            try await withCache(environment: variables) { cache, _ in
                let result = try await refreshTwice(from: server, cache, options)
                #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(options)")
                let idsInQuestion = server.requests.dropFirst(before).filter { $0.path == "/query" }
                #expect(idsInQuestion.count == (isAsked ? 1 : 0), "\(options) \(variable ?? "")")
                #expect(try await changes(of: cache).last == "delete retracted", "\(options)")
            }
        }
    }

    // Proves rule 9 of mirroring.md.
    @Test("If the event service is unreachable, absences stay unconfirmed and quakes status says why")
    func unreachableServiceDeletesNothing() async throws {
        let server = try FeedServer.ofTest()
        let variables = [
            "QUAKES_BASE_URL": server.base, "QUAKES_SERVICE_URL": "http://127.0.0.1:9/query",
            "QUAKES_CONFIRM_SNAPSHOTS": "1", "QUAKES_CONFIRM_AFTER": "0",
        ]
        let cache = try Cache.ofTest(environment: variables)
        let result = try await refreshTwice(from: server, cache, [])
        #expect(result.exitStatus == 0 && result.errorOutput.contains("remain unconfirmed"))
        let status = try await cache.output("status")
        #expect(
            status.contains("unconfirmed changes to 1 quake (no longer in feed: 1), 1 waiting for the event service;"))
        #expect(status.contains("problem     the last request to the event service failed"))
        #expect(status.contains("Cannot connect to 127.0.0.1"))
        let unconfirmedChanges = try await cache.json("status", "--format", "json")["unconfirmed"].elements
        #expect(unconfirmedChanges.map { $0["pending_confirmation"].integer } == [1])
        let shown = try await cache.output("show", try #require(unconfirmedChanges.first?["id"].text))
        #expect(shown.contains(/\nmissing       from the feed since 20.* UTC \(retraction unconfirmed\)\n/), "\(shown)")
        #expect(try await changes(of: cache).allSatisfy { $0 == "insert new" })

        // The service responds again.
        server.serve(ServedAnswer(status: 409), at: "/query")
        let later = try String(contentsOf: URL(filePath: story("vanishes-and-returns", "03")), encoding: .utf8)
        server.serve(.document(later), at: "/all_day.geojson")
        try await cache.output("refresh", "all_day", "--service-url", server.url("/query"))
        #expect(try await !cache.output("status").contains("waiting"))
    }

    @Test("quakes refresh -q reports a failure of the event service, but not a pause it demands")
    func servicePauseIsReported() async throws {
        let server = try FeedServer.ofTest()
        let variables = [
            "QUAKES_BASE_URL": server.base, "QUAKES_SERVICE_URL": server.url("/query"),
            "QUAKES_CONFIRM_SNAPSHOTS": "1", "QUAKES_CONFIRM_AFTER": "0",
        ]
        let pause = ServedAnswer(status: 429, headers: ["Retry-After": "600"])
        for (answer, options, isSaid) in [
            (pause, [], true), (pause, ["-q"], false), (ServedAnswer(status: 500), ["-q"], true),
        ] {
            server.serve(answer, at: "/query")
            try await withCache(environment: variables) { cache, _ in
                let result = try await refreshTwice(from: server, cache, options)
                #expect(result.exitStatus == 0)
                #expect(result.errorOutput.contains("remain unconfirmed") == isSaid, "\(options)")
            }
        }
    }
}
