import ArgumentParser
import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("The map command", .scratch) struct MapCommandTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    @Test("quakes map draws text on a terminal and writes SVG to a pipe, unless --format is given") func formats()
        throws
    {
        let terminal = try cache.run("map", terminal: (100, 30))
        #expect(terminal.status == .success && terminal.errors.isEmpty)
        #expect(terminal.output.split(separator: "\n").count == 29)
        #expect(terminal.output.contains("\u{1B}[38;5;") && terminal.output.contains("3 quakes"))
        let piped = try cache.run("map").output
        #expect(piped.hasPrefix("<svg ") && piped.hasSuffix("</svg>\n"))
        #expect(try cache.run("map", "--format", "svg", terminal: (100, 30)).output == piped)
        let text = try cache.run("map", "--format", "terminal").output
        #expect(text.split(separator: "\n").count == 24 && !text.contains("\u{1B}"))
        #expect(try cache.run("map", "--format", "html").output.hasPrefix("<!doctype html>"))
    }

    @Test(
        "The file extension sets the map's format",
        arguments: [
            ("map.html", "<!doctype html>"), ("MAP.HTM", "<!doctype html>"), ("a.b.svg", "<svg "), ("map.txt", "All "),
        ]
    )
    func fileExtension(name: String, start: String) throws {
        let outcome = try cache.run("map", "--output", cache.directory.path(name), terminal: (80, 24))
        #expect(outcome.status == .success && outcome.output.isEmpty)
        // Only a person at a terminal is notified, not scripts or with --quiet.
        #expect(outcome.errors.contains(/^quakes: wrote \S+, [0-9.]+ (bytes|KiB|MiB), 3 quakes\n$/))
        #expect(try cache.run("map", "--output", cache.directory.path(name)).errors.isEmpty)
        #expect(try cache.run("map", "--output", cache.directory.path(name), "-q", terminal: (80, 24)).errors.isEmpty)
        #expect(try String(contentsOfFile: cache.directory.path(name), encoding: .utf8).hasPrefix(start))
    }

    @Test(
        "$QUAKES_HOME does not affect a map that is written to a file or a pipe", arguments: ["", "svg", "html", "txt"])
    func homeVariable(ending: String) throws {
        let variables = ["LC_ALL": "C.UTF-8", "QUAKES_HOME": "35.123,-117.456"]
        func map(_ options: [String], _ variables: [String: String]) throws -> String {
            let file = cache.directory.path("map.\(ending)")
            let output = ending.isEmpty ? [] : ["--output", file]
            let outcome = try cache.run(["map"] + output + options, variables: variables)
            #expect(outcome.status == .success, "\(outcome.errors)")
            return ending.isEmpty ? outcome.output : try String(contentsOfFile: file, encoding: .utf8)
        }
        let replay = ending == "html" ? [["--replay"]] : []
        for options in [[], ["--near", "35,-117"], ["--bbox", "-120,30,-110,40"]] + replay {
            #expect(try map(options, variables) == map(options, ["LC_ALL": "C.UTF-8"]), "\(options)")
        }
        for options in [["--color-by", "intensity"], ["--min-intensity", "1"]] {
            let outcome = try cache.run(["map", "--format", "html"] + options, variables: variables)
            #expect(outcome.status == .usage && outcome.output.isEmpty)
            #expect(outcome.errors.contains("$QUAKES_HOME is not used in maps that may be published."))
            let home = options + ["--home", "35.123,-117.456"]
            #expect(try map(home, variables) == map(home, ["LC_ALL": "C.UTF-8"]))
        }
        let drawn = try cache.run(["map", "--color-by", "intensity"], terminal: (80, 24), variables: variables)
        #expect(drawn.status == .success)
    }

    @Test(
        "--color-by sets the meaning of the colors of every format",
        arguments: [("depth", "Depth (km)"), ("age", "Age"), ("magtype", "Magnitude type"), ("type", "Magnitude type")])
    func colorBy(attribute: String, title: String) throws {
        let options = ["map", "--color-by", attribute]
        #expect(try cache.run(options + ["--format", "svg"]).output.contains(">\(title)</text>"))
        #expect(try cache.run(options + ["--format", "terminal", "--color", "always"]).output.contains("\n\(title) "))
        let page = try cache.run(options + ["--format", "html"]).output
        #expect(page.contains("\"color\":\"\(attribute == "type" ? "magtype" : attribute)\""))
    }

    @Test("quakes map rejects an --output file with an unknown extension unless --format is given")
    func unknownExtension() throws {
        #expect(throws: (any Error).self) { try MapCommand.parse(["--output", "map.png"]) }
        #expect(throws: (any Error).self) { try MapCommand.parse(["--output", "svg"]) }
        #expect(throws: (any Error).self) { try MapCommand.parse(["--output", "map.png", "--format", "svg"]) }
        #expect(try MapCommand.parse(["--output", "map", "--format", "svg"]).statedFormat == .svg)
    }

    @Test("A map in the terminal shows the filters in line 1 and the time of the data in line 2") func filters() throws
    {
        let lines = try cache.run("map", "--format", "terminal", "--min-mag", "4", "--place", "near").output
            .split(separator: "\n")
        #expect(lines[0].hasPrefix("M 4+ · place \"near\" ") && lines[0].hasSuffix("2 quakes"))
        #expect(lines[1] == "as of 2026-03-14 12:00 UTC")
        let newest = try cache.run("map", "--format", "terminal", "--limit", "1").output
        #expect(newest.hasPrefix("All quakes · newest 1 "))
    }

    @Test("--title replaces the filters in the title of a map and is escaped in HTML") func title() throws {
        let title = "Shaken <again> & again"
        #expect(try cache.run("map", "--format", "terminal", "--title", title).output.hasPrefix(title + " "))
        let page = try cache.run("map", "--format", "html", "--title", title).output
        #expect(page.contains("<title>Shaken &lt;again&gt; &amp; again</title>"))
    }

    // Proves feature A7 of seeds.md.
    @Test("quakes map --select finds a quake by its current or former id") func selection() throws {
        for id in ["ci300", "US7000ABCD"] {
            let map = try cache.run("map", "--format", "terminal", "--select", id).output
            #expect(map.contains("◎ M 4.6, near us7000abcd") && map.contains(MappedCache.renamed))
        }
    }

    @Test("quakes map --select exits with 4 for an unknown quake or one outside the filters") func unknownSelection()
        throws
    {
        let unknown = try cache.run("map", "--select", "us7000abdc")
        #expect(unknown.status == .noRows && unknown.output.isEmpty)
        #expect(unknown.errors.contains("us7000abdc."))
        let hidden = try cache.run("map", "--min-mag", "6", "--select", "ak100")
        #expect(hidden.status == .noRows && hidden.output.isEmpty)
        #expect(hidden.errors.contains("does not match the filters"))
    }

    @Test("If no quakes match, the map contains the words \"no quakes match\"", arguments: ["terminal", "svg", "html"])
    func noQuakes(format: String) throws {
        let empty = try cache.run("map", "--min-mag", "9", "--format", format)
        #expect(empty.status == .success && empty.output.contains("no quakes match"))
        let failed = try cache.run("map", "--min-mag", "9", "--format", format, "--fail-empty")
        #expect(failed.status == .noRows && failed.output == empty.output)
    }

    @Test(
        "A map without quakes names the filter that excludes them and the largest quake without it",
        arguments: ["terminal", "svg", "html"])
    func reasonsForNoMatch(format: String) throws {
        let cases: [([String], [String])] = [
            (
                ["--min-mag", "9"],
                ["No quakes match.", "Without “M 9+”, the largest is M 6.1 - near us200."]
            ),
            (
                ["--min-mag", "4", "--bbox", "-160,50,-140,70"],
                ["No quakes match all filters.", "Without “M 4+”, the largest is M 3.4 - near ak100."]
            ),
            (
                ["--min-mag", "4", "--max-depth", "-1"],
                [
                    "No quakes match all filters.",
                    "Without “depth -1 km or less”, the largest is M 6.1 - near us200.",
                ]
            ),
            (
                ["--min-mag", "9", "--type", "explosion"],
                ["No quakes match all filters.", "The largest in the cache is M 6.1 - near us200."]
            ),
            (["--at", "beginning"], ["There are no quakes in the cache."]), (["--limit", "0"], ["No quakes match."]),
        ]
        for (options, sentences) in cases {
            let map = try cache.run(["map", "--format", format] + options).output
            for sentence in sentences { #expect(map.contains(sentence), "\(options)") }
        }
    }

    @Test("If the map cannot be written, quakes map exits with 74 and keeps the old file") func unwritableFile() throws
    {
        let missing = try cache.run("map", "--output", cache.directory.path("none/map.svg"))
        #expect(missing.status == .storageFailure)
        #expect(missing.errors.contains("none/map.svg: No such file or directory."))
        let folder = try cache.run("map", "--output", cache.directory.path(""), "--format", "svg")
        #expect(folder.status == .storageFailure && folder.errors.contains("it is a directory"))

        let path = try cache.directory.write(Data("old".utf8), to: "map.svg")
        let link = cache.directory.path("link.svg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let linked = try cache.run("map", "--output", link)
        #expect(linked.status == .storageFailure)
        #expect(linked.errors.contains("Cannot write \(link): it is a symbolic link to \(path)."))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(try cache.run("map", "--output", path).status == .success)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<svg "))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: cache.directory.url.path).allSatisfy {
                !$0.hasSuffix(".tmp")
            })
    }

    @Test("An HTML map contains the revision history of the quakes") func pageHistory() throws {
        let page = try cache.run("map", "--format", "html", "--select", "ci300").output
        let data = try #require(page.firstMatch(of: /(?s)id="history">(.*?)<\/script>.*id="data">(.*?)<\/script>/))
        #expect(data.output.1.contains("[[") && data.output.1.contains("ci300"))
        #expect(data.output.2.contains("renamed") && data.output.2.contains("ci300"))
    }

    @Test("quakes map --at shows the quakes known at that time, and prints that time") func pastState() throws {
        #expect(try cache.run("map", "--format", "terminal", "--at", "beginning").output.contains("no quakes match"))
        let now = try cache.run("map", "--format", "terminal", "--at", "2026-03-14T12:00:00Z").output
        #expect(now.contains("\ncache as of 2026-03-14 12:00 UTC\n") && now.contains("3 quakes"))
    }

    @Test(
        "A map in the terminal obeys NO_COLOR, TERM=dumb and a locale without UTF-8",
        arguments: [
            ["NO_COLOR": "1", "LANG": "en_US.utf8"], ["TERM": "dumb", "LANG": "C"], ["LC_ALL": "C", "LANG": "C.UTF-8"],
        ])
    func plainTerminal(variables: [String: String]) throws {
        let map = try cache.run("map", terminal: (80, 24), variables: variables).output
        #expect(map.contains("\u{1B}") == (variables["NO_COLOR"] == nil && variables["TERM"] == nil))
        #expect(map.unicodeScalars.allSatisfy(\.isASCII) == (variables["LANG"] != "en_US.utf8"))
    }

    @Test("quakes show ends with a small map on a terminal, but not in a pipe") func mapOfShow() throws {
        let piped = try cache.run("show", "us200").output
        let shown = try cache.run(
            "show", "us200", terminal: (200, 50), variables: ["NO_COLOR": "1", "LANG": "C.UTF-8"])
        #expect(shown.output.hasPrefix(piped) && !piped.contains("┌"))
        let map = shown.output.dropFirst(piped.count).split(separator: "\n")
        #expect((12...15).contains(map.count) && map.contains { $0.contains("◎ M 6.1") })
        #expect(try cache.run("show", "us200", "--format", "json", terminal: (200, 50)).output.hasSuffix("}\n"))
    }
}

