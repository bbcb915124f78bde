import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Backfill copies a part of the catalogue and keeps it true", .timeLimit(.minutes(2)))
struct BackfillTests {
    @Test("A stretch of the catalogue is fetched window by window, one request at a time, and equals the service's")
    func whole() async throws {
        try await withCatalogueCopy(of: 400, mostRows: 60) { copy async throws in
            let result = try await copy.fetch()
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            try copy.expectTruth()
            let queries = copy.server.requests.filter { $0.method == "query" }
            #expect(copy.server.requests.first?.method == "count")
            #expect(queries.count >= 400 / 60 && copy.server.overlappingRequests.isEmpty)
            for query in queries {
                #expect(query.parameters["limit"] == nil && query.parameters["offset"] == nil)
                #expect(query.parameters["orderby"] == "time-asc" && query.parameters["includedeleted"] == "true")
                #expect(query.headers["user-agent"]?.hasPrefix("quakes/") == true)
            }
            #expect(copy.server.fetchedStretches.overlap == .zero)
            #expect(try await copy.cache.run("verify", "--full").exitStatus == 0)
        }
    }

    @Test("What was fetched is not asked for again, and a wider request asks only for what is missing")
    func again() async throws {
        try await withCatalogueCopy(of: 200, mostRows: 50) { copy async throws in
            let inner = CatalogueCopy(
                cache: copy.cache, server: copy.server, since: copy.since + .seconds(20 * 86_400),
                until: copy.until - .seconds(20 * 86_400))
            #expect(try await inner.fetch().exitStatus == 0)
            try inner.expectTruth()
            copy.server.forgetRequests()
            #expect(try await inner.fetch().exitStatus == 0)
            #expect(copy.server.fetchedStretches.isEmpty)
            #expect(try await copy.fetch().exitStatus == 0)
            try copy.expectTruth()
            let asked = copy.server.fetchedStretches
            #expect((asked + [inner.since...inner.until]).overlap == .zero)
        }
    }

    @Test(
        "Filters are the service's own: magnitude, box over the date line, circle, kind",
        arguments: [
            (["--min-mag", "1.5"], ["minmagnitude": "1.5"]), (["--max-mag", "1"], ["maxmagnitude": "1"]),
            (
                ["--bbox", "170,-60,-170,60"],
                ["minlongitude": "170", "maxlongitude": "190", "minlatitude": "-60", "maxlatitude": "60"]
            ),
            (
                ["--near", "40,-120", "--radius", "3000"],
                ["latitude": "40", "longitude": "-120", "maxradiuskm": "3000"]
            ),
            (["--type", "quarry blast"], ["eventtype": "quarry blast"]),
        ])
    func filters(options: [String], parameters: [String: String]) async throws {
        try await withCatalogueCopy(of: 300) { copy async throws in
            let result = try await copy.cache.quakes.run(copy.arguments(options))
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            try copy.expectTruth(parameters)
            #expect(try !copy.quakes().isEmpty)
            // What changes later is found by the same filter.
            copy.server.change { catalogue in
                catalogue.now = catalogue.now + .seconds(60)
                for quake in catalogue.quakes.prefix(40) { catalogue.revise(quake.id) { $0.residualSeconds = 9.5 } }
                for quake in catalogue.quakes.suffix(10) { catalogue.delete(quake.id) }
            }
            #expect(try await copy.update().exitStatus == 0)
            try copy.expectTruth(parameters)
        }
    }

    @Test(
        "Revisions, renames, merges, deletions and returns that the service reports come with the next update",
        arguments: EventCatalogue.DeletedForm.allCases, [false, true])
    func update(form: EventCatalogue.DeletedForm, isWithinASecond: Bool) async throws {
        try await withCatalogueCopy(of: 300, mostRows: 80) { copy async throws in
            copy.server.change { $0.deletedForm = form }
            #expect(try await copy.fetch().exitStatus == 0)
            // `generated` tells whole seconds: what changes in the same second must not be missed.
            let step = isWithinASecond ? Duration.milliseconds(300) : .seconds(3_600)
            var random = SplitMix64(state: 7)
            for _ in 0..<3 {
                copy.server.change { catalogue in
                    catalogue.now = catalogue.now + step
                    catalogue.changeAtRandom(40, in: copy.since...copy.until, &random)
                }
                copy.server.forgetRequests()
                let result = try await copy.update()
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                try copy.expectTruth()
                #expect(copy.server.fetchedStretches.isEmpty && copy.server.overlappingRequests.isEmpty)
            }
            #expect(try await copy.cache.run("verify", "--full").exitStatus == 0)
        }
    }

