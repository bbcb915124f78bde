import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

@Suite("Backfill copies a part of the catalog and keeps it true", .timeLimit(.minutes(5)))
struct BackfillTests {
    @Test("A stretch of the catalog is fetched window by window, one request at a time, and equals the service's")
    func whole() async throws {
        try await withCatalogCopy(of: 400, mostRows: 60) { copy async throws in
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
        try await withCatalogCopy(of: 200, mostRows: 50) { copy async throws in
            let inner = CatalogCopy(
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
        try await withCatalogCopy(of: 300) { copy async throws in
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
    }

    @Test(
        "Revisions, renames, merges, deletions and returns that the service reports come with the next update",
        arguments: EventCatalog.DeletedForm.allCases, [false, true])
    func update(form: EventCatalog.DeletedForm, isWithinASecond: Bool) async throws {
        try await withCatalogCopy(of: 300, mostRows: 80) { copy async throws in
            copy.server.change { $0.deletedForm = form }
            #expect(try await copy.fetch().exitStatus == 0)
            // `generated` has only whole seconds: changes in the same second must not be missed.
            let step = isWithinASecond ? Duration.milliseconds(300) : .seconds(3_600)
            var random = SplitMix64(state: 7)
            for _ in 0..<3 {
                copy.server.change { catalog in
                    catalog.now = catalog.now + step
                    catalog.changeAtRandom(40, in: copy.since...copy.until, &random)
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
        try await withCatalogCopy(of: 300, mostRows: 50) { copy async throws in
            #expect(try await copy.fetch().exitStatus == 0)
            copy.server.change { catalog in
                catalog.now = catalog.now + .seconds(3_600)
                catalog.bulkTouch(copy.since...copy.until) { $0.residualSeconds = 7.25 }
            }
            copy.server.forgetRequests()
            #expect(try await copy.update().exitStatus == 0)
            try copy.expectTruth()
            #expect(copy.server.requests.filter { $0.method == "query" }.allSatisfy { $0.rows ?? 0 <= 50 })
        }
    }

    @Test("After an update the cache is as new as the update, also where a part has no end")
    func freshness() async throws {
        try await withCatalogCopy(of: 60) { copy async throws in
            let open = ["backfill", "--since", copy.since.iso8601, "--service-url", copy.server.queryURL]
            #expect(try await copy.cache.quakes.run(open).exitStatus == 0)
            copy.server.change { $0.now = $0.now + .seconds(7200) }
            #expect(try await copy.update().exitStatus == 0)
            let claims = try QuakeCache(path: copy.cache.path).context(access: .reading).sources.claims()
            #expect(claims.count == 1 && claims[0].isOpenEnded)
            #expect(claims.allSatisfy { $0.asOf + .seconds(5) > copy.server.catalog.now })
        }
    }

    @Test("A stale answer about an update's larger quakes leaves nothing out: only what came counts as held")
    func staleReplica() async throws {
        try await withCatalogCopy(of: 400) { copy async throws in
            let url = ["--service-url", copy.server.queryURL]
            let start = copy.until + .seconds(86_400)
            copy.server.change { $0.now = start }
            let large = ["backfill", "--since", copy.since.iso8601, "--min-mag", "2"] + url
            let all = ["backfill", "--since", (copy.since + .seconds(86_400)).iso8601, "--min-mag", "1"] + url
            for call in [large, all] { #expect(try await copy.cache.quakes.run(call).exitStatus == 0) }
            // Three days later, after new quakes, the first response comes from a server that lacks them.
            copy.server.change { catalog in
                catalog.now = start + .seconds(3 * 86_400)
                catalog.insertInvented(
                    80, in: start...start + .seconds(2 * 86_400), seed: 9, updated: start + .seconds(2 * 86_400))
            }
            let answer =
                #"{"type":"FeatureCollection","metadata":{"generated":\#(start.milliseconds),"count":0},"features":[]}"#
            let isStale = Mutex(true)
            copy.server.fail(where: { request in
                guard request.method == "query", request.parameters["updatedafter"] == nil else { return nil }
                return isStale.withLock { stale in
                    defer { stale = false }
                    return stale ? .body(Data(answer.utf8)) : nil
                }
            })
            for _ in 0..<3 { #expect(try await copy.update().exitStatus == 0) }
            let stretch = CatalogCopy(
                cache: copy.cache, server: copy.server, since: copy.since + .seconds(86_400),
                until: copy.server.catalog.now)
            try stretch.expectTruth(["minmagnitude": "1"])
        }
    }

    @Test("--again repeats what is held and no more, and --forget ends the updates of a part")
    func againAndForget() async throws {
        try await withCatalogCopy(of: 100) { copy async throws in
            #expect(try await copy.fetch("--min-mag", "1").exitStatus == 0)
            copy.server.forgetRequests()
            let again = try await copy.update("--again")
            #expect(again.exitStatus == 0 && again.output.contains("0 new, 0 changed"), "\(again.output)")
            #expect(copy.server.requests.allSatisfy { $0.parameters["minmagnitude"] == "1.0" })
            #expect(copy.server.fetchedStretches.map(\.lowerBound) == [copy.since])
            #expect(
                try await copy.cache.output("backfill", "--forget", "--min-mag", "2").hasPrefix("Nothing to forget"))
            let forgotten = try await copy.cache.run("backfill", "--forget")
            #expect(
                forgotten.exitStatus == 0 && forgotten.output.hasPrefix("will no longer be updated: M 1+"),
                "\(forgotten.output)")
            #expect(try !copy.quakes().isEmpty)
            #expect(try await copy.update().exitStatus == 64)
        }
    }

    @Test("A run that may send few requests gets on with parts that lie apart")
    func partsApart() async throws {
        try await withCatalogCopy(of: 200) { copy async throws in
            let url = ["--service-url", copy.server.queryURL]
            for start in stride(from: 10, to: 60, by: 10) {
                let (since, until) = (
                    copy.since + .seconds(start * 86_400), copy.since + .seconds((start + 2) * 86_400)
                )
                let call = ["backfill", "--since", since.iso8601, "--until", until.iso8601]
                #expect(try await copy.cache.quakes.run(call + url).exitStatus == 0)
            }
            var runs = 0
            while runs < 12 {
                runs += 1
                let result = try await copy.fetch("--max-requests", "3", "--format", "json")
                #expect(result.exitStatus == 0 && result.output.contains(#""kind":"window""#), "\(result.output)")
                if result.output.contains(#""complete":true"#) { break }
            }
            #expect(runs < 12)
            try copy.expectTruth()
        }
    }

    @Test("A backfill that stopped is named by status until an update finishes it, or it is forgotten")
    func unfinished() async throws {
        try await withCatalogCopy(of: 200, mostRows: 20) { copy async throws in
            #expect(try await copy.fetch("--min-mag", "0.5", "--max-requests", "4").exitStatus == 0)
            func unfinished() async throws -> [JSONValue] {
                try await copy.cache.json("status", "--format", "json")["problems"].elements.filter {
                    $0["code"].text == "unfinished-backfill"
                }
            }
            // As during a backfill.
            let lock = try FileHandle(forUpdating: URL(filePath: copy.cache.path + ".backfill-lock"))
            #expect(flock(lock.fileDescriptor, LOCK_EX) == 0)
            #expect(try await unfinished().isEmpty)
            try lock.close()
            let problem = try #require(try await unfinished().first)
            #expect(problem["command"].text?.hasSuffix(" backfill") == true)
            let words = try #require(problem["message"].text)
            #expect(words.hasPrefix("a backfill is not finished (M 0.5+: "), "\(words)")
            let stopped = try await copy.update("--max-requests", "4")
            #expect(stopped.errorOutput.contains("quakes: the backfill is not finished ("), "\(stopped.errorOutput)")
            let update = try await copy.update()
            #expect(update.exitStatus == 0 && !update.errorOutput.contains("not finished"), "\(update.errorOutput)")
            #expect(try await unfinished().isEmpty)
            #expect(try await copy.fetch("--max-requests", "4").exitStatus == 0)
            #expect(try await unfinished().count == 1)
            #expect(try await copy.cache.run("backfill", "--forget").exitStatus == 0)
            #expect(try await unfinished().isEmpty)
        }
    }

    @Test("Times that cannot be are usage errors, and a cache that is held whole asks nothing")
    func nothingToAsk() async throws {
        try await withCatalogCopy(of: 20) { copy async throws in
            let future = try await copy.update("--since", "2999-01-01")
            #expect(future.exitStatus == 64 && future.errorOutput.contains("--since is in the future."))
            #expect(try await copy.fetch().exitStatus == 0)
            copy.server.forgetRequests()
            #expect(try await copy.fetch().output == "The cache already has everything requested.\n")
            #expect(copy.server.requests.isEmpty)
        }
    }

    @Test("--dry-run asks for counts alone and leaves no cache")
    func dryRun() async throws {
        try await withCatalogCopy(of: 100, mostRows: 30) { copy async throws in
            let result = try await copy.fetch("--dry-run")
            #expect(result.exitStatus == 0 && result.output.contains("100"))
            #expect(!copy.server.requests.isEmpty && copy.server.requests.allSatisfy { $0.method == "count" })
            #expect(!FileManager.default.fileExists(atPath: copy.cache.path))
        }
    }

    @Test("A service that cuts milliseconds off, and one that answers nothing with 204, lose no quake")
    func manners() async throws {
        try await withCatalogCopy(of: 300, mostRows: 40) { copy async throws in
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
        try await withCatalogCopy(of: 20) { copy async throws in
            copy.server.configure { $0.cutsMilliseconds = true }
            copy.server.change { catalog in
                for milliseconds in stride(from: Int64(1), through: 1_501, by: 250) {
                    let quake = Quake(
                        sample: "nn\(milliseconds)", time: copy.until - .milliseconds(milliseconds), magnitude: 1)
                    catalog.insert(quake)
                }
            }
            #expect(try await copy.fetch().exitStatus == 0)
            let ids = try copy.quakes().keys.filter { $0.hasPrefix("nn") && $0.count < 8 }
            #expect(ids.count == 7, "\(ids)")
        }
    }

    @Test("A second backfill ends with 75, and a refresh meanwhile works")
    func companions() async throws {
        try await withCatalogCopy(of: 100) { copy async throws in
            let hold = Hold()
            copy.server.fail(where: { $0.method == "query" && !hold.isOver ? .slow(.seconds(100)) : nil })
            let (_, left) = try await copy.cache.quakes.whileRunning(copy.arguments()) { process in
                while !copy.server.requests.contains(where: { $0.method == "query" }) {
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(try await copy.fetch().exitStatus == 75)
                #expect(try await copy.cache.refresh("all_day-1")["inserted"]["new"].integer == 24)
                process.send(signal: SIGTERM)
                _ = try await process.remainingLines()
            }
            #expect(left.ending == .signaled(SIGTERM))
            hold.end()
            #expect(try await copy.fetch().exitStatus == 0)
            let ids = try copy.quakes().keys
            #expect(ids.count == 124)
        }
    }

    @Test(
        "A window of many quakes, 20,000 where everything is asked for, needs at most 60 MB",
        .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
    func memory() async throws {
        let count = Thoroughness.count(3_000, of: 20_000)
        try await withCatalogCopy(of: count) { copy async throws in
            let result = try await copy.cache.quakes.runMeasuringMemory(copy.arguments())
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(try await copy.cache.output("list", "--count") == "\(count)\n")
            #expect(try #require(result.peakMegabytes) <= 60)
        }
    }
}
