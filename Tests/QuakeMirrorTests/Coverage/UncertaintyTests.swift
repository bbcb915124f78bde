import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

@Suite("Uncertainties from the event service", .scratch) struct UncertaintyTests {
    private static let since = Timestamp.daysAgo(60)
    private static let until = Timestamp.daysAgo(50)

    /// Ten days with a quake each.
    private static let quakes = (0..<10).map { day in
        Quake.sample("us", "\(day)", magnitude: 4.6, time: since + .seconds(43_200 + day * 86_400))
    }

    private func world() throws -> CatalogWorld { try CatalogWorld(Self.quakes) }

    private func request(
        since: Timestamp = since, until: Timestamp? = until, again: Bool = false, uncertainties: Bool = true
    ) -> BackfillRequest {
        .quakes(QuakeFilter(since: since, until: until), again: again, uncertainties: uncertainties)
    }

    /// Expects that the cache has the uncertainties of all quakes but those with `ids`.
    private func expectUncertainties(
        in world: CatalogWorld, except ids: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for stored in try world.context.fetch() {
            let quake = stored.quake
            let isExpected = ids.contains(quake.id) ? !quake.hasUncertainties : quake == quake.withInventedUncertainties
            #expect(isExpected, "\(quake)", sourceLocation: sourceLocation)
        }
        #expect(quakesHeld(in: world) > 0, sourceLocation: sourceLocation)
    }

    private func quakesHeld(in world: CatalogWorld) -> Int { (try? world.ids.count) ?? 0 }

    private func formats(_ addresses: [String]) -> [String] {
        addresses.map { $0.contains("/count?") ? "count" : $0.contains("format=csv") ? "csv" : "geojson" }
    }

    /// The times whose uncertainties are covered.
    private func read(by world: CatalogWorld) throws -> RangeSet<Timestamp> {
        let ranges = try world.context.sources.coveredRanges().filter { $0.source == .uncertainties }
        return RangeSet(ranges.map(\.originTimes))
    }

    private func editCSV(of world: CatalogWorld, _ edit: @escaping @Sendable (inout [String]) -> Void) {
        world.editAnswers { url, answer in
            guard url.contains("format=csv") else { return }
            var lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map(String.init)
            edit(&lines)
            answer.body = Data((lines.joined(separator: "\n") + "\n").utf8)
        }
    }

    @Test("A backfill with uncertainties stores GeoJSON and CSV of a window in one transaction") func together() throws
    {
        let world = try world()
        var report: BackfillReport?
        let addresses = try world.requests { report = try world.mirror.fetch(request()) }
        #expect(formats(addresses) == ["count", "geojson", "csv"])
        #expect(addresses[1].replacing("format=geojson", with: "format=csv") == addresses[2])
        #expect(report?.isComplete == true && report?.requests == 3 && report?.estimate.requests == 2)
        #expect(report?.inserted == 10 && report?.updated == 0 && report?.estimate.uncertainties == 10)
        try expectUncertainties(in: world)
        #expect(try world.covered == RangeSet([Self.since..<Self.until]) && read(by: world) == world.covered)
        #expect(try world.requests { try world.mirror.fetch(request()) }.isEmpty)
        #expect(try world.requests { try world.mirror.fetch(request(uncertainties: false)) }.isEmpty)
    }

    @Test("Times that were fetched without uncertainties are fetched once more with them") func completion() throws {
        let world = try world()
        try world.mirror.fetch(request(until: Self.since + .seconds(5 * 86_400), uncertainties: false))
        #expect(try world.context.fetch().allSatisfy { !$0.quake.hasUncertainties })
        try world.mirror.fetch(request(since: Self.since + .seconds(8 * 86_400)))
        let addresses = try world.requests { try world.mirror.fetch(request()) }
        #expect(formats(addresses) == ["count", "geojson", "csv"])
        try expectUncertainties(in: world)
        #expect(try read(by: world) == world.covered && quakesHeld(in: world) == 10)
    }

    @Test("Without a filter, --uncertainties completes everything requested earlier") func completionOfAll() throws {
        let world = try world()
        try world.mirror.fetch(request(until: nil, uncertainties: false))
        var update = BackfillRequest.update
        update.uncertainties = true
        try world.mirror.fetch(update)
        try expectUncertainties(in: world)
        #expect(try read(by: world) == world.covered)
        world.pass(minutes: 2_000)
        world.change { $0.insert(.sample("us", "new", time: .minute(1_000))) }
        try world.update()
        try expectUncertainties(in: world)
        #expect(try read(by: world) == RangeSet([Self.since..<Timestamp.minute(2_000)]))
    }

