import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// The cache contains every quake of its covered ranges: a restore restores the ranges, too, and an incomplete response
/// adds none.
@Suite("Coverage never includes quakes that the cache lacks", .endsInTime, .scratch) struct FalseCoverageTests {
    private func coveredRanges(of copy: CatalogCopy) throws -> [CoveredRange] {
        // A first backfill that received nothing leaves no cache.
        guard FileManager.default.fileExists(atPath: copy.cache.path) else { return [] }
        return try QuakeContext(QuakeCache(path: copy.cache.path), access: .reading).sources.coveredRanges()
    }

    // Proves promise 14 of reliability.md.
    @Test("While quakes backfill runs, quakes restore and a second quakes backfill exit with 75")
    func restoreDuringBackfill() async throws {
        let copy = try CatalogCopy.ofTest(of: 100)
        #expect(try await copy.fetch("--min-mag", "2").exitStatus == 0)
        let backup = copy.cache.path + ".copy"
        #expect(try await copy.cache.run("backup", backup).exitStatus == 0)
        copy.server.fail(where: { $0.method == "query" ? .slow(.seconds(100)) : nil })
        let (_, left) = try await copy.cache.quakes.whileRunning(copy.arguments()) { process in
            while !copy.server.requests.contains(where: {
                $0.method == "query" && $0.parameters["minmagnitude"] == nil
            }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            let refused = try await copy.cache.run("restore", backup, "--yes")
            #expect(refused.exitStatus == 75 && refused.errorOutput.contains("backfill"), "\(refused.errorOutput)")
            #expect(try await copy.fetch().exitStatus == 75)
            #expect(try await copy.cache.refresh("all_day-1")["inserted"]["new"].integer == 24)
            process.send(signal: SIGTERM)
            _ = try await process.remainingLines()
        }
        #expect(left.ending == .signaled(SIGTERM))
        copy.server.fail(where: { _ in nil })
        #expect(try await copy.fetch().exitStatus == 0)
        #expect(try await copy.cache.run("restore", backup, "--yes").exitStatus == 0)
        #expect(try coveredRanges(of: copy).map(\.conditions.minimumMagnitude) == [2])
        #expect(try await copy.fetch().exitStatus == 0)
        try copy.expectTruth()
    }

    // MARK: Incomplete responses

    // Proves rule 21 of mirroring.md.
    @Test(
        "A time range does not count as covered if the service sends fewer quakes than it counted",
        arguments: [true, false])
    func fewerQuakesThanCounted(isEmpty: Bool) async throws {
        let copy = try CatalogCopy.ofTest(of: 50)
        copy.server.configure { $0.answersNothingWith204 = !isEmpty }
        let body = #"{"type":"FeatureCollection","metadata":{"count":0},"features":[]}"#
        let far = isEmpty ? EventServiceFault.body(Data(body.utf8)) : .status(204)
        copy.server.fail(where: { $0.method == "query" ? far : nil })
        let result = try await copy.fetch("--format", "json")
        #expect(result.exitStatus == 69 && result.output.contains(#""complete":false"#), "\(result.output)")
        #expect(
            result.errorOutput.contains("contained 0 matching quakes, so this time range is not covered"),
            "\(result.errorOutput)")
        #expect(result.output.contains(#""counted":"#) && copy.server.requests.count < 12)
        #expect(try coveredRanges(of: copy).isEmpty)
        copy.server.fail(where: { _ in nil })
        #expect(try await copy.fetch().exitStatus == 0)
        try copy.expectTruth()
    }

    // Proves rule 21 of mirroring.md.
    @Test("A response to quakes backfill covers only times before the response was generated")
    func outdatedResponse() async throws {
        let copy = try CatalogCopy.ofTest(of: 3)
        for generated in [0, copy.since.milliseconds - 1000] {
            let body = #"{"type":"FeatureCollection","metadata":{"generated":\#(generated)},"features":[]}"#
            copy.server.fail(where: { $0.method == "query" ? .body(Data(body.utf8)) : .falseCount(0) })
            let result = try await copy.fetch("--format", "json")
            #expect(result.exitStatus == 69 && result.output.contains(#""complete":false"#), "\(result.output)")
            #expect(result.errorOutput.contains("too old to cover this whole time range"), "\(result.errorOutput)")
            #expect(try coveredRanges(of: copy).isEmpty)
        }
        // Half of the window was covered.
        let half = copy.since + .seconds(86_400)
        let body = #"{"type":"FeatureCollection","metadata":{"generated":\#(half.milliseconds)},"features":[]}"#
        copy.server.fail(where: { $0.method == "query" ? .body(Data(body.utf8)) : .falseCount(0) })
        #expect(try await copy.fetch().exitStatus == 69)
        #expect(try coveredRanges(of: copy).map(\.originTimes) == [copy.since..<half])
    }

