import Foundation
import QuakeTestSupport
import Testing

@Suite("quakes refresh with CSV", .scratch) struct CSVFileTests {
    private let path = Fixture.url("feeds/all_day-1.csv").path

    @Test("quakes refresh reads a CSV file, and CSV from standard input") func fileAndInput() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let dry = try await cache.output("refresh", "--dry-run", path)
        #expect(dry == "dry run: \(path): 24 in feed, 24 new, 0 changed, 0 unchanged\n")
        let report = try await cache.json("refresh", "--format", "json", path)
        #expect(report["features"].number == 24 && report["inserted"]["new"].number == 24)
        #expect(report["published"].text == "2026-03-14T11:56:14.350Z")
        let other = Cache(in: scratch, name: "other.db")
        let input = try await other.run("refresh", "-", input: Fixture.data("feeds/all_day-1.csv"))
        #expect(input.exitStatus == 0 && input.output.contains("24 in feed, 24 new"), "\(input.errorOutput)")
        let list = try await cache.output("list", "--format", "json")
        #expect(try await other.output("list", "--format", "json") == list)
    }

    @Test("quakes list --fields usgs gives the same CSV after reading it into an empty cache") func roundTrip()
        async throws
    {
        let (cache, scratch) = try Cache.andFolderOfTest()
        for feed in ["all_day-1", "significant_month", "fdsn-query", "old-schema-2014"] {
            try await cache.refresh(feed)
        }
        try await cache.output("refresh", path)
        let list = ["list", "--fields", "usgs", "--format", "csv"]
        let text = try await cache.quakes.run(list).output
        let copy = Cache(in: scratch, name: "copy.db")
        let result = try await copy.run("refresh", "-", input: Data(text.utf8))
        #expect(result.exitStatus == 0 && !result.errorOutput.contains("skipped"), "\(result.errorOutput)")
        #expect(try await copy.quakes.run(list).output == text)
        #expect(text.contains("2026-03-14T11:52:14.310Z,35.6611667,-117.6043333,4.87,1.14,ml,21,63,"))
    }

    @Test("quakes refresh reads the other columns of quakes list --format csv, too") func ownColumns() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let fields = "id,time,lat,lon,depth,mag,updated,net,felt,cdi,mmi,alert,tsunami,sig,nearest_city"
        let text = try await cache.output("list", "--fields", fields, "--format", "csv")
        let copy = Cache(in: scratch, name: "copy.db")
        let result = try await copy.run("refresh", "-", input: Data(text.utf8))
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(try await copy.output("list", "--fields", fields, "--format", "csv") == text)
    }

    @Test("quakes refresh names the line of a bad CSV row, and rejects the file with --strict") func badRow()
        async throws
    {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let text = String(decoding: try Fixture.data("feeds/all_day-1.csv"), as: UTF8.self)
        let file = scratch.path("cut.csv")
        try Data(text.dropLast(40).utf8).write(to: URL(filePath: file))
        let strict = try await cache.run("refresh", "--strict", file)
        #expect(strict.exitStatus == 65 && strict.errorOutput.contains("1 unreadable quake: line 25: it has"))
        let result = try await cache.run("refresh", "-v", file)
        #expect(
            result.exitStatus == 0 && result.output.contains("24 in feed, 23 new, 0 changed, 0 unchanged, 1 skipped"))
        #expect(result.errorOutput.contains("skipped line 25: it has"), "\(result.errorOutput)")
    }

    @Test("--published sets the time of one CSV file, and is refused for GeoJSON, downloads and the future")
    func generated() async throws {
        let cache = try Cache.ofTest()
        let day = Fixture.url("feeds/all_day-1.geojson").path
        let refusals: [(arguments: [String], words: String, status: Int32?)] = [
            (["2026-03-14T13:00Z", day], "is GeoJSON, which states when it was published. Omit --published", 65),
            (["2026-03-14T13:00Z", "all_day"], "--published needs exactly one CSV file", 64),
            (["2026-03-14T13:00Z", path, path], "--published needs exactly one CSV file", 64),
            (["2026-03-14T13:00Z"], "--published needs exactly one CSV file", 64),
            (["9026-03-14", path], "--published cannot be in the future.", 64),
            (["soon", path], "Write a time such as", 64),
        ]
        for (arguments, words, status) in refusals {
            let result = try await cache.quakes.run(["refresh", "--published"] + arguments)
            #expect(result.exitStatus == status && result.errorOutput.contains(words), "\(result.errorOutput)")
        }
        let report = try await cache.json("refresh", "--format", "json", "--published", "2026-03-14T13:00Z", path)
        #expect(report["published"].text == "2026-03-14T13:00:00.000Z")
    }

    @Test("quakes refresh with the file name of a feed says that there is no such file, and names the feed")
    func missingFile() async throws {
        let cache = try Cache.ofTest()
        let feed = try await cache.run("refresh", "all_month.csv")
        #expect(feed.exitStatus == 64 && feed.errorOutput.contains("There is no file called all_month.csv."))
        #expect(feed.errorOutput.contains("`quakes refresh all_month`"))
        let other = try await cache.run("refresh", "x.csv")
        #expect(other.exitStatus == 65 && other.errorOutput.contains("Cannot read x.csv: "), "\(other.errorOutput)")
    }
}
