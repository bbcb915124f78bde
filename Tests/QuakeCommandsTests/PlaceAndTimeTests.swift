import ArgumentParser
import QuakeModel
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Distances and units in list, changes and show", .scratch) struct PlaceAndTimeTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    /// A point across the 180th meridian from us200, which is at 20° S, 179° E.
    private static let home = ["--home", "-20,-179"]
    private static let variable = ["LC_ALL": "C.UTF-8", "QUAKES_HOME": "-20,-179"]

    private func lines(_ words: [String], variables: [String: String] = ["LC_ALL": "C.UTF-8"]) throws -> [String] {
        let outcome = try cache.run(words, variables: variables)
        #expect(outcome.status == .success, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("quakes list --sort distance shows distances, even across the 180th meridian") func sortedByDistance() throws
    {
        let lines = try lines(["list", "--sort", "distance"] + Self.home)
        #expect(lines[0] == "TIME (UTC)            MAG  DEPTH KM  DIST KM  ID             PLACE")
        #expect(lines[1] == "2026-03-14 12:00:00   6.1      12      209    us200          near us200")
        let near = try self.lines(["list", "--near", "-20,-179", "--radius", "130mi", "--units", "mi"])
        #expect(near.count == 2 && near[0].contains("DEPTH MI  DIST MI"))
        #expect(near[1].contains("  7.5    129.9  us200"))
        #expect(try self.lines(["list", "--near", "-20,-179", "--radius", "209km"]).count == 2)
        #expect(try self.lines(["list", "--near", "-20,-179", "--radius", "208.9"]).count == 1)
    }

    @Test("--near Montana is rejected, and the error suggests the city Montana, Bulgaria") func namesOfRegions() throws
    {
        for (name, city) in [("Montana", "Montana, Bulgaria"), ("Mexico", "Mexico, Philippines")] {
            #expect { try PlaceArgument.parse(name) } throws: { error in
                (error as? ValidationError)?.message.contains("write '\(city)'; for the country or state") == true
            }
            #expect(try PlaceArgument.parse(city).remark?.hasPrefix("\(city) (") == true)
        }
        for name in ["New York", "LA", "Tokyo", "Singapore", "Ontario"] {
            #expect(try PlaceArgument.parse(name).city != nil, "\(name)")
        }
    }

    @Test("With --at and a transaction or a token, ages count back from the time of that transaction")
    func agesInPastStates() throws {
        // The commands and the first two transactions run at the origin time of all quakes, the third one today.
        try cache.context().write { try $0.insert(Quake(sample: "us1"), reason: .new) }
        for (number, count) in [(1, 3), (3, 0)] as [(TransactionNumber, Int)] {
            let token = try cache.context().history.token(afterTransaction: number).description
            for state in ["#\(number)", token] {
                #expect(try lines(["list", "--count", "--since", "1h", "--at", state]) == ["\(count)"], "\(state)")
            }
        }
    }

    @Test(
        "quakes list --near without --sort prints the newest quake first",
        arguments: [[], ["--fields", "id,distance"], ["--radius", "20000"], ["--min-intensity", "1"]])
    func newestFirst(options: [String]) throws {
        let newest = try lines(["list", "--ids"])
        let list = try lines(["list", "--near", "35,-117"] + options + ["--format", "csv"])
        let column = try #require(list[0].split(separator: ",").firstIndex(of: "id"))
        let ids = list.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false)[column] }
        #expect(!ids.isEmpty && ids.map(String.init) == newest.filter { ids.contains($0[...]) })
        let nearest = try lines(["list", "--near", "35,-117", "--radius", "20000", "--ids", "--sort", "distance"])
        #expect(nearest != newest && Set(nearest) == Set(newest))
    }

    @Test("The BEARING column shows degrees and letters, or \"-\" for a quake at the place itself")
    func bearingColumn() throws {
        let lines = try lines(
            ["list", "--near", "35,-117", "--sort", "distance", "--fields", "id,distance,bearing,mag"])
        #expect(lines[0] == "ID             DIST KM  BEARING    MAG")
        #expect(lines[1] == "us7000abcd         0    -          4.6")
        #expect(lines[2] == "ak100           3715.3  331° NNW   3.4")
    }

    @Test("--home adds the fields distance, bearing, intensity and site to csv, tsv and JSON output")
    func machineFormats() throws {
        for format in ["csv", "tsv"] {
            let plain = try lines(["list", "--format", format, "--limit", "1"])
            let more = try lines(["list", "--format", format, "--limit", "1"] + Self.home)
            let separator = format == "csv" ? "," : "\t"
            #expect(
                more[0] == plain[0] + ["", "distance", "bearing", "intensity", "site"].joined(separator: separator))
            #expect(more[1].hasPrefix(plain[1] + separator))
        }
        let json = try lines(["list", "--format", "ndjson", "--min-mag", "6"] + Self.home)
        #expect(json[0].hasSuffix(#""extra":null,"distance":208.977,"bearing":269.7,"intensity":3.415,"site":"home"}"#))
        let geo = try lines(["list", "--format", "geojson", "--min-mag", "6"] + Self.home)
        #expect(geo[1].contains(#""distance":208.977,"bearing":269.7,"intensity":3.415,"site":"home"}"#))
    }

    @Test(
        "Environment variables such as $QUAKES_HOME do not change csv, tsv and JSON output",
        arguments: ["csv", "tsv", "json", "ndjson", "geojson"])
    func variablesAndFormats(format: String) throws {
        var variables = Self.variable
        variables.merge(["QUAKES_TZ": "local", "TZ": "JST-9", "QUAKES_UNITS": "mi"]) { $1 }
        for words in [["list"], ["list", "--fields", "all"], ["changes"]]
        where words[0] == "list" || format != "geojson" {
            let call = words + ["--format", format]
            #expect(try lines(call, variables: variables) == lines(call))
        }
        let named = try lines(
            ["list", "--format", format, "--fields", "distance,bearing", "--min-mag", "6"], variables: variables)
        #expect(named.joined().contains("208.977"))
    }

    @Test("\"quakes changes\" and \"quakes show\" print the distance from home") func changesAndShow() throws {
        let table = try lines(["changes"], variables: Self.variable)
        #expect(table[0].hasPrefix("RECORDED  WHAT       MAGNITUDE    DISTANCE  PLACE"))
        #expect(table.contains { $0.hasPrefix("12:00     new        M 6.1          209 km  near us200") }, "\(table)")
        #expect(table.contains { $0.contains("  estimated here: III (weak), ") && $0.hasSuffix("  us200") })
        let csv = try lines(["changes", "--format", "csv"] + Self.home)
        #expect(
            csv[0].contains(",published,distance,bearing,intensity,id_before,id_after,") && csv[0].hasSuffix(",site")
                && csv[2].contains(",208.977,269.7,3.415,"))
        let records = try lines(["changes", "--format", "ndjson"] + Self.home)
        #expect(records[1].hasSuffix(#","distance":208.977,"bearing":269.7,"intensity":3.415,"site":"home"}"#))
        #expect(try lines(["diff", "beginning", "--format", "csv"] + Self.home)[2].contains(",208.977,269.7,"))
        #expect(try lines(["show", "us200"], variables: Self.variable).joined().contains(", 209 km W of home"))
        #expect(
            try lines(["show", "us200"] + Self.home).contains(
                "intensity     III (weak) at home (estimated, 3.4 ± 0.8)"))
        #expect(try lines(["show", "us200"]).contains { $0.hasPrefix("nearest city  ") })
        #expect(try lines(["show", "us200", "--units", "mi"] + Self.home).joined().contains(", 7.5 mi deep, "))
        let json = try lines(["show", "us200", "--format", "json"] + Self.home)
        #expect(json[0].hasSuffix(#","distance":208.977,"bearing":269.7,"intensity":3.415,"site":"home"}"#))
        #expect(
            try !lines(["show", "us200", "--format", "json"], variables: Self.variable)[0].contains(#""distance""#))
    }

    @Test("quakes changes --template prints one line per change, with old and new values") func changesTemplate() throws
    {
        let template =
            "{change_id} {op} {reason} {what} {before.mag}→{mag} {before.id} {changed}|{differences}|{compass}"
        let lines = try lines(["changes", "--template", template] + Self.home)
        #expect(lines.count == 4 && lines[1] == "2 insert new new →6.1  ||W")
        #expect(lines[3].hasPrefix("4 update renamed renamed 4.4→4.6 ci300 ") && lines[3].contains("mag"))
        #expect(lines[3].contains("|M 4.4 → 4.6"), "\(lines[3])")
    }

    @Test("quakes changes --template replaces control characters in the old values of a change") func hostileBefore()
        throws
    {
        let context = try cache.context()
        let editor = QuakeEditor(context)
        for place in ["a\u{1B}[2Jb", "c"] {
            let stored = try #require(try context.quake(id: "us200"))
            var quake = stored.quake
            quake.place = place
            try editor.update(stored, to: quake)
            try editor.save()
        }
        let text = try cache.run("changes", "--template", "{before.place}").output
        #expect(text.contains("a\u{FFFD}[2Jb") && !text.contains("\u{1B}"))
    }

    @Test("A title without a place is printed as \"M 4.5\" in a table and as \"M 4.5 - \" in csv")
    func titleWithoutPlace() throws {
        let quakes = [Quake.inAlaska(place: nil), Quake.inAlaska("b", place: "Fox")]
        let table = try rendered(quakes, as: .table, fields: [.title, .id])
        #expect(table.contains("\nM 4.5 ") && !table.contains("M 4.5 - \u{20}") && table.contains("M 4.5 - Fox"))
        #expect(try rendered([quakes[0]], as: .table, fields: [.id, .title]).hasSuffix("us70000abc     M 4.5\n"))
        #expect(try rendered([quakes[0]], as: .csv, fields: [.title]) == "title\nM 4.5 - \n")
    }

    @Test("If --since and --until name the same day, the error suggests the next day for --until") func sameDay() throws
    {
        let errors = try cache.run("list", "--since", "2021-07-31", "--until", "2021-07-31").errors
        #expect(errors.hasSuffix("nothing can match. --until 2021-08-01 includes that day.\n"))
    }

    @Test("quakes show says that -v lists the fields that it left out and their changes") func showNamesVerbose() throws
    {
        #expect(try cache.run("show", "us200").output.contains(" (use -v to list them and their changes)\n"))
        #expect(try !cache.run("show", "us200", "-v").output.contains("use -v"))
    }
}
