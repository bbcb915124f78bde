import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Backfill from a failing event service", .endsInTime, .scratch) struct BackfillFaultTests {
    @Test(
        "If the event service rejects a time range or times out, quakes backfill halves the range",
        arguments: [400, 503, 504])
    func rejectedWindowIsHalved(status: Int) async throws {
        let copy = try CatalogCopy.ofTest(of: 300)
        copy.server.configure { settings in
            // The count does not reveal this.
            settings.mostRowsInTime = 50
            settings.lateStatus = status
        }
        let result = try await copy.fetch()
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        try copy.expectTruth()
        #expect(copy.server.requests.contains { $0.status == status })
        #expect(copy.server.fetchedStretches.overlap == .zero && copy.server.overlappingRequests.isEmpty)
    }

    @Test("quakes backfill exits with 75 during a 15-minute pause that the event service demands")
    func pauseEndsRun() async throws {
        let copy = try CatalogCopy.ofTest(of: 200, maximumRows: 50)
        copy.fail(query: 3, with: .status(429, retryAfter: "900"))
        #expect(try await copy.fetch().exitStatus == 75)
        let asked = copy.server.requests.count
        let kept = copy.server.fetchedStretches
        #expect(kept.count == 2)
        #expect(try await copy.fetch().exitStatus == 75)
        #expect(try await copy.update().exitStatus == 75)
        #expect(copy.server.requests.count == asked)
        #expect(kept.map { $0.upperBound - $0.lowerBound }.allSatisfy { $0 > .zero })
        #expect(try !copy.quakes().isEmpty)
    }

    @Test("quakes backfill waits out a one-second pause demanded by the event service, then completes")
    func shortPauseIsWaitedFor() async throws {
        let copy = try CatalogCopy.ofTest(of: 100)
        copy.server.fail(next: .status(429, retryAfter: "1"))
        let result = try await copy.fetch()
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        try copy.expectTruth()
        let arrivals = copy.server.requests.map(\.arrival)
        #expect(arrivals.count > 1 && arrivals[1] - arrivals[0] >= .milliseconds(900))
    }

    @Test(
        "quakes backfill stops after at most 30 requests if every query to the service fails",
        arguments: [429, 500, 503, 400])
    func persistentFailureEndsRun(status: Int) async throws {
        let copy = try CatalogCopy.ofTest(of: 50)
        copy.server.fail(where: { request in
            request.method == "count" ? nil : .status(status, retryAfter: status == 429 ? "0" : nil)
        })
        let result = try await copy.fetch()
        #expect(result.exitStatus == (status == 429 ? 75 : 69), "\(result.errorOutput)")
        #expect(copy.server.requests.count <= 30)
        // After a failure other than 429, smaller windows are requested too.
        #expect(status == 429 || copy.server.requests.count > 2)
    }

    @Test(
        "quakes backfill exits with 65 or 69 if the service reports impossible quake counts",
        arguments: [
            #"{"count":9223372036854775807,"maxAllowed":1}"#, #"{"count":5,"maxAllowed":0}"#,
            #"{"count":5,"maxAllowed":1}"#,
        ])
    func impossibleCounts(answer: String) async throws {
        let copy = try CatalogCopy.ofTest(of: 20)
        copy.server.fail(where: { $0.method == "count" ? .body(Data(answer.utf8)) : nil })
        let since = (copy.since + .milliseconds(500)).iso8601
        let call = ["backfill", "--since", since, "--max-requests", "300", "--service-url", copy.server.queryURL]
        let result = try await copy.cache.quakes.run(call + ["--until", (copy.since + .seconds(3600)).iso8601])
        // With the last of these, every count is five, but there are fewer quakes.
        #expect(result.exitStatus == (answer.hasSuffix(#""maxAllowed":1}"#) && answer.count < 40 ? 69 : 65))
        #expect(copy.server.requests.count < 300)
    }

    @Test("quakes backfill exits with 0 and names an unreadable feature that it skipped") func unreadableFeature()
        async throws
    {
        let copy = try CatalogCopy.ofTest(of: 3)
        let answer =
            #"{"type":"FeatureCollection","metadata":{"generated":\#(copy.until.milliseconds)},"#
            + #""features":[{"type":"Feature","id":"us1","properties":{},"geometry":null}]}"#
        copy.server.fail(where: { $0.method == "query" ? .body(Data(answer.utf8)) : .falseCount(1) })
        let result = try await copy.fetch("--format", "json")
        #expect(result.exitStatus == 0 && result.output.contains(#""skipped":[{"position":1,"id":"us1","reason":"#))
        #expect(result.errorOutput.contains("skipped entry 1 (us1)"), "\(result.errorOutput)")
    }
}
