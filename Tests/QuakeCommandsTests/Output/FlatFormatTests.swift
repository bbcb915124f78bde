import ArgumentParser
import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("csv and GeoJSON for other programs", .scratch) struct FlatFormatTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    private func records(_ arguments: String...) throws -> [[String]] { try records(arguments) }

    private func records(_ arguments: [String]) throws -> [[String]] {
        let outcome = try cache.run(arguments + ["--format", "csv"])
        #expect(outcome.status == .success, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("In csv, quakes changes and diff print a before and an after column per requested field") func changes()
        throws
    {
        for command in [["changes"], ["diff", "beginning"]] {
            let rows = try records(command + ["--fields", "mag,id"])
            #expect(rows[0].suffix(4) == ["mag_before", "mag_after", "id_before", "id_after"])
            #expect(rows.allSatisfy { $0.count == rows[0].count && !$0.joined().contains("{") })
            if command == ["changes"] {
                #expect(rows[1].suffix(4) == ["", "3.4", "", "ak100"])
                #expect(rows[4].suffix(4) == ["4.4", "4.6", "ci300", "us7000abcd"])
                #expect(rows[4][10] == "mag place ids" || rows[4][10].contains("mag "), "\(rows[4])")
            }
        }
        #expect(try records("changes")[0].count == 15 + 2 * QuakeProperty.allCases.count)
    }

    @Test("quakes changes --fields requires csv or tsv, and fields that can change") func fieldsOfChanges() {
        for words in [
            ["--fields", "mag"], ["--fields", "mag", "--format", "json"], ["--fields", "distance", "-f", "csv"],
        ] {
            #expect(throws: (any Error).self) { try ChangesCommand.parse(words) }
        }
        #expect(throws: Never.self) { try ChangesCommand.parse(["--fields", "mag", "--format", "tsv"]) }
    }

    @Test("--tz adds the column local_time to the csv of quakes list") func localTime() throws {
        let rows = try records("list", "--tz", "UTC")
        #expect(rows[0].last == "local_time" && rows[1].last == Timestamp.sample.secondWords)
        #expect(try records("list")[0].last == "extra")
        #expect(try records("list", "--fields", "id,local_time")[1][1] == Timestamp.sample.secondWords)
    }

    @Test("quakes history, consumers and show support --format csv") func reports() throws {
        let history = try records("history")
        #expect(history[0].prefix(4) == ["number", "time", "author", "context"] && history.count == 3)
        #expect(history[1][0] == "2" && history[1][1] == Timestamp.sample.iso8601)
        #expect(try records("history", "1").map(\.count) == Array(repeating: 89, count: 4))
        #expect(try records("consumers").map { $0[0] } == ["name"])
        let show = try records("show", "us200", "ak100")
        #expect(show.map { $0[0] } == ["id", "us200", "ak100"] && show[0].count == QuakeProperty.allCases.count)
    }

    @Test("local_time is a GeoJSON property if --tz is given or --fields names it")
    func localTimeInGeoJSON() throws {
        func properties(_ words: String...) throws -> [String: Any]? {
            let text = try cache.run(["list", "--format", "geojson", "--fields"] + words).output
            let features = (try parsedJSON(text) as? [String: Any])?["features"] as? [[String: Any]]
            return features?.first?["properties"] as? [String: Any]
        }
        let asked = try #require(try properties("mag", "--tz", "UTC"))
        #expect(asked["local_time"] as? String == Timestamp.sample.secondWords && asked.count == 2)
        #expect(try properties("mag,local_time")?.count == 2 && properties("mag")?.count == 1)
    }

    @Test("GeoJSON metadata contains the time of the data, a title from the filters, and the count") func metadata()
        throws
    {
        let text = try cache.run("list", "--format", "geojson", "--min-mag", "4.5", "--limit", "1").output
        #expect(
            text.contains(
                "\n],\"metadata\":{\"generated\":\(Timestamp.sample.milliseconds),"
                    + "\"title\":\"M 4.5+ · newest 1\",\"count\":1},\"bbox\":["), "\(text)")
    }
}
