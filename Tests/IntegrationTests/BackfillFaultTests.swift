import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

@Suite("A backfill meets a service that fails", .timeLimit(.minutes(5)))
struct BackfillFaultTests {
    @Test("A window that the service refuses or cannot answer in time is halved", arguments: [400, 503, 504])
    func halving(status: Int) async throws {
        try await withCatalogCopy(of: 300) { copy async throws in
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
    }

    @Test("A single failure of any kind is overcome, and nothing is lost or asked for twice")
    func singleFailures() async throws {
        let faults: [EventServiceFault] = [
            .status(503), .status(500), .status(502), .truncated(0.4), .closed, .wrongJSON, .slow(.milliseconds(300)),
        ]
        for fault in faults {
            try await withCatalogCopy(of: 120, mostRows: 40) { copy async throws in
                let queries = Mutex(0)
                copy.server.fail(where: { request in
                    guard request.method == "query" else { return nil }
                    return queries.withLock { count in
                        count += 1
                        return count == 2 ? fault : nil
                    }
                })
                var result = try await copy.fetch()
                // A run may retry or end; the next one resumes.
                if result.exitStatus != 0 { result = try await copy.fetch() }
                #expect(result.exitStatus == 0, "\(fault): \(result.errorOutput)")
                try copy.expectTruth()
                #expect(copy.server.overlappingRequests.isEmpty)
            }
        }
    }

    @Test("A recount that is refused ends the run, and the next run leaves out no window")
    func recount() async throws {
        try await withCatalogCopy(of: 120, mostRows: 40) { copy async throws in
            // The first window's response is empty, so the window is counted again.
            let faults = Mutex([("query", EventServiceFault.status(204)), ("count", .status(400))])
            copy.server.fail(where: { request in
                faults.withLock { $0.first?.0 == request.method ? $0.removeFirst().1 : nil }
            })
            #expect(try await copy.fetch().exitStatus == 69)
            #expect(copy.server.requests.last?.status == 400)
            #expect(try await copy.fetch().exitStatus == 0)
            try copy.expectTruth()
        }
    }

    @Test("A pause that the service asks for ends the run with 75, and the next run honors it before it asks again")
    func pause() async throws {
        try await withCatalogCopy(of: 200, mostRows: 50) { copy async throws in
            let queries = Mutex(0)
            copy.server.fail(where: { request in
                guard request.method == "query" else { return nil }
                return queries.withLock { count in
                    count += 1
                    return count == 3 ? .status(429, retryAfter: "900") : nil
                }
            })
            #expect(try await copy.fetch().exitStatus == 75)
            let asked = copy.server.requests.count
            let kept = copy.server.fetchedStretches
            #expect(kept.count == 2)
            #expect(try await copy.fetch().exitStatus == 75)
            #expect(try await copy.update().exitStatus == 75)
            #expect(copy.server.requests.count == asked)
            let lengths = kept.map { $0.upperBound - $0.lowerBound }
            #expect(lengths.allSatisfy { $0 > .zero })
            #expect(try !copy.quakes().isEmpty)
        }
    }

    @Test("A short pause is waited for")
    func shortPause() async throws {
        try await withCatalogCopy(of: 100) { copy async throws in
            copy.server.fail(next: .status(429, retryAfter: "1"))
            let result = try await copy.fetch()
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            try copy.expectTruth()
            let arrivals = copy.server.requests.map(\.arrival)
            #expect(arrivals.count > 1 && arrivals[1] - arrivals[0] >= .milliseconds(900))
        }
    }

    @Test("A service that never answers well ends the run with 69 after a bounded number of requests")
    func unreachable() async throws {
        try await withCatalogCopy(of: 50) { copy async throws in
            copy.server.fail(where: { _ in .status(500) })
            #expect(try await copy.fetch().exitStatus == 69)
            #expect(copy.server.requests.count < 20)
            let nobody = try await copy.cache.run(
                "backfill", "--since", "2026-01-01", "--until", "2026-02-01", "--service-url",
                "http://127.0.0.1:9/fdsnws/event/1/query")
            #expect(nobody.exitStatus == 69)
        }
    }

    @Test("Pauses without an end, an outage and a refusal of everything end the run soon", arguments: [429, 503, 400])
    func endlessFailure(status: Int) async throws {
        try await withCatalogCopy(of: 50) { copy async throws in
            copy.server.fail(where: { request in
                request.method == "count" ? nil : .status(status, retryAfter: status == 429 ? "0" : nil)
            })
            let result = try await copy.fetch()
            #expect(result.exitStatus == (status == 429 ? 75 : 69), "\(result.errorOutput)")
            #expect(copy.server.requests.count <= 30)
            // After a failure other than 429, smaller windows are requested too.
            #expect(status == 429 || copy.server.requests.count > 2)
        }
    }

    @Test(
        "A count that cannot be is refused, and a service that calls every answer full is not asked for ever",
        arguments: [
            #"{"count":9223372036854775807,"maxAllowed":1}"#, #"{"count":5,"maxAllowed":0}"#,
            #"{"count":5,"maxAllowed":1}"#,
        ])
    func oddCounts(answer: String) async throws {
        try await withCatalogCopy(of: 20) { copy async throws in
            copy.server.fail(where: { $0.method == "count" ? .body(Data(answer.utf8)) : nil })
            let since = (copy.since + .milliseconds(500)).iso8601
            let call = ["backfill", "--since", since, "--max-requests", "300", "--service-url", copy.server.queryURL]
            let result = try await copy.cache.quakes.run(call + ["--until", (copy.since + .seconds(3600)).iso8601])
            // With the last of these, every count is five, but there are fewer quakes.
            #expect(result.exitStatus == (answer.hasSuffix(#""maxAllowed":1}"#) && answer.count < 40 ? 69 : 65))
            #expect(copy.server.requests.count < 300)
        }
    }

    @Test("A feature that cannot be read is named, and the rest is kept")
    func badFeature() async throws {
        try await withCatalogCopy(of: 3) { copy async throws in
            let answer =
                #"{"type":"FeatureCollection","metadata":{"generated":\#(copy.until.milliseconds)},"#
                + #""features":[{"type":"Feature","id":"us1","properties":{},"geometry":null}]}"#
            copy.server.fail(where: { $0.method == "query" ? .body(Data(answer.utf8)) : .falseCount(1) })
            let result = try await copy.fetch("--format", "json")
            #expect(result.exitStatus == 0 && result.output.contains(#""skipped":[{"position":1,"id":"us1","reason":"#))
            #expect(result.errorOutput.contains("skipped entry 1 (us1)"), "\(result.errorOutput)")
        }
    }

    @Test("An interrupted backfill holds the windows that came, and the next update continues it")
    func interrupted() async throws {
        try await withCatalogCopy(of: 300, mostRows: 40) { copy async throws in
            func claims() throws -> [Claim] {
                try QuakeCache(path: copy.cache.path).context(access: .reading).sources.claims()
            }
            let part = ["--min-mag", "1", "--max-requests", "3"]
            #expect(try await copy.cache.quakes.run(copy.arguments(part)).exitStatus == 0)
            let held = try claims()
            #expect(held.map(\.originTimes.lowerBound) == [copy.since] && held[0].originTimes.upperBound < copy.until)
            #expect(try await copy.update().exitStatus == 0)
            #expect(Set(try claims().map(\.asOf)).count == 1)
            #expect(try claims().map(\.originTimes) == [copy.since..<copy.until])
        }
    }

    @Test("--max-requests ends a run early, and the next one goes on")
    func mostRequests() async throws {
        try await withCatalogCopy(of: 300, mostRows: 40) { copy async throws in
            var runs = 0
            while runs < 30 {
                runs += 1
                copy.server.forgetRequests()
                let result = try await copy.fetch("--max-requests", "4")
                #expect(copy.server.requests.count <= 4)
                if result.exitStatus == 0, copy.server.fetchedStretches.isEmpty { break }
            }
            #expect(runs > 2 && runs < 30)
            try copy.expectTruth()
        }
    }
}

@Suite("Answers as the event service gave them", .needsRealData, .timeLimit(.minutes(5)))
struct RecordedAnswerTests {
    private struct Response: Decodable {
        struct Metadata: Decodable {
            var url: String
            var count: Int
        }
        struct Feature: Decodable {
            var id: String
        }
        var metadata: Metadata
        var features: [Feature]
    }

    private static var files: [String] {
        let directory = RealData.directory?.appending(path: "fdsn").path ?? ""
        return (try? FileManager.default.contentsOfDirectory(atPath: directory).sorted()) ?? []
    }

    @Test("Each is taken over by a backfill of its stretch of time", arguments: files)
    func recorded(file: String) async throws {
        let body = try RealData.data("fdsn/\(file)")
        let answer = try JSONDecoder().decode(Response.self, from: body)
        let items = URLComponents(string: answer.metadata.url)?.queryItems ?? []
        func parameter(_ name: String) throws -> String { try #require(items.first { $0.name == name }?.value) }
        let (start, end) = (try parameter("starttime"), try parameter("endtime"))
        try await withEventService { server async throws in
            server.fail(where: { request in
                request.method == "count" ? .falseCount(answer.metadata.count) : .body(body)
            })
            try await withCache { cache, _ async throws in
                let result = try await cache.run(
                    "backfill", "--since", start, "--until", end, "--service-url", server.queryURL)
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                let listed = try await cache.records("list", "--format", "ndjson")
                #expect(Set(listed.compactMap { $0["id"].text }) == Set(answer.features.map(\.id)))
                #expect(try await cache.run("verify", "--full").exitStatus == 0)
            }
        }
    }
}
