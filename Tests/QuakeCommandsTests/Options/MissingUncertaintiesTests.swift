import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("The remark about missing uncertainties", .scratch) struct MissingUncertaintiesTests {
    private let cache: MappedCache

    /// Adds ten quakes an hour apart, one of them with uncertainties, to the cache's three.
    init() throws {
        cache = try MappedCache.ofTest()
        try cache.context().write { writer in
            for hour in 0..<10 {
                let time = Timestamp.sample - .seconds(3600 * hour)
                let quake = Quake(sample: "us9\(hour)", time: time, magnitude: 5 + Double(hour) / 10)
                try writer.insert(hour == 3 ? quake.withUncertainties : quake, reason: .new)
            }
        }
    }

    private func remark(_ options: String...) throws -> String { try cache.run(["list"] + options).errors }

    @Test("A list of uncertainties says how many quakes lack them, and which command fetches them")
    func manyQuakes() throws {
        let request = "`quakes backfill --uncertainties --since 2026-03-14T00:00Z`"
        #expect(
            try remark("--fields", "usgs", "--format", "csv")
                == "quakes: 12 of 13 quakes have no uncertainties; \(request) fetches them\n")
        #expect(try remark("--template", "{id} {mag_error}").contains("12 of 13 quakes"))
        #expect(try remark("--fields", "id,location_source").contains("12 of 13 quakes"))
        #expect(try remark("--fields", "id,mag_nst", "--limit", "7").contains("6 of 7 quakes"))
    }

    @Test("The remark about missing uncertainties repeats the filters that backfill supports")
    func filters() throws {
        let options = [
            "--until", "2026-03-15", "--min-mag", "5.2", "--max-depth", "90.5", "--bbox", "-160,10,-150,20",
            "--near", "19.5,-155", "--radius", "100km",
        ]
        let errors = try cache.run(["list", "--fields", "id,mag_error", "--since", "90d", "--net", "us"] + options)
            .errors
        let quoted = try #require(errors.split(separator: "`").first { $0.hasPrefix("quakes ") })
        let words = quoted.split(separator: " ").map(String.init)
        #expect(Array(words.prefix(3)) == ["quakes", "backfill", "--uncertainties"])
        let command = try BackfillCommand.parse(Array(words.dropFirst(3)))
        let circle = QuakeFilter.Circle(
            center: GeographicPoint(latitude: 19.5, longitude: -155), radiusKilometers: 100)
        #expect(
            command.filters.filter
                == QuakeFilter(
                    minimumMagnitude: 5.2, maximumDepthKilometers: 90.5,
                    boundingBoxes: [try BoundingBox.parse("-160,10,-150,20")], circles: [circle]))
        #expect(words.contains("2026-03-15T00:00Z") && words.contains("2026-03-14T00:00Z"))
    }

    @Test("For up to three quakes without uncertainties, the remark suggests quakes details with their ids")
    func fewQuakes() throws {
        #expect(
            try remark("--min-mag", "5.7", "--max-mag", "5.9", "--fields", "id,mag_error")
                == "quakes: 3 of 3 quakes have no uncertainties; `quakes details us97 us98 us99` fetches them\n")
        #expect(
            try remark("--min-mag", "5.3", "--max-mag", "5.4", "--fields", "id,mag_error")
                == "quakes: 1 of 2 quakes has no uncertainties; `quakes details us94` fetches them\n")
        #expect(try cache.run("details", "us97", "us98", "us99", "--dry-run").status == .success)
    }

    @Test(
        "A list whose uncertainties are complete, not asked for, or those of a past state has no remark",
        arguments: [
            ["--fields", "usgs", "--min-mag", "5.3", "--max-mag", "5.3"], ["--format", "json"], ["--fields", "all"],
            ["--fields", "id,mag", "--format", "csv"], ["--fields", "id,mag_error", "-q"], ["--format", "quakeml"],
            ["--fields", "id,mag_error", "--min-mag", "9"], ["--fields", "id,mag_error", "--at", "1"],
        ])
    func silence(options: [String]) throws {
        #expect(try cache.run(["list"] + options).errors.contains("uncertainties") == false)
    }
}