    @Test(
        "quakes backfill inserts only quakes that match its filter, whatever the service sends",
        arguments: [
            (["--min-mag", "1.5"], ["minmagnitude": "1.5"]), (["--max-mag", "1"], ["maxmagnitude": "1"]),
            (["--min-depth", "100"], ["mindepth": "100"]), (["--max-depth", "100"], ["maxdepth": "100"]),
            (
                ["--bbox", "0,-60,90,60"],
                ["minlongitude": "0", "maxlongitude": "90", "minlatitude": "-60", "maxlatitude": "60"]
            ),
            (
                ["--near", "40,-120", "--radius", "2900"],
                ["latitude": "40", "longitude": "-120", "maxradiuskm": "2900"]
            ),
            (["--type", "quarry blast"], ["eventtype": "quarry blast"]),
        ])
    func quakesOutsideFilter(options: [String], parameters: [String: String]) async throws {
        let copy = try CatalogCopy.ofTest(of: 300)
        copy.server.configure { $0.ignoresConditions = true }
        let result = try await copy.cache.quakes.run(copy.arguments(options))
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        try copy.expectTruth(parameters)
        #expect(try !copy.quakes().isEmpty)
        // The same filter finds later changes.
        copy.server.change { catalog in
            catalog.now = catalog.now + .seconds(60)
            for quake in catalog.quakes.prefix(40) { catalog.revise(quake.id) { $0.residualSeconds = 9.5 } }
            for quake in catalog.quakes.suffix(10) { catalog.delete(quake.id) }
        }
        #expect(try await copy.update().exitStatus == 0)
        try copy.expectTruth(parameters)
    }

    // MARK: Deletions by the service

    @Test(
        "quakes backfill ignores a \"deleted\" feature with 500 ids or outside the requested times",
        arguments: [500, 2])
    func implausibleDeletion(ids count: Int) async throws {
        let copy = try CatalogCopy.ofTest(of: 20)
        #expect(try await copy.fetch().exitStatus == 0)
        let before = try copy.quakes()
        let ids = (before.keys.sorted() + (0..<500).map { "zz\($0)" }).prefix(count)
        let body =
            #"{"type":"FeatureCollection","metadata":{"generated":\#(copy.until.milliseconds),"count":1},"features":["#
            + #"{"type":"Feature","id":"\#(ids[0])","geometry":null,"properties":{"status":"deleted","#
            + #""ids":",\#(ids.joined(separator: ",")),"}}]}"#
        copy.server.fail(where: { $0.method == "query" ? .body(Data(body.utf8)) : .falseCount(1) })
        // If there are few ids, the deleted feature is about another time.
        let times = count == 2 ? ["1999-01-01", "1999-02-01"] : [copy.since.iso8601, copy.until.iso8601]
        let call = ["backfill", "--again", "--since", times[0], "--until", times[1]]
        _ = try await copy.cache.quakes.run(call + ["--service-url", copy.server.queryURL])
        #expect(try copy.quakes() == before)
    }

    @Test("The JSON of quakes status names a covered range's conditions, such as min_mag and bbox")
    func coverageInStatus() async throws {
        let copy = try CatalogCopy.ofTest(of: 30)
        let options = ["--min-mag", "1", "--bbox", "170,-60,-170,60", "--type", "earthquake"]
        #expect(try await copy.cache.quakes.run(copy.arguments(options)).exitStatus == 0)
        let status = try await copy.cache.output("status", "--format", "json").replacing(".0", with: "")
        #expect(
            status.contains(
                #""conditions":{"min_mag":1,"bbox":[170,-60,-170,60],"type":["earthquake"]}"#), "\(status)")
        // A part included in all quakes needs no separate line.
        #expect(try await copy.fetch().exitStatus == 0)
        let all = try await copy.cache.output("status", "--format", "json")
        #expect(all.contains(#""open_ended":false,"conditions":{}}]"#), "\(all)")
        #expect(try await copy.cache.run("verify", "--full").exitStatus == 0)
    }
}
