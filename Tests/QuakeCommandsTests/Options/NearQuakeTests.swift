import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Near a quake", .scratch) struct NearQuakeTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    @Test(
        "--near takes the epicenter of a quake by any of its ids",
        arguments: ["ci300", "US7000ABCD", "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/executive"])
    func list(id: String) throws {
        let outcome = try cache.run("list", "--near", id, "--ids")
        #expect(outcome.output == "us7000abcd\n" && outcome.status == .success)
        #expect(outcome.errors.contains("(35,-117)"), "\(outcome.errors)")
    }

    @Test("Every command with filters takes it", arguments: ["map", "summary", "changes", "diff beginning", "purge"])
    func commands(line: String) throws {
        let outcome = try cache.run(line.split(separator: " ").map(String.init) + ["--near", "us200", "--radius", "9"])
        #expect(outcome.status == .success, "\(outcome.errors)")
        #expect(try cache.run("list", "--count").output == (line == "purge" ? "2\n" : "3\n"))
        #expect(try cache.run("list", "--count", "--limit", "1").output == "1\n")
    }

    @Test("A quake that the cache does not have is refused as `show` refuses it") func unknown() throws {
        let (near, show) = (try cache.run("list", "--near", "us999"), try cache.run("show", "us999"))
        #expect(near.status == .noRows && near.errors == show.errors, "\(near.errors)")
    }

    @Test("A watch takes the feed to fetch, and its help lists nothing that it refuses") func watch() throws {
        #expect(try WatchCommand.parse(["4.5_day", "--bell"]).feed == "4.5_day")
        let help = WatchCommand.helpMessage()
        #expect(!help.contains("--limit") && !help.contains("csv") && help.contains("ndjson in a pipe"))
        let refused = try cache.run("watch", "./feed.json")
        #expect(refused.status == .usage && refused.errors.contains("cannot watch a file"), "\(refused.errors)")
    }

    @Test(
        "A region is found by what its people call it, and a state with its country",
        arguments: [("Deutschland", "Germany"), ("Griechenland", "Greece"), ("Idaho, US", "Idaho")])
    func regions(typed: String, region: String) throws {
        #expect(try ListCommand.parse(["--region", typed]).filters.filter.regions == [region])
    }

    @Test("A sea that USGS does not name leads to a box") func sea() throws {
        let sea = try cache.run("list", "--region", "Lake Mono").errors
        #expect(sea.hasSuffix(" --bbox W,S,E,N selects any part of the Earth.\n"), "\(sea)")
    }
}
