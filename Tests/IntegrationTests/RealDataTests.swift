import Foundation
import QuakeTestSupport
import Testing

@Suite("Feeds as USGS published them", .needsRealData, .endsInTime, .scratch) struct RealDataTests {
    /// The number of places in the two weeks whose last part means California, counted by an independent program: 1,179
    /// ", CA", 628 ", California" and 2 "California-Nevada border region".
    @Test("quakes list --region California matches every spelling of the state in place names")
    func regions() async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("20T1423Z", "22T2039Z")
        #expect(try await cache.output("list", "--region", "California", "--count") == "1809\n")
        #expect(try await cache.output("list", "--region", "ca", "--region", "nv", "--count") == "2079\n")
        let records = try await cache.records("list", "--fields", "place,region", "--format", "ndjson")
        let california = records.filter { $0["region"].text?.contains("California") ?? false }
        let parts = california.compactMap { $0["place"].text?.split(separator: ",").last }
        #expect(parts.count { $0 == " CA" } == 1179 && parts.count { $0 == " California" } == 628)
        #expect(parts.count { $0 == "California-Nevada border region" } == 2 && parts.count == 1809)

        let mexico = records.count { $0["region"].text == "Mexico" }
        #expect(try await cache.output("list", "--region", "mexico", "--count") == "\(mexico)\n")
        let result = try await cache.run("list", "--place", "California", "--count")
        #expect(
            result.output == "630\n"
                && result.errorOutput
                    == "quakes: --place searches place names; --region California finds all 1,809 quakes in the "
                    + "region\n"
        )
        #expect(try await cache.run("list", "--place", ", CA", "--ids", "-q").errorOutput.isEmpty)
        let empty = try await cache.run("list", "--region", "Californa", "--count")
        #expect(empty.exitStatus == 64 && empty.errorOutput.contains("Did you mean California"))

        let short = try await cache.run("list", "--region", "NZ")
        #expect(short.exitStatus == 64 && !short.errorOutput.contains("finds") && !short.errorOutput.contains("Anza"))

        let part = try await cache.run("list", "--region", "Quebec")
        #expect(part.exitStatus == 64)
        #expect(try await cache.run("list", "--region", "Kodiak Island region").exitStatus == 64)
        #expect(
            part.errorOutput.contains(
                "\"Quebec\" is part of Canada, and USGS place names mostly say just \"Canada\". Use --region "
                    + "Canada, or --bbox or --near for a part of it."))
        let country = try await cache.run("list", "--region", "USA")
        #expect(country.exitStatus == 64 && country.errorOutput.contains("no region for the whole United States"))

        let regions = try await cache.json("summary", "--format", "json")["regions"].elements
        #expect(regions.first?["name"].text == "California" && regions.first?["count"].integer == 1809)
        #expect(try await cache.output("summary").contains("\nregions     California 1,809, "))
    }

    @Test("quakes refresh reads every recorded USGS feed and query response, but rejects detail feeds")
    func everyPublishedFile() async throws {
        for folder in ["feeds", "fdsn", "detail"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: RealData.url(folder).path)
                .filter { $0.hasSuffix(".geojson") }.sorted()
            #expect(!names.isEmpty)
            for name in names {
                try await withCache { cache, _ async throws in
                    let path = try RealData.url("\(folder)/\(name)")
                    let result = try await cache.run("refresh", "--format", "json", path.path)
                    guard folder != "detail" else {
                        #expect(result.exitStatus == 65 && result.output.contains("\"outcome\":\"failed\""))
                        #expect(result.errorOutput.contains("found a Feature"))
                        return
                    }
                    #expect(result.exitStatus == 0, "\(name): \(result.errorOutput)")
                    let report = try JSONValue(result.standardOutput)
                    let features = try JSONValue(Data(contentsOf: path))["features"].elements.count
                    #expect(
                        report["features"].integer == features && report["inserted"]["new"].integer == features,
                        "\(name)")
                }
            }
        }
    }
}