    @Test("An update fetches the uncertainties of a revised solution, and only in parts with them") func update() throws
    {
        let world = try world()
        try world.mirror.fetch(request())
        world.pass(minutes: 2_000)
        world.change { $0.revise("us3") { $0.hypocenter.depthKilometers = 33 } }
        #expect(try formats(world.requests { try world.update() }) == ["count", "geojson", "csv"])
        try expectUncertainties(in: world)
        #expect(try world.context.quake(id: "us3")?.quake.hypocenter.depthKilometers == 33)
        #expect(try world.context.sources.coveredRanges().allSatisfy { $0.asOf == .minute(2_000) })
        for _ in 0..<2 { world.pass(minutes: 2_000) }
        try world.update()
        world.pass(minutes: 2_000)
        // Without a change there is nothing to have uncertainties.
        #expect(try formats(world.requests { try world.update() }) == ["count", "geojson"])
        #expect(try world.context.sources.coveredRanges().allSatisfy { $0.asOf == .minute(8_000) })
        try world.context.sources.forgetCoverage(onlyUncertainties: true)
        world.pass(minutes: 2_000)
        world.change { $0.revise("us3") { $0.magnitude = 5 } }
        #expect(try formats(world.requests { try world.update() }) == ["count", "geojson"])
    }

    @Test(
        "After a feed revises a hypocenter, with or without its update time, an update brings its uncertainties",
        arguments: [true, false])
    func revisionByFeed(isUpdated: Bool) throws {
        let world = try CatalogWorld([.sample("us", "1", time: .daysAgo(3))])
        try world.mirror.fetch(request(since: .daysAgo(9), until: nil))
        try expectUncertainties(in: world)
        world.pass(minutes: 60)
        world.change { catalog in
            if isUpdated {
                catalog.revise("us1") { $0.hypocenter.latitude = 18 }
            } else {
                catalog.amend("us1") { $0.hypocenter.latitude = 18 }
            }
        }
        try world.refresh(FeedName(.all, .week))
        #expect(try world.context.quake(id: "us1")?.quake.hasUncertainties == false)
        world.pass(minutes: 2_000)
        try world.update()
        try expectUncertainties(in: world)
    }

