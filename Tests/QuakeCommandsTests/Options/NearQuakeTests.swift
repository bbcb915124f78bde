import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("--near with a quake", .scratch) struct NearQuakeTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    @Test(
        "--near accepts a quake's id, former id or URL, and uses the quake's epicenter",
        arguments: ["ci300", "US7000ABCD", "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/executive"])
    func nearQuake(id: String) throws {
        let outcome = try cache.run("list", "--near", id, "--ids")
        #expect(outcome.output == "us7000abcd\n" && outcome.status == .success)
        #expect(outcome.errors.contains("(35,-117)"), "\(outcome.errors)")
    }

    @Test(
        "Each command with filters accepts the id of a quake in --near",
        arguments: ["map", "summary", "changes", "diff beginning", "purge"])
    func everyCommand(line: String) throws {
        let outcome = try cache.run(line.split(separator: " ").map(String.init) + ["--near", "us200", "--radius", "9"])
        #expect(outcome.status == .success, "\(outcome.errors)")
        #expect(try cache.run("list", "--count").output == (line == "purge" ? "2\n" : "3\n"))
        #expect(try cache.run("list", "--count", "--limit", "1").output == "1\n")
    }

    @Test("--near with an unknown id fails with the same error as quakes show") func unknownQuake() throws {
        let (near, show) = (try cache.run("list", "--near", "us999"), try cache.run("show", "us999"))
        #expect(near.status == .noRows && near.errors == show.errors, "\(near.errors)")
    }

    @Test("quakes watch accepts the name of a feed but not a file")
    func watchArguments() throws {
        #expect(try WatchCommand.parse(["4.5_day", "--bell"]).feed == "4.5_day")
        let help = WatchCommand.helpMessage()
        #expect(!help.contains("--limit") && !help.contains("csv") && help.contains("ndjson in a pipe"))
        let refused = try cache.run("watch", "./feed.json")
        #expect(refused.status == .usage && refused.errors.contains("cannot watch a file"), "\(refused.errors)")
    }

    @Test(
        "--region accepts Deutschland for Germany, and \"Idaho, US\" for Idaho",
        arguments: [("Deutschland", "Germany"), ("Griechenland", "Greece"), ("Idaho, US", "Idaho")])
    func localRegionNames(typed: String, region: String) throws {
        #expect(try ListCommand.parse(["--region", typed]).filters.filter.regions == [region])
    }

    @Test("The error for an unknown sea or lake in --region suggests --bbox") func seas() throws {
        let sea = try cache.run("list", "--region", "Lake Mono").errors
        #expect(sea.hasSuffix(" --bbox W,S,E,N selects any part of the Earth.\n"), "\(sea)")
    }
}