@Suite("Filters in words") struct FilterWordsTests {
    @Test(
        "The title of a map names the filters in words, such as \"M 4.5+\" for --min-mag 4.5",
        arguments: [
            ([], "All quakes"), (["--min-mag", "4.5"], "M 4.5+"), (["--max-mag", "-0.5"], "M -0.5 or less"),
            (["--min-mag", "2", "--max-mag", "3.5"], "M 2 to 3.5"), (["--min-depth", "70"], "Depth 70 km or more"),
            (["--max-depth", "0"], "Depth 0 km or less"),
            (["--near", "35.75,-117.48", "--radius", "150"], "Within 150 km of 35.75,-117.48"),
            (["--near", "1,2", "--radius", "10mi"], "Within 16.09 km of 1,2"),
            (["--bbox", "165,-50,-175,-30"], "50–30°S, 165°E–175°W"),
            (["--bbox=-10,-5,10.5,0"], "5°S–0°, 10°W–10.5°E"),
            (["--type", "quarry blast,explosion", "--tsunami"], "Type explosion, quarry blast · tsunami flag"),
            (["--min-felt", "10", "--min-sig", "600"], "10+ felt reports · significance 600+"),
        ])
    func filtersInWords(options: [String], headline: String) throws {
        #expect(try FilterOptions.parse(options).filter.headline == headline)
    }

    @Test("The title of a map shows a relative time in a filter, such as 90m, as a date and time") func relativeTimes()
        throws
    {
        var filter = QuakeFilter()
        try OriginTimeOptions.parse(["--since", "2026-03-01", "--until", "90m"]).restrict(
            &filter, now: .sample, zone: .utc)
        #expect(filter.headline == "Since 2026-03-01 · until 2026-03-14 10:30 UTC")
    }
}

@Suite("The nearest word") struct NearestWordTests {
    @Test(
        "The suggestion for a mistyped word is the most similar known word, if any is similar",
        arguments: [
            ("us7000abdc", "us7000abcd"), ("US7000ABC", "us7000abcd"), ("ci3000", "ci300"), ("nothing", nil), ("", nil),
        ])
    func nearestWord(text: String, expected: String?) {
        #expect(text.nearest(among: ["us7000abcd", "us7000zzzz", "ci300"]) == expected)
    }
}
