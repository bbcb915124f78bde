import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands
@testable import QuakeOutput

@Suite("Tables fit the terminal")
struct TerminalTableTests {
    private static let plain = ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"]

    @Test(arguments: [
        ["list"], ["list", "--fields", "all"], ["list", "--fields", "id,place,url,mag,time"], ["changes"], ["history"],
        ["diff", "beginning"], ["status"], ["history", "2"], ["show", MappedCache.renamed], ["consumers"],
    ])
    func noLineWraps(arguments: [String]) throws {
        try withScratchDirectory { directory in
            let cache = try MappedCache(in: directory)
            for columns in [40, 52, 60, 71, 80, 100, 132, 200] {
                let outcome = try cache.run(arguments, terminal: (columns, 50), variables: Self.plain)
                #expect(outcome.status == .success)
                for line in outcome.output.split(separator: "\n") {
                    // An address, a path or a token is one word, which stays whole for copying; so does a command.
                    let isWhole = line.split(separator: " ").count <= 2 || line.contains(" run: ")
                    #expect(DisplayWidth.columns(of: line) <= columns || isWhole, "\(columns): \(line)")
                }
            }
        }
    }

    @Test func whatIsLeftOutIsNamed() throws {
        try withScratchDirectory { directory in
            let cache = try MappedCache(in: directory)
            let narrow = try cache.run("list", terminal: (40, 50), variables: Self.plain)
            #expect(narrow.output.hasPrefix("TIME (UTC)         MAG  PLACE\n"))
            #expect(narrow.errors.hasPrefix("quakes: No room for depth, id; "))
            #expect(try cache.run("list", "-q", terminal: (40, 50), variables: Self.plain).errors.isEmpty)
            #expect(
                try cache.run("list", terminal: (60, 50), variables: Self.plain).errors.hasPrefix(
                    "quakes: No room for id; "))
            #expect(try cache.run("list", terminal: (90, 50), variables: Self.plain).errors.isEmpty)
            #expect(try cache.run("list").errors.isEmpty)
            #expect(
                try cache.run("history", terminal: (60, 50), variables: Self.plain).errors.hasPrefix(
                    "quakes: No room for published, author"))
            #expect(
                try cache.run("changes", terminal: (60, 50), variables: Self.plain).output.contains(
                    "\nNo room for id; "))
            #expect(!(try cache.run("changes", terminal: (100, 50), variables: Self.plain).output.contains("No room")))
        }
    }

    @Test func allFieldsMakeABlockForEachQuake() throws {
        try withScratchDirectory { directory in
            let cache = try MappedCache(in: directory)
            let outcome = try cache.run("list", "--fields", "all", terminal: (200, 50), variables: Self.plain)
            #expect(outcome.output.hasPrefix("id        ") && outcome.output.contains("\n\nid        "))
            #expect(outcome.output.contains("\ndepth     ") && outcome.errors.isEmpty)
            #expect(!outcome.output.contains("TIME"))
            #expect(try cache.run("list", "--fields", "all").output.contains("TIME (UTC)"))
        }
    }

    @Test func aBlockShowsATitleWithoutTheDashBeforeAMissingPlaceAndNoMissingValue() throws {
        let text = try rendered(
            [Quake.sample(place: nil)], as: .table, fields: QuakeProperty.allCases,
            style: OutputStyle(terminalColumns: 80))
        #expect(text.contains("\ntitle     M 4.5\n"), "\(text)")
        #expect(!text.contains("place") && !text.contains("alert"))
    }

    @Test func aHeaderWithoutRoomEndsWithItsLastTitle() throws {
        try withScratchDirectory { directory in
            let cache = try MappedCache(in: directory)
            let lines = try cache.run("changes", terminal: (28, 50), variables: Self.plain).output.split(
                separator: "\n")
            #expect(lines[0] == "UTC    WHAT      MAGNITUDE")
            let show = try cache.run("show", MappedCache.renamed, terminal: (40, 50), variables: Self.plain).output
            #expect(show.contains("\n  LEARNED     WHAT      MAGNITUDE\n"), "\(show)")
        }
    }

    @Test func aLongIDGoesBeforeThePlaceAndANumberIsNeverCut() throws {
        var quake = Quake.sample("1234567890123456789", place: "5 km E of a place with a long name")
        quake.significance = -1_234_567_890
        let fields: [QuakeProperty] = [.id, .sig, .place]
        let text = try rendered([quake], as: .table, fields: fields, style: OutputStyle(terminalColumns: 45))
        for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: line) <= 45, "\(line)") }
        #expect(!text.contains("us123") && text.contains("-1234567890  ") && text.contains("…"))
        let wide = try rendered([quake], as: .table, fields: fields, style: OutputStyle(terminalColumns: 70))
        #expect(wide.contains("  -1234567890  "))
    }

    @Test func transactionsAreToldInTheWordsOfChanges() throws {
        try withScratchDirectory { directory in
            let cache = try MappedCache(in: directory)
            let lines = try cache.run("history").output.split(separator: "\n")
            #expect(lines[0].hasPrefix("UTC    NUMBER  CHANGES"))
            #expect(lines[1].wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil)
            #expect(lines[2].contains(#/^\d\d:\d\d       2  1 revised +- +- +library$/#), "\(lines[2])")
            #expect(lines[3].contains("  3 new  ") && lines.count == 4)
        }
    }
}
