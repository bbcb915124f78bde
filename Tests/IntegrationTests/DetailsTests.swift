import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("details fetches the solution history of quakes", .endsInTime, .scratch) struct DetailsTests {
    private static let fixture = "us7000zzay"

    /// A cache of `all_day-1`.
    private let cache: Cache
    /// A service that knows its quakes.
    private let server: EventServiceServer

    init() async throws {
        cache = try await .ofDay()
        var catalog = try EventCatalog(of: cache)
        catalog.details[Self.fixture] = try Fixture.data("details/\(Self.fixture).geojson")
        server = try .ofTest(catalog)
    }

    private func details(_ more: String...) async throws -> ProcessResult {
        try await cache.quakes.run(["details", "--service-url", server.queryURL] + more)
    }

    private func solutions(_ id: String) throws -> SolutionHistory? {
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        return try context.key(ofID: id).flatMap { try context.solutions(ofKey: $0) }
    }

    @Test("list --at published:TIME before the first snapshot lists only what quakes details fetched")
    func stateBeforeFirstSnapshot() async throws {
        let (state, later) = ("published:2026-03-14T08:00:00Z", "published:2026-03-15")
        #expect(try await details(Self.fixture).exitStatus == 0)
        let list = try await cache.quakes.run(["list", "--ids", "--at", state])
        #expect(list.output == "\(Self.fixture)\n")
        #expect(list.errorOutput.contains("before then, only quakes whose details were fetched are known"))
        for states in [[state, later], [state]] {
            #expect(try await cache.quakes.run(["diff"] + states).exitStatus == 3)
        }
        #expect(try await cache.quakes.run(["diff", later, state]).exitStatus == 64)
        #expect(try await cache.quakes.run(["diff", later]).exitStatus == 0)
        let shown = try await cache.output("show", Self.fixture, "--at", state)
        let words = "none: the quake's first state is from the copy of the feed published at 2026-03-14 12:00:00 UTC"
        #expect(shown.contains("history\n  \(words)\n"), "\(shown)")
        let other = try await cache.quakes.run(["show", "us7000zzbq", "--at", state])
        #expect(
            other.exitStatus == 4
                && other.errorOutput.hasPrefix("quakes: The cache has no state of us7000zzbq at that point."),
            "\(other.errorOutput)")
    }

    @Test("quakes details requests each quake once, and again only after the quake has changed")
    func requestsEachQuakeOnce() async throws {
        let before = try await cache.token()
        let first = try await details("US7000ZZAY")
        #expect(first.exitStatus == 0)
        #expect(first.output == "1 quake: 8 origin versions, 3 mechanism versions\n")
        #expect(
            first.errorOutput == """
                quakes: us7000zzay: skipped entry 8 (origin pt ptzzay of 2026-03-14T07:42:00.000Z): \
                latitude is missing
                quakes: us7000zzay: skipped entry 9 (origin xx xxzzay of 2026-03-14T07:43:00.000Z): \
                latitude "nan" is not a number

                """)
        #expect(
            server.requests.map(\.parameters) == [
                ["format": "geojson", "eventid": "us7000zzay", "includesuperseded": "true", "includedeleted": "false"]
            ])
        #expect(try solutions(Self.fixture)?.preferredOverTime(.origins).count == 6)
        #expect(try await details("us7000zzay").output == "1 unchanged since the last fetch\n")
        #expect(try await details().output.hasSuffix("unchanged since the last fetch\n"))
        #expect(server.requests.count == 1)
        // Only the uncertainties count as news.
        let lines = try await cache.records("changes", "--since-token", before, "--format", "ndjson")
        #expect(lines.map { $0["kind"].text } == ["change", "end"] && lines[0]["reason"].text == "revised")
        #expect(lines[0]["after"]["horizontal_error"].number == 5.7 && lines[0]["after"]["mag_error"].number == 0.05)
        #expect(lines[0]["changed"].elements.map(\.text) == ["horizontal_error", "depth_error", "mag_error"])
        #expect(lines[0]["transaction"]["context"].text == "details")
        #expect(lines[0]["transaction"]["author"].text == "quakes.details")
        let after = try await cache.token()
        #expect(try await details("us7000zz9d", "tx2026zzjkdw").exitStatus == 0)
        #expect(try await cache.token() == after)
        server.forgetRequests()
        try await cache.refresh("all_day-2")
        #expect(try await details().exitStatus == 0)
        // The other quake changed, but its `updated` stayed.
        #expect(server.requests.compactMap { $0.parameters["eventid"] } == ["tx2026zzjkdw"])
        #expect(try await details("--again").exitStatus == 0)
        #expect(server.requests.count == 4 && server.overlappingRequests.isEmpty)
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    @Test("quakes details --max-requests fetches the newest quakes first, and the next run continues")
    func filtersAndResumption() async throws {
        let dry = try await details("--min-mag", "4.5", "--dry-run")
        #expect(dry.output.hasPrefix("dry run: 4 requests, about 4 MiB, 4 to 12 s"), "\(dry.output)")
        #expect(server.requests.isEmpty)
        let first = try await details("--min-mag", "4.5", "--max-requests", "3")
        #expect(first.exitStatus == 0 && first.output.hasSuffix("; stopped early\n"))
        let records = try await details("--min-mag", "4.5", "--format", "json").output
            .split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
        #expect(
            server.requests.compactMap { $0.parameters["eventid"] }
                == ["us7000zzbq", "us7000zzay", "us7000zz9d", "us7000zz5k"])
        #expect(records.count == 2 && records.last?["stored"].number == 1 && records.last?["complete"].number == 1)
        #expect(try await details("--min-mag", "9").output == "No quakes match.\n")
    }

    @Test("quakes details reports a quake that the service lacks, and never requests it again")
    func quakeUnknownToService() async throws {
        server.change { $0.delete("us7000zzbq") }
        server.fail(where: { request in
            switch request.parameters["eventid"] {
            case "us7000zz9d": .status(404)
            case "us7000zz5k": .status(204)
            default: nil
            }
        })
        let result = try await details("--min-mag", "4.5")
        #expect(result.exitStatus == 0)
        #expect(result.errorOutput.contains("us7000zzbq: The event service has deleted this quake."))
        #expect(result.errorOutput.contains("us7000zz9d: The event service does not know this quake."))
        #expect(result.errorOutput.contains("us7000zz5k: The event service does not know this quake."))
        #expect(result.output.contains(", 3 quakes without details"))
        let without = " without details when last requested (--again requests them again)\n"
        #expect(try await details("us7000zzbq").output == "1" + without)
        #expect(try await details("--min-mag", "4.5").output.contains(" unchanged since the last fetch, 3" + without))
        #expect(try await cache.output("list", "--count") == "24\n")
    }

    @Test("quakes details exits with 4 for a quake deleted from the cache and suggests \"quakes show\"")
    func deletedQuake() async throws {
        #expect(try await cache.run("purge", "--min-mag", "6", "--yes").exitStatus == 0)
        let result = try await details("us7000zzay")
        #expect(result.exitStatus == 4 && server.requests.isEmpty)
        #expect(
            result.errorOutput == """
                quakes: us7000zzay was deleted, so there is nothing to fetch. `quakes show us7000zzay` shows it.

                """)
    }

    @Test(
        "After an invalid response about one quake, quakes details still fetches the next quake",
        arguments: ["{", "<html>", "[]", #"{"type":"Feature"}"#, "other"])
    func invalidResponse(body: String) async throws {
        #expect(try await details("us7000zzay").exitStatus == 0)
        let before = try solutions(Self.fixture)
        let other = try Fixture.data("details/us7000zzay.geojson")
        server.change {
            $0.details[Self.fixture] = Data(body.utf8)
            $0.details["us7000zz9d"] = body == "other" ? other : Data(body.utf8)
        }
        let result = try await details("us7000zz9d", "us7000zzbq", "us7000zzay", "--again")
        #expect(result.exitStatus == 65, "\(result.errorOutput)")
        #expect(result.output.contains(" invalid") || body == "other")
        if body == "other" {
            #expect(result.errorOutput.contains("us7000zz9d was requested, but this is about"))
        }
        #expect(try solutions(Self.fixture) == before)
        #expect(try solutions("us7000zz9d") == nil)
        #expect(try solutions("us7000zzbq") != nil)
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    @Test("If the server fails, quakes details exits with 69 and keeps the quakes already fetched")
    func serverFailures() async throws {
        server.fail(where: { $0.parameters["eventid"] == "us7000zz9d" ? .status(500) : nil })
        let result = try await details("--min-mag", "4.5")
        #expect(result.exitStatus == 69, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("after saving 2 quakes"))
        let nowhere = try await cache.run("details", "us7000zz9d", "--service-url", "http://127.0.0.1:9/query")
        #expect(nowhere.exitStatus == 69)
        // A server that does not serve queries at this address knows no quakes.
        let elsewhere = try await cache.run("details", "us7000zz9d", "--service-url", server.queryURL + "/")
        #expect(elsewhere.exitStatus == 64 && elsewhere.errorOutput.contains("The URL must end with /query."))
        func isFailureNoted() async throws -> Bool {
            try await cache.json("status", "--format", "json")["services"].elements.contains {
                $0["error"].text != nil
            }
        }
        #expect(try await isFailureNoted())
        server.fail(where: { _ in nil })
        #expect(try await details("us7000zz9d").exitStatus == 0)
        #expect(try await !isFailureNoted())
    }

    @Test("Undoing quakes details takes back the uncertainties, but not the solutions") func undo() async throws {
        #expect(try await details(Self.fixture).exitStatus == 0)
        let fields = ["list", "--min-mag", "6", "--fields", "id,horizontal_error,depth_error,mag_error,mag_nst"]
        let call = fields + ["--format", "csv"]
        #expect(try await cache.quakes.run(call).output.hasSuffix("\n\(Self.fixture),5.7,1.7,0.05,\n"))
        #expect(try await cache.quakes.run(["undo", "2"]).exitStatus == 0)
        let result = try await cache.quakes.run(call)
        #expect(result.output.hasSuffix("\n\(Self.fixture),,,,\n"))
        #expect(result.errorOutput.hasSuffix("; `quakes details \(Self.fixture)` fetches them\n"))
        #expect(try solutions(Self.fixture)?.preferredOverTime(.origins).count == 6)
        #expect(try await details(Self.fixture, "--again").exitStatus == 0)
        #expect(try await cache.quakes.run(call).output.hasSuffix(",5.7,1.7,0.05,\n"))
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    /// The versions are the same in every format, and the list has the values of the preferred one.
    private func expectVersions() async throws {
        let call = ["show", Self.fixture, "--versions", "--format"]
        let rows = try await JSONValue(cache.quakes.run(call + ["json"]).standardOutput).elements
        let lines = try await cache.quakes.run(call + ["ndjson"]).output.split(separator: "\n")
        #expect(try lines.map { try JSONValue(Data($0.utf8)) } == rows && rows.count > 9)
        #expect(try await cache.quakes.run(call + ["csv"]).output.split(separator: "\n").count == rows.count + 1)
        let origins = rows.filter { $0["kind"].text == "origins" && $0["preferred"].text == "current" }
        #expect(origins.count == 1)
        let fields = ["horizontal_error", "depth_error", "mag_error", "mag_nst", "location_source", "mag_source"]
        let names = (["id"] + fields).joined(separator: ",")
        let list = try await cache.json("list", "--min-mag", "6", "--format", "json", "--fields", names)
        let quake = list.elements.first
        #expect(quake?["id"].text == Self.fixture)
        for field in fields { #expect(quake?[field] == origins.first?[field], "\(field)") }
    }

    @Test("After quakes details, list --at published:TIME prints magnitude and location as of TIME")
    func publicationTimes() async throws {
        let reads = [
            ["list", "--format", "json", "--at", "1"], ["list", "--template", "{id} {mag} {updated:iso}"],
            ["changes", "--since", "beginning", "--op", "new", "--format", "csv", "--fields", "mag"],
            ["list", "--at", "published:2026-03-14T12:00:00Z", "--template", "{id} {mag} {place}"],
        ]
        var before: [String] = []
        for read in reads { before.append(try await cache.quakes.run(read).output) }
        #expect(try await cache.run("list", "--at", "published:2026-03-14T11:00:00Z").exitStatus == 3)
        #expect(try await details("us7000zzay").exitStatus == 0)
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
        try await expectVersions()
    }
}
