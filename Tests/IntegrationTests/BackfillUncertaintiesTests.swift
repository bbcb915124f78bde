import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Backfill with uncertainties", .endsInTime, .scratch) struct BackfillUncertaintiesTests {
    @Test("Runs of backfill --uncertainties killed at random lose nothing and fetch no kept window twice")
    func kills() async throws {
        let count = Thoroughness.count(6, of: 50)
        let copy = try CatalogCopy.ofTest(of: 60 * count, maximumRows: 25)
        var random = SplitMix64(state: 82)
        var kept = RangeSet<Timestamp>()
        var interrupted = 0
        for number in 1...count {
            copy.server.forgetRequests()
            let (_, result) = try await copy.cache.quakes.whileRunning(copy.arguments(["--uncertainties"])) { process in
                let fatal = 2 + random.next(9)
                while copy.server.requests.count < fatal, process.isAlive {
                    try await Task.sleep(for: .milliseconds(1))
                }
                try await Task.sleep(for: .microseconds(random.next(12_000)))
                process.send(signal: SIGKILL)
                _ = try await process.remainingLines()
            }
            if result.exitStatus != 0 { interrupted += 1 }
            while copy.server.inFlight > 0 { try await Task.sleep(for: .milliseconds(1)) }
            expectRequests(of: copy, outside: kept, "run \(number)")
            kept = try expectWholeWindows(in: copy, "kill \(number)")
        }
        #expect(interrupted > count / 2)
        copy.server.forgetRequests()
        let last = try await copy.fetch("--uncertainties")
        #expect(last.exitStatus == 0, "\(last.errorOutput)")
        expectRequests(of: copy, outside: kept, "the last run")
        try copy.expectTruth(uncertainties: true)
        #expect(try expectWholeWindows(in: copy, "the end") == RangeSet([copy.since..<copy.until]))
        #expect(try await copy.cache.run("verify", "--full").exitStatus == 0)
    }

    /// Expects that no request for quakes overlaps the times `kept`, apart from a shared second.
    private func expectRequests(of copy: CatalogCopy, outside kept: RangeSet<Timestamp>, _ comment: Comment) {
        for stretch in copy.server.fetchedStretches {
            for range in kept.ranges {
                #expect([stretch, range.lowerBound...range.upperBound].overlap == .zero, comment)
            }
        }
    }

    /// Expects that each covered window was kept with its uncertainties, and returns the covered times.
    private func expectWholeWindows(in copy: CatalogCopy, _ comment: Comment) throws -> RangeSet<Timestamp> {
        guard FileManager.default.fileExists(atPath: copy.cache.path) else { return RangeSet() }
        let context = try QuakeContext(QuakeCache(path: copy.cache.path), access: .reading)
        let ranges = try context.sources.coveredRanges()
        func times(_ source: CoveredRange.Source) -> RangeSet<Timestamp> {
            ranges.filter { $0.source == source }.reduce(into: RangeSet()) { $0.insert(contentsOf: $1.originTimes) }
        }
        #expect(times(.backfill) == times(.uncertainties), comment)
        let covered = times(.backfill)
        let found = try copy.quakes()
        for quake in copy.server.catalog.quakes where covered.contains(quake.originTime) {
            let stored = try #require(found[quake.id], comment)
            #expect(
                QuakeProperty.uncertainties.allSatisfy { stored[$0] == quake.withInventedUncertainties[$0] }, comment)
        }
        return covered
    }

    @Test(
        "40,000 quakes with uncertainties take three windows of two requests, and less than 300 MB of memory",
        .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
    func requests() async throws {
        let count = Thoroughness.count(4_000, of: 40_000)
        let copy = try CatalogCopy.ofTest(of: 0, maximumRows: count / 2)
        copy.server.change { catalog in
            for number in 0..<count {
                let time = copy.since + (copy.until - copy.since) / count * number
                catalog.insert(Quake(sample: "us\(number)", time: time), updated: time + .seconds(600))
            }
        }
        let result = try await copy.cache.quakes.runMeasuringMemory(copy.arguments(["--uncertainties"]))
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(result.output.contains(" quakes with uncertainties in about 6 requests"), "\(result.output)")
        let formats = copy.server.requests.filter { $0.method == "query" }.map { $0.parameters["format"] }
        #expect(formats == ["geojson", "csv", "geojson", "csv", "geojson", "csv"])
        #expect(try #require(result.peakMegabytes) < 300)
        try copy.expectTruth(uncertainties: true)
    }

    @Test("quakes status and backfill --forget show the uncertainties that updates keep current") func status()
        async throws
    {
        let copy = try CatalogCopy.ofTest(of: 20)
        #expect(try await copy.fetch("--uncertainties").exitStatus == 0)
        let text = try await copy.cache.output("status")
        #expect(
            text.contains("a backfill, last checked ")
                && text.contains(", uncertainties from a backfill, "))
        let coverage = try await copy.cache.json("status", "--format", "json")["coverage"].elements
        #expect(Set(coverage.compactMap { $0["source"].text }) == ["backfill", "uncertainties"])
        let forgotten = try await copy.cache.output("backfill", "--forget", "--uncertainties")
        #expect(forgotten.contains("uncertainties from a backfill") && !forgotten.contains(", from a backfill"))
        #expect(try await copy.cache.output("backfill", "--forget").contains(", from a backfill"))
        #expect(try await copy.fetch().exitStatus == 0)
        #expect(copy.server.requests.last?.parameters["format"] == "geojson")
    }

    @Test("quakes backfill --max-requests 3 is rejected if uncertainties are fetched") func tooFewRequests()
        async throws
    {
        let copy = try CatalogCopy.ofTest(of: 20)
        let message = "--max-requests must be at least 4 with uncertainties"
        let refused = try await copy.fetch("--uncertainties", "--max-requests", "3")
        #expect(refused.exitStatus == 64 && refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(try await copy.fetch("--max-requests", "3").exitStatus == 0)
        #expect(try await copy.fetch("--uncertainties").exitStatus == 0)
        let update = try await copy.update("--max-requests", "3")
        #expect(update.exitStatus == 64 && update.errorOutput.contains(message), "\(update.errorOutput)")
    }

    @Test("If the event service cannot send CSV, quakes backfill --uncertainties says so and exits with 65")
    func serviceWithoutCSV() async throws {
        let copy = try CatalogCopy.ofTest(of: 20)
        copy.server.configure { $0.csv = .rejected }
        #expect(try await copy.fetch().exitStatus == 0)
        let result = try await copy.fetch("--uncertainties")
        let words = "it has no uncertainties (format=csv was rejected with status 400)."
        #expect(result.exitStatus == 65 && result.errorOutput.contains(words), "\(result.errorOutput)")
        #expect(try await copy.update().exitStatus == 65)
        #expect(result.errorOutput.contains("quakes backfill --forget --uncertainties"))
        let forgotten = try await copy.cache.output("backfill", "--forget", "--uncertainties")
        #expect(
            forgotten == "The matching uncertainties will no longer be requested, except by other backfills that "
                + "include them.\n")
        #expect(try await copy.update().exitStatus == 0)
        try copy.expectTruth()
    }
}
