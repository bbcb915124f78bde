import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Backfill copies a time range of the catalog and keeps it up to date", .endsInTime, .scratch)
struct BackfillTests {
    @Test("quakes backfill splits a time range into sequential requests and stores every quake")
    func fetchesInWindows() async throws {
        let copy = try CatalogCopy.ofTest(of: 400, maximumRows: 60)
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

    @Test("quakes backfill does not re-fetch covered times when a wider time range is requested")
    func coveredTimesAreNotFetchedAgain() async throws {
        let copy = try CatalogCopy.ofTest(of: 200, maximumRows: 50)
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
        #expect((copy.server.fetchedStretches + [inner.since...inner.until]).overlap == .zero)
    }

    // Proves rule 18 of mirroring.md.
    @Test(
        "quakes backfill without a time range applies revisions, renames, merges and deletions",
        arguments: EventCatalog.DeletedForm.allCases, [false, true])
    func updateAppliesChanges(form: EventCatalog.DeletedForm, isWithinASecond: Bool) async throws {
        let copy = try CatalogCopy.ofTest(of: 300, maximumRows: 80)
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
            #expect(copy.server.overlappingRequests.isEmpty)
        }
        #expect(try await copy.cache.run("verify", "--full").exitStatus == 0)
    }

    @Test("quakes backfill --again re-fetches exactly what earlier backfills requested")
    func againAndForget() async throws {
        let copy = try CatalogCopy.ofTest(of: 100)
        #expect(try await copy.fetch("--min-mag", "1").exitStatus == 0)
        copy.server.forgetRequests()
        let again = try await copy.update("--again")
        #expect(again.exitStatus == 0 && again.output.contains("0 new, 0 changed"), "\(again.output)")
        #expect(copy.server.requests.allSatisfy { $0.parameters["minmagnitude"] == "1.0" })
        #expect(copy.server.fetchedStretches.map(\.lowerBound) == [copy.since])
        #expect(try await copy.cache.output("backfill", "--forget", "--min-mag", "2").hasPrefix("Nothing to forget"))
        let forgotten = try await copy.cache.run("backfill", "--forget")
        #expect(
            forgotten.exitStatus == 0 && forgotten.output.hasPrefix("no longer updated: M 1+, "),
            "\(forgotten.output)")
        #expect(try !copy.quakes().isEmpty)
        #expect(try await copy.update().exitStatus == 64)
    }

    @Test("Repeating quakes backfill --max-requests 3 eventually fetches the whole time range")
    func limitedRunsComplete() async throws {
        let copy = try CatalogCopy.ofTest(of: 200)
        let url = ["--service-url", copy.server.queryURL]
        for start in stride(from: 10, to: 60, by: 10) {
            let (since, until) = (copy.since + .seconds(start * 86_400), copy.since + .seconds((start + 2) * 86_400))
            let call = ["backfill", "--since", since.iso8601, "--until", until.iso8601]
            #expect(try await copy.cache.quakes.run(call + url).exitStatus == 0)
        }
        var runs = 0
        while runs < 12 {
            runs += 1
            copy.server.forgetRequests()
            let result = try await copy.fetch("--max-requests", "3", "--format", "json")
            #expect(copy.server.requests.count <= 3)
            #expect(result.exitStatus == 0 && result.output.contains(#""kind":"window""#), "\(result.output)")
            if result.output.contains(#""complete":true"#) { break }
        }
        #expect(runs < 12)
        try copy.expectTruth()
    }

    @Test("quakes status reports an unfinished backfill until a later run completes it")
    func unfinishedBackfillInStatus() async throws {
        let copy = try CatalogCopy.ofTest(of: 200, maximumRows: 20)
        #expect(try await copy.fetch("--min-mag", "0.5", "--max-requests", "4").exitStatus == 0)
        func unfinished() async throws -> [JSONValue] {
            try await copy.cache.json("status", "--format", "json")["problems"].elements.filter {
                $0["code"].text == "unfinished-backfill"
            }
        }
        // As during a backfill.
        try Data().write(to: URL(filePath: copy.cache.path + ".backfill-lock"))
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

    @Test("quakes backfill rejects a future --since, and requests nothing for covered times")
    func impossibleOrCoveredTimes() async throws {
        let copy = try CatalogCopy.ofTest(of: 20)
        let future = try await copy.update("--since", "2999-01-01")
        #expect(future.exitStatus == 64 && future.errorOutput.contains("--since is in the future."))
        #expect(try await copy.fetch().exitStatus == 0)
        copy.server.forgetRequests()
        #expect(try await copy.fetch().output == "The cache already has everything requested.\n")
        #expect(copy.server.requests.isEmpty)
    }

    @Test("quakes backfill --dry-run sends only count requests and creates no cache") func dryRun() async throws {
        let copy = try CatalogCopy.ofTest(of: 100, maximumRows: 30)
        let result = try await copy.fetch("--dry-run")
        #expect(result.exitStatus == 0 && result.output.contains("100"))
        #expect(!copy.server.requests.isEmpty && copy.server.requests.allSatisfy { $0.method == "count" })
        #expect(!FileManager.default.fileExists(atPath: copy.cache.path))
    }

    @Test(
        "quakes backfill of thousands of quakes uses at most 60 MB of memory",
        .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
    func memory() async throws {
        let count = Thoroughness.count(3_000, of: 20_000)
        let copy = try CatalogCopy.ofTest(of: count)
        let result = try await copy.cache.quakes.runMeasuringMemory(copy.arguments())
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(try await copy.cache.output("list", "--count") == "\(count)\n")
        #expect(try #require(result.peakMegabytes) <= 60)
    }
}