    @Test("A night in which everything is processed anew is taken over in windows")
    func night() async throws {
        try await withCatalogueCopy(of: 300, mostRows: 50) { copy async throws in
            #expect(try await copy.fetch().exitStatus == 0)
            copy.server.change { catalogue in
                catalogue.now = catalogue.now + .seconds(3_600)
                catalogue.bulkTouch(copy.since...copy.until) { $0.residualSeconds = 7.25 }
            }
            copy.server.forgetRequests()
            #expect(try await copy.update().exitStatus == 0)
            try copy.expectTruth()
            #expect(copy.server.requests.filter { $0.method == "query" }.allSatisfy { $0.rows ?? 0 <= 50 })
        }
    }

    @Test("--dry-run asks for counts alone and leaves no cache")
    func dryRun() async throws {
        try await withCatalogueCopy(of: 100, mostRows: 30) { copy async throws in
            let result = try await copy.fetch("--dry-run")
            #expect(result.exitStatus == 0 && result.output.contains("100"))
            #expect(!copy.server.requests.isEmpty && copy.server.requests.allSatisfy { $0.method == "count" })
            #expect(!FileManager.default.fileExists(atPath: copy.cache.path))
        }
    }

    @Test("A service that cuts milliseconds off, and one that answers nothing with 204, lose no quake")
    func manners() async throws {
        try await withCatalogueCopy(of: 300, mostRows: 40) { copy async throws in
            copy.server.configure {
                $0.cutsMilliseconds = true
                $0.answersNothingWith204 = true
            }
            #expect(try await copy.fetch().exitStatus == 0)
            try copy.expectTruth()
            #expect(try await copy.update().exitStatus == 0)
            try copy.expectTruth()
        }
    }

    @Test("A service that cuts milliseconds off loses no quake of the last second")
    func lastSecond() async throws {
        try await withCatalogueCopy(of: 20) { copy async throws in
            copy.server.configure { $0.cutsMilliseconds = true }
            copy.server.change { catalogue in
                for milliseconds in stride(from: Int64(1), through: 1_501, by: 250) {
                    let quake = Quake(
                        sample: "nn\(milliseconds)", time: copy.until - .milliseconds(milliseconds), magnitude: 1)
                    catalogue.insert(quake)
                }
            }
            #expect(try await copy.fetch().exitStatus == 0)
            let ids = try copy.quakes().keys.filter { $0.hasPrefix("nn") && $0.count < 8 }
            #expect(ids.count == 7, "\(ids)")
        }
    }

    @Test("A second backfill ends with 75, and a refresh meanwhile works")
    func companions() async throws {
        try await withCatalogueCopy(of: 100) { copy async throws in
            let hold = Hold()
            copy.server.fail(where: { $0.method == "query" && !hold.isOver ? .slow(.seconds(10)) : nil })
            let (_, left) = try await copy.cache.quakes.whileRunning(copy.arguments()) { process in
                while !copy.server.requests.contains(where: { $0.method == "query" }) {
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(try await copy.fetch().exitStatus == 75)
                #expect(try await copy.cache.refresh("all_day-1")["inserted"]["new"].integer == 24)
                process.send(signal: SIGTERM)
                _ = try await process.remainingLines()
            }
            #expect(left.exitStatus == 143 || left.ending == .signalled(SIGTERM))
            hold.end()
            #expect(try await copy.fetch().exitStatus == 0)
            let ids = try copy.quakes().keys
            #expect(ids.count == 124)
        }
    }

    @Test("A window of many quakes, 20,000 where everything is asked for, needs at most 60 MB")
    func memory() async throws {
        let count = Thoroughness.count(5_000, of: 20_000)
        try await withCatalogueCopy(of: count) { copy async throws in
            let result = try await copy.cache.quakes.runMeasuringMemory(copy.arguments())
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(try await copy.cache.output("list", "--count") == "\(count)\n")
            #expect(try #require(result.peakMegabytes) <= 60)
        }
    }
}