    @Test("A window whose CSV lacks a quake is covered, and the missing row is reported once") func missingRow() throws
    {
        let world = try world()
        editCSV(of: world) { $0.removeAll { $0.contains(",us7,") } }
        let report = try world.mirror.fetch(request())
        #expect(
            !report.isComplete && report.incompleteWindows.map(\.reason) == [.uncertaintiesMissing(quakes: 1, of: 10)])
        #expect(try read(by: world) == world.covered)
        try expectUncertainties(in: world, except: ["us7"])
        world.editAnswers { _, _ in }
        #expect(try world.requests { try world.mirror.fetch(request()) }.isEmpty)
        #expect(try world.mirror.fetch(.again).isComplete)
        try expectUncertainties(in: world)
        #expect(try read(by: world) == RangeSet([Self.since..<Self.until]))
    }

    @Test("A row of a later solution is left to the next update; one of an earlier solution is missing")
    func otherRevision() throws {
        for isLater in [true, false] {
            let world = try world()
            let moment = isLater ? Timestamp.minute(1) : Self.since
            editCSV(of: world) { lines in
                lines = lines.map { line in
                    guard line.contains(",us7,") else { return line }
                    var fields = line.components(separatedBy: ",")
                    (fields[3], fields[12]) = ("99", moment.iso8601)
                    return fields.joined(separator: ",")
                }
            }
            let report = try world.mirror.fetch(request())
            #expect(report.isComplete == isLater)
            try expectUncertainties(in: world, except: ["us7"])
            world.editAnswers { _, _ in }
            world.pass(minutes: 2)
            if isLater { world.change { $0.revise("us7") { $0.hypocenter.depthKilometers = 99 } } }
            world.pass(minutes: 2)
            #expect(try (isLater ? world.update() : world.mirror.fetch(.again)).isComplete)
            try expectUncertainties(in: world)
        }
    }

    @Test("A backfill names a quake whose row in the CSV is unreadable, and covers its window") func unreadableRow()
        throws
    {
        let world = try world()
        editCSV(of: world) { $0 = $0.map { $0.contains(",us7,") ? $0.replacing(",4.6,", with: ",high,") : $0 } }
        let reports = Arc<[RefreshReport]>([])
        let observer = MirrorObserver(report: { step in
            if case .applied(let report) = step { reports.value.withLock { $0.append(report) } }
        })
        let report = try world.mirror.fetch(request(), observer)
        #expect(report.isComplete && report.inserted == 10)
        try expectUncertainties(in: world, except: ["us7"])
        let skipped = reports.value.withLock { $0.flatMap(\.skipped) }
        #expect(skipped.map(\.id) == ["us7"])
        #expect(skipped.allSatisfy { $0.words.contains("its uncertainties are unreadable (") }, "\(skipped)")
    }

    @Test("If the service fails for CSV alone, nothing of the window is kept", arguments: [413, 500])
    func failingCSV(status: Int) throws {
        let world = try world()
        world.editAnswers { url, answer in
            if url.contains("format=csv") { answer = ServedAnswer(status: status) }
        }
        #expect(throws: FeedError.self) { try world.mirror.fetch(request()) }
        // Windows without quakes need no CSV.
        #expect(try world.ids == [] && !Self.quakes.contains { try world.covered.contains($0.originTime) })
        #expect(try !world.context.sources.coverage().missing(until: .minute(0)).isEmpty)
        world.editAnswers { _, _ in }
        try world.update()
        try expectUncertainties(in: world)
        #expect(try read(by: world) == RangeSet([Self.since..<Self.until]))
    }

    @Test("A window whose CSV the service rejects as too large is fetched in halves") func halvedCSV() throws {
        let world = try world()
        world.editAnswers { url, answer in
            let rows = answer.body.count { $0 == UInt8(ascii: "\n") }
            if url.contains("format=csv"), rows > 4 { answer = ServedAnswer(status: 413) }
        }
        #expect(try world.mirror.fetch(request()).isComplete)
        try expectUncertainties(in: world)
        #expect(try read(by: world) == RangeSet([Self.since..<Self.until]))
    }

    /// Expects that all quakes were fetched without their uncertainties, which are still missing.
    private func expectQuakesAlone(in world: CatalogWorld) throws {
        #expect(try world.ids.count == 10)
        #expect(try world.covered == RangeSet([Self.since..<Self.until]) && read(by: world).isEmpty)
        world.service.value.withLock { $0.model.settings.csv = .sent }
        world.editAnswers { _, _ in }
        try world.update()
        try expectUncertainties(in: world)
    }

    @Test(
        "A service that cannot send CSV is named, and the quakes are kept",
        arguments: [EventServiceSettings.CSV.rejected, .ignored])
    func withoutCSV(csv: EventServiceSettings.CSV) throws {
        let world = try world()
        world.service.value.withLock { $0.model.settings.csv = csv }
        let addresses = world.requests {
            let error = #expect(throws: FeedError.self) { try world.mirror.fetch(request()) }
            let start =
                "The response from http://127.0.0.1/fdsnws/event/1/query is not valid: it has no uncertainties (format=csv was "
            #expect(
                error?.words.hasPrefix(start + (csv == .ignored ? "answered with GeoJSON" : "rejected")) == true)
        }
        #expect(formats(addresses) == ["count", "geojson", "csv"])
        try expectQuakesAlone(in: world)
    }

    @Test("A CSV without any column of uncertainties is rejected") func withoutColumns() throws {
        let world = try world()
        editCSV(of: world) { lines in
            for word in ["Error", "Nst", "Source"] { lines[0] = lines[0].replacing(word, with: "X") }
        }
        let error = #expect(throws: FeedError.self) { try world.mirror.fetch(request()) }
        #expect(error?.words.contains("it has no uncertainties (its CSV has no column for them).") == true)
        try expectQuakesAlone(in: world)
    }

    @Test("Limited runs request no GeoJSON without its CSV, and eventually fetch everything", arguments: 4...7)
    func limitedRuns(limit: Int) throws {
        let world = try world()
        world.service.value.withLock { $0.model.settings.maximumRows = 4 }
        var runs = 0
        while runs < 12 {
            runs += 1
            let addresses = try world.requests { try world.mirror.fetch(request(), limit: limit) }
            #expect(addresses.count <= limit)
            let formats = formats(addresses)
            #expect(formats.count { $0 == "geojson" } == formats.count { $0 == "csv" }, "\(formats)")
            if addresses.isEmpty { break }
        }
        #expect(runs < 12)
        try expectUncertainties(in: world)
    }

    @Test("A dry run counts two requests per window and requests no CSV") func dryRun() throws {
        let world = try world()
        let addresses = try world.requests {
            let report = try world.mirror.backfill(
                request(), limits: BackfillSettings(), dryRun: true, MirrorObserver())
            #expect(report.estimate.requests == 2 && report.estimate.uncertainties == 10 && report.requests == 1)
        }
        #expect(formats(addresses) == ["count"])
        #expect(try world.context.sources.coverage() == Coverage())
    }
}
