import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Details fetches how single quakes were solved", .timeLimit(.minutes(5)), .scratch)
struct DetailsTests {
    private static let fixture = "us7000zzay"

    /// Runs `body` with a cache of `all_day-1` and a service that knows its quakes.
    private func withService(
        _ body: @Sendable (Cache, EventServiceServer) async throws -> Void
    ) async throws {
        try await withCache { cache, _ in
            try await cache.refresh("all_day-1")
            var catalog = EventCatalog()
            for stored in try QuakeCache(path: cache.path).context(access: .reading).fetch() {
                catalog.insert(stored.quake, updated: stored.quake.updated)
            }
            catalog.details[Self.fixture] = try Fixture.data("details/\(Self.fixture).geojson")
            try await withEventService(catalog) { try await body(cache, $0) }
        }
    }

    private func details(_ cache: Cache, _ server: EventServiceServer, _ more: String...) async throws -> ProcessResult
    {
        try await cache.quakes.run(["details", "--service-url", server.queryURL] + more)
    }

    private func solutions(_ cache: Cache, _ id: String) throws -> SolutionHistory? {
        let context = try QuakeCache(path: cache.path).context(access: .reading)
        return try context.key(ofID: id).flatMap { try context.solutions(ofKey: $0) }
    }

    @Test("A state before the first snapshot has only what details told: list says so, diff refuses it")
    func beforeTheFirstSnapshot() async throws {
        try await withService { cache, server in
            let (state, later) = ("published:2026-03-14T08:00:00Z", "published:2026-03-15")
            #expect(try await details(cache, server, Self.fixture).exitStatus == 0)
            let list = try await cache.quakes.run(["list", "--ids", "--at", state])
            #expect(list.output == "\(Self.fixture)\n")
            #expect(list.errorOutput.contains("before then, only quakes whose details were fetched are known"))
            for states in [[state, later], [state], [later, state]] {
                #expect(try await cache.quakes.run(["diff"] + states).exitStatus == 3)
            }
            #expect(try await cache.quakes.run(["diff", later]).exitStatus == 0)
            let shown = try await cache.output("show", Self.fixture, "--at", state)
            let words = "none: the first snapshot with this quake was published at 2026-03-14 12:00:00 UTC"
            #expect(shown.contains("history\n  \(words)\n"), "\(shown)")
            let other = try await cache.quakes.run(["show", "us7000zzbq", "--at", state])
            #expect(
                other.exitStatus == 4
                    && other.errorOutput.hasPrefix("quakes: us7000zzbq was not yet in the catalog at that point."),
                "\(other.errorOutput)")
        }
    }

    @Test("A quake is asked about once; a second run asks nothing; a quake that changed is asked about again")
    func once() async throws {
        try await withService { cache, server in
            let before = try await cache.token()
            let first = try await details(cache, server, "US7000ZZAY")
            #expect(first.exitStatus == 0)
            #expect(first.output == "1 quake: 7 origin versions, 3 mechanism versions\n")
            #expect(
                first.errorOutput == """
                    quakes: us7000zzay: skipped entry 8 (origin pt ptzzay of 2026-03-14T07:42:00.000Z): \
                    latitude is missing
                    quakes: us7000zzay: skipped entry 9 (origin xx xxzzay of 2026-03-14T07:43:00.000Z): \
                    latitude is not a number

                    """)
            #expect(
                server.requests.map(\.parameters) == [
                    [
                        "format": "geojson", "eventid": "us7000zzay", "includesuperseded": "true",
                        "includedeleted": "false",
                    ]
                ])
            #expect(try solutions(cache, Self.fixture)?[.origins].steps.count == 6)
            #expect(
                try await details(cache, server, "us7000zzay").output
                    == "1 unchanged since last time\n")
            #expect(try await details(cache, server).output.hasSuffix("unchanged since last time\n"))
            #expect(server.requests.count == 1)
            // The details do not count as news.
            #expect(try await cache.token() == before)
            try await cache.refresh("all_day-2")
            #expect(try await details(cache, server, "us7000zzbq").exitStatus == 0)
            server.forgetRequests()
            try await cache.refresh("all_day-2")
            #expect(try await details(cache, server).exitStatus == 0)
            #expect(server.requests.isEmpty)
            #expect(try await details(cache, server, "--again").exitStatus == 0)
            #expect(server.requests.count == 2 && server.overlappingRequests.isEmpty)
            #expect(try await cache.run("verify", "--full").exitStatus == 0)
        }
    }

    @Test("What was asked about and has changed since is asked about without arguments")
    func update() async throws {
        try await withService { cache, server in
            #expect(try await details(cache, server, "us7000zz9d", "tx2026zzjkdw").exitStatus == 0)
            server.forgetRequests()
            try await cache.refresh("all_day-2")
            #expect(try await details(cache, server).exitStatus == 0)
            // The other quake changed, but its `updated` stayed.
            #expect(server.requests.compactMap { $0.parameters["eventid"] } == ["tx2026zzjkdw"])
        }
    }

    @Test("Filters choose the quakes, the newest first; --dry-run asks nothing, and a run that stopped goes on")
    func filters() async throws {
        try await withService { cache, server in
            let dry = try await details(cache, server, "--min-mag", "4.5", "--dry-run")
            #expect(dry.output.hasPrefix("dry run: 4 requests, about 4 MiB, 4 to 12 s"), "\(dry.output)")
            #expect(server.requests.isEmpty)
            let first = try await details(cache, server, "--min-mag", "4.5", "--max-requests", "3")
            #expect(first.exitStatus == 0 && first.output.hasSuffix("; stopped early\n"))
            let records = try await details(cache, server, "--min-mag", "4.5", "--format", "json").output
                .split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
            #expect(
                server.requests.compactMap { $0.parameters["eventid"] }
                    == ["us7000zzbq", "us7000zzay", "us7000zz9d", "us7000zz5k"])
            #expect(records.count == 2 && records.last?["stored"].number == 1 && records.last?["complete"].number == 1)
            #expect(try await details(cache, server, "--min-mag", "9").output == "No quakes match.\n")
        }
    }

    @Test("What the service does not know or has deleted is said, is not fatal, and is not asked about again")
    func unknown() async throws {
        try await withService { cache, server in
            server.change { $0.delete("us7000zzbq") }
            server.fail(where: { request in
                switch request.parameters["eventid"] {
                case "us7000zz9d": .status(404)
                case "us7000zz5k": .status(204)
                default: nil
                }
            })
            let result = try await details(cache, server, "--min-mag", "4.5")
            #expect(result.exitStatus == 0)
            #expect(result.errorOutput.contains("us7000zzbq: The event service has deleted this quake."))
            #expect(result.errorOutput.contains("us7000zz9d: The event service does not know this quake."))
            #expect(result.errorOutput.contains("us7000zz5k: The event service does not know this quake."))
            #expect(result.output.contains(", 3 missing"))
            #expect(try await details(cache, server, "us7000zzbq").output == "1 unchanged since last time\n")
            #expect(try await details(cache, server, "--min-mag", "4.5").output.contains(" unchanged"))
            #expect(try await cache.output("list", "--count") == "24\n")
        }
    }

    @Test("A quake that was deleted from the cache has nothing to fetch, and show has it")
    func deleted() async throws {
        try await withService { cache, server in
            #expect(try await cache.run("purge", "--min-mag", "6", "--yes").exitStatus == 0)
            let result = try await details(cache, server, "us7000zzay")
            #expect(result.exitStatus == 4 && server.requests.isEmpty)
            #expect(
                result.errorOutput == """
                    quakes: us7000zzay was deleted, so there is nothing to fetch. `quakes show us7000zzay` shows it.

                    """)
        }
    }

    @Test(
        "An answer that is not valid leaves its quake as it was, and the next one is asked about",
        arguments: ["{", "<html>", "[]", #"{"type":"Feature"}"#, "other"])
    func invalid(body: String) async throws {
        try await withService { cache, server in
            #expect(try await details(cache, server, "us7000zzay").exitStatus == 0)
            let before = try solutions(cache, Self.fixture)
            let other = try Fixture.data("details/us7000zzay.geojson")
            server.change {
                $0.details[Self.fixture] = Data(body.utf8)
                $0.details["us7000zz9d"] = body == "other" ? other : Data(body.utf8)
            }
            let result = try await details(cache, server, "us7000zz9d", "us7000zzbq", "us7000zzay", "--again")
            #expect(result.exitStatus == 65, "\(result.errorOutput)")
            #expect(result.output.contains(" invalid") || body == "other")
            if body == "other" {
                #expect(result.errorOutput.contains("us7000zz9d was requested, but this is about"))
            }
            #expect(try solutions(cache, Self.fixture) == before)
            #expect(try solutions(cache, "us7000zz9d") == nil)
            #expect(try solutions(cache, "us7000zzbq") != nil)
            #expect(try await cache.run("verify", "--full").exitStatus == 0)
        }
    }

    @Test("A server that is not there, fails or wants a pause ends the run with its status; what came stays")
    func failures() async throws {
        try await withService { cache, server in
            server.fail(where: { $0.parameters["eventid"] == "us7000zz9d" ? .status(500) : nil })
            let result = try await details(cache, server, "--min-mag", "4.5")
            #expect(result.exitStatus == 69, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("saved 2 quakes"))
            let nowhere = try await cache.run("details", "us7000zz9d", "--service-url", "http://127.0.0.1:9/query")
            #expect(nowhere.exitStatus == 69)
            // A server that does not serve queries at this address knows no quakes.
            let elsewhere = try await cache.run("details", "us7000zz9d", "--service-url", server.queryURL + "/")
            #expect(elsewhere.exitStatus == 64 && elsewhere.errorOutput.contains("The URL must end with /query."))
            func isFailureNoted() async throws -> Bool {
                try await cache.json("status", "--format", "json")["feeds"].elements.contains {
                    $0["error"].text != nil
                }
            }
            #expect(try await isFailureNoted())
            server.fail(where: { _ in nil })
            #expect(try await details(cache, server, "us7000zz9d").exitStatus == 0)
            #expect(try await !isFailureNoted())
        }
    }

    @Test("A kill at any moment leaves each quake whole or as it was", arguments: Thoroughness.seeds(1, of: 50))
    func killed(seeds: Range<Int>) async throws {
        try await withService { cache, server in
            for seed in seeds {
                var random = SplitMix64(state: UInt64(seed))
                let fatal = server.requests.count + 1 + random.next(4)
                let delay = Duration.microseconds(random.next(30_000))
                _ = try await cache.quakes.whileRunning(
                    ["details", "--min-mag", "4.5", "--again", "--service-url", server.queryURL]
                ) { process in
                    let end = ContinuousClock.now + .seconds(10)
                    while server.requests.count < fatal, ContinuousClock.now < end, process.isAlive {
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    try await Task.sleep(for: delay)
                    process.send(signal: SIGKILL)
                    _ = try await process.remainingLines()
                }
                for id in ["us7000zzbq", "us7000zzay", "us7000zz9d", "us7000zz5k"] {
                    let origins = try solutions(cache, id)?[.origins].count ?? 0
                    #expect([0, id == Self.fixture ? 7 : 2].contains(origins), "seed \(seed)")
                }
                #expect(try await cache.run("verify", "--full").exitStatus == 0, "seed \(seed)")
            }
            #expect(try await details(cache, server, "--min-mag", "4.5").exitStatus == 0)
            #expect(try solutions(cache, Self.fixture)?[.origins].count == 7)
        }
    }

    @Test("States at a time of publication begin with the first solution; other reads are as they were")
    func published() async throws {
        try await withService { cache, server in
            let reads = [
                ["list", "--format", "json"], ["changes", "--since", "beginning", "--format", "ndjson"],
                ["history", "--format", "json"], ["list", "--at", "published:2026-03-14T12:00:00Z", "--format", "csv"],
                ["diff", "beginning", "now", "--format", "json"], ["token"],
            ]
            var before: [String] = []
            for read in reads { before.append(try await cache.quakes.run(read).output) }
            #expect(try await cache.run("list", "--at", "published:2026-03-14T11:00:00Z").exitStatus == 3)
            #expect(try await details(cache, server, "us7000zzay").exitStatus == 0)
            for (read, output) in zip(reads, before) {
                #expect(try await cache.quakes.run(read).output == output, "\(read)")
            }
            #expect(try await cache.run("list", "--at", "published:2026-03-14T07:41:10Z").exitStatus == 3)
            let steps = try Fixture.data("details/STEPS.jsonl").split(separator: UInt8(ascii: "\n")).map {
                try JSONValue(Data($0))
            }
            for step in steps {
                let since = try #require(step["published"].text)
                let state = try await cache.json("list", "--at", "published:\(since)", "--format", "json")
                #expect(state.elements.count == 1)
                for field in ["mag", "magType", "lat", "lon", "depth", "status"] {
                    #expect(state.elements.first?[field] == step[field], "\(since) \(field)")
                }
            }
            #expect(try await cache.output("list", "--count", "--at", "published:2026-03-14T12:00:00Z") == "24\n")
        }
    }

    @Test("Reads of real quakes at 30 moments before and after the first refresh are the truth", .needsRealData)
    func realTruth() async throws {
        let truth = try RealData.data("detail/superseded/TRUTH.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try JSONValue(Data($0)) }
        var events: [String: Data] = [:]
        for event in Set(truth.compactMap { $0["event"].text }) {
            events[event] = try RealData.unzipped("detail/superseded/\(event).geojson.gz")
        }
        let (cache, directory) = try Cache.andFolderOfTest()
        // The event service responds to a query with the same features without products.
        let features = try events.values.map { body -> [String: Any] in
            var feature = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            var properties = try #require(feature["properties"] as? [String: Any])
            properties["products"] = nil
            feature["properties"] = properties
            return feature
        }
        let feed = try JSONSerialization.data(withJSONObject: [
            "type": "FeatureCollection", "metadata": ["generated": 1_640_995_200_000], "features": features,
        ])
        let path = directory.path("feed.geojson")
        try feed.write(to: URL(filePath: path))
        #expect(try await cache.run("refresh", path).exitStatus == 0)
        var catalog = EventCatalog()
        for stored in try QuakeCache(path: cache.path).context(access: .reading).fetch() {
            catalog.insert(stored.quake, updated: stored.quake.updated)
        }
        catalog.details = events
        try await withEventService(catalog) { server in
            let result = try await details(cache, server, "--min-mag", "0")
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(server.requests.count == 4)
            let moments = try truth.flatMap { step in
                let since = try #require(Timestamp(iso8601: step["published"].text ?? ""))
                return [since, since + .seconds(3600)]
            }
            #expect(moments.count >= 30)
            for moment in moments + [Timestamp(milliseconds: 1_640_995_200_000)] {
                let state = try await cache.json(
                    "list", "--at", "published:\(moment.iso8601)", "--format", "json")
                let expected = Dictionary(grouping: truth) { $0["event"].text ?? "" }.compactMapValues {
                    $0.last { ($0["published"].text ?? "") <= moment.iso8601 }
                }
                #expect(Set(state.elements.compactMap { $0["id"].text }) == Set(expected.keys))
                for quake in state.elements {
                    let step = try #require(expected[quake["id"].text ?? ""])
                    for field in ["mag", "magType", "lat", "lon", "depth", "status", "time"] {
                        #expect(quake[field] == step[field], "\(moment.iso8601) \(field)")
                    }
                }
            }
            let rows = try await JSONValue(
                cache.quakes.run(["show"] + events.keys + ["--versions", "--format", "json"]).standardOutput
            ).elements
            for event in events.keys {
                let last = try #require(truth.last { $0["event"].text == event })
                let preferred = rows.filter {
                    $0["id"].text == event && $0["kind"].text == "origins" && $0["preferred"].text == "is"
                }
                #expect(preferred.count == 1 && preferred.first?["source"] == last["source"])
                #expect(preferred.first?["mag"] == last["mag"] && preferred.first?["lat"] == last["lat"])
            }
            let csv = try await cache.quakes.run(["show"] + events.keys + ["--versions", "--format", "csv"]).output
            #expect(csv.split(separator: "\n").count == rows.count + 1)
            let lines = try await cache.quakes.run(["show"] + events.keys + ["--versions", "--format", "ndjson"]).output
            #expect(try lines.split(separator: "\n").map { try JSONValue(Data($0.utf8)) } == rows)
            let table = try await cache.json(
                "list", "--fields", "id,horizontal_error,depth_error,mag_error,mag_nst,location_source,mag_source",
                "--format", "json")
            for quake in table.elements {
                let preferred = rows.first { row in
                    row["id"] == quake["id"] && row["kind"].text == "origins" && row["preferred"].text == "is"
                }
                #expect(quake["horizontal_error"] == preferred?["horizontal_error"])
                #expect(quake["depth_error"] == preferred?["vertical_error"])
                for field in ["mag_error", "mag_nst", "location_source", "mag_source"] {
                    #expect(quake[field] == preferred?[field], "\(field)")
                }
            }
        }
    }

    @Test(
        "Arguments that make no sense are refused",
        arguments: [
            (["us1", "--min-mag", "4"], 64), (["--max-requests", "0"], 64), (["nn12345"], 4), ([], 64),
            (["--pause", "1ms", "us7000zzay"], 64),
        ] as [([String], Int32)])
    func arguments(arguments: [String], status: Int32) async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let result = try await cache.quakes.run(["details"] + arguments)
        #expect(result.exitStatus == status, "\(result.errorOutput)")
    }
}
