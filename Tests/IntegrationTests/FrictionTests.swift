import Foundation
import QuakeTestSupport
import Testing

@Suite("Mistakes at the command line", .endsInTime, .scratch) struct FrictionTests {
    @Test(
        "On a usage error, quakes exits with 64 and explains what to change",
        arguments: [
            (["frob", "--help"], "quakes: There is no command frob. `quakes help` lists the commands.\n"),
            (
                ["list", "--home", "Aguada, PR"],
                "'Aguada, PR' is invalid for '--home <place>': No city of 15,000 people or more is called \"Aguada, PR\"."
            ),
            (
                ["list", "--home", "Chile"],
                "for '--home <place>': A place must be a point, not a state or country; to select a region,"
            ),
            (["list", "--limit", "-3"], "quakes: --limit cannot be negative.\n"),
            (["list", "--limit", "1,000"], "Write it without commas: 1000."),
            (["list", "--limit", "99999999999999999999"], "99999999999999999999 is too large for --limit."),
            (["changes", "--max-origin-age", "-1d"], "quakes: --max-origin-age cannot be negative.\n"),
            (["changes", "--max-origin-age=-1d"], "A duration cannot be negative."),
            (["changes", "--on-expired", "x"], "for --on-expired. The values are resync, fail."),
            (["refresh", "--confirm-snapshots", "x"], "for --confirm-snapshots. Write a whole number."),
            (["refresh", "http://127.0.0.1:80x/y"], "is not an http(s) URL (its port, not shown, is not a number)."),
            (["list", "--since", "9999999d"], "9999999d is longer than 10,000 years."),
            (["history", "us7000abcd"], "For the revisions of a quake, use `quakes show us7000abcd`."),
            (["backfill", "--since", "2020", "--type", "!quarry blast"], "cannot exclude event types"),
            (["show", ""], "quakes: The id is empty.\n"),
            (["list", "--fields", "size"], "There is no field \"size\". The fields are"),
            (["refresh", "ftp://example.org/a"], "quakes: ftp://example.org/a is neither an http(s) URL nor a file."),
            (["list", "--alert", "gren"], "no quake in the cache has it. Did you mean green?\n"),
            (["list", "--alert", "puce"], "Known values: green, yellow, orange, red, pending.\n"),
            (["list", "--at", "1h", "--at", "2h"], "--at is given twice, with 1h and 2h; it takes one value.\n"),
            (["list", "--since", "2026-03-15", "--until", "2026"], "is not before --until (2026-01-01"),
            (["list", "--type", "quake"], "Did you mean earthquake or ice quake?"),
            (["list", "--bbox", "1,2"], "Write W,S,E,N in degrees, such as 165,-50,-175,-30."),
            (["list", "--template", #"{"text": {headline}}"#], "Write {{ for a literal brace."),
            (["list", "--template", "{distance}"], "--template {distance} needs a reference point: --near"),
            (["changes", "--template", "{compass}"], "--template {compass} needs a reference point"),
            (["diff", "1h", "--template", "{distance}"], "--template {distance} needs a reference point"),
            (["diff", "1h", "--template", "{mag}", "-f", "csv"], "--template and --format cannot be combined."),
            (["diff", "1h", "--template", "{mag}", "--count"], "--count cannot be combined with --format"),
            (["diff", "1h", "--template", "{mag}", "--fields", "mag"], "--fields needs --format csv or tsv."),
            (["history", "--since", "published:1h"], "by the time they were recorded in this cache"),
            (["history", "1", "--since", "1h"], "--limit and --since cannot be combined with a transaction number."),
            (["list", "--fields", "id,bearing"], "--fields bearing needs a reference point: --near PLACE"),
            (["list", "--template", "{depth:xml}"], "There is no form \"xml\". The forms are: raw, iso, json, csv"),
            (["list", "--template", "{depth:iso}"], "iso applies only to times, not to depth."),
            (["refresh", "al_day"], "quakes: There is no feed or file called \"al_day\". Did you mean all_day?\n"),
            (["changes", "--op", "renamd"], "There is no operation \"renamd\". Did you mean renamed?"),
            (["list", "--type", "!"], "! must be followed by the value to exclude."),
            (["list", "--since", "published:1h"], "published:TIME is a state of the cache, for --at,"),
            (["diff", "now", "beginning"], "quakes: The first state must be the earlier one"),
            (["diff", "now", "24h"], "The first state must be the earlier one, as in `quakes diff 24h now`.\n"),
            (["details", "us1", "--min-mag", "4"], "Ids and filters cannot be combined."),
            (["details", "us1", "--near", "0,0", "--min-intensity", "4"], "Ids and filters cannot be combined."),
            (["details", "--max-requests", "0"], "--max-requests"), (["details", "--pause", "1ms", "us1"], "--pause"),
            (["details"], "quakes: "),
            (
                ["purge", "--until", "2026", "--before", "2026"],
                "--until cannot be combined with --older-than or --before."
            ),
            (
                ["purge", "--until", "2026", "--older-than", "1d"],
                "--until cannot be combined with --older-than or --before"
            ),
            (["purge", "--since", "2026-03-14", "--before", "2026-03-13"], "is not before --until"),
            (["purge", "--history", "--all", "--since", "2026"], "--history cannot be combined with filters."),
        ])
    func mistakes(arguments: [String], message: String) async throws {
        let cache = try await Cache.ofDay()
        let result = try await cache.quakes.run(arguments)
        #expect(result.exitStatus == 64 && result.errorOutput.contains(message), "\(result.errorOutput)")
    }

    @Test("Errors for an invalid variable, a directory as the cache and a gzipped feed name the cause")
    func wrongInputs() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        let refused = try await Cache.ofTest(environment: ["QUAKES_CONFIRM_AFTER": "banana"]).run("refresh", feed)
        #expect(refused.errorOutput.hasPrefix("quakes: $QUAKES_CONFIRM_AFTER must be"), "\(refused.errorOutput)")
        let folder = try await cache.run("list", "--db", scratch.url.path)
        #expect(folder.exitStatus == 74 && folder.errorOutput.hasSuffix(" is a directory. Choose a file.\n"))
        for (name, value) in [("QUAKES_TZ", "Mars/Base"), ("QUAKES_UNITS", "furlongs")] {
            let result = try await Cache.ofTest(environment: [name: value]).run("list")
            #expect(result.exitStatus == 64 && result.errorOutput.hasPrefix("quakes: $\(name)"))
            #expect(result.errorOutput.contains("\"\(value)\""), "\(result.errorOutput)")
        }
        let missing = try await cache.run("verify", scratch.path("no.db"))
        #expect(missing.exitStatus == 66)
        #expect(missing.errorOutput == "quakes: There is no file \(scratch.path("no.db")). Check the path.\n")
        let archive = scratch.path("day.geojson.gz")
        try Data([0x1F, 0x8B, 8, 0, 0]).write(to: URL(filePath: archive))
        let result = try await cache.run("refresh", archive)
        #expect(result.exitStatus == 65 && result.errorOutput.contains("`gzip -dc \(archive) | quakes refresh -`"))
    }

    @Test(
        "quakes refresh names the format of a JSONP, UTF-16 or XML file that it rejects",
        arguments: [
            (Data("eqfeed_callback({\"type\": \"FeatureCollection\"});".utf8), "it is JSONP", "format=geojson"),
            (Data([0xFF, 0xFE, 0x7B, 0]), "it is UTF-16", "iconv -f UTF-16"),
            (Data([0, 0x7B]), "it is UTF-16", "iconv"),
            (Data("<?xml version=\"1.0\"?><q:quakeml/>".utf8), "a web page or XML", "It was ignored."),
        ])
    func otherFormats(document: Data, words: String, remedy: String) async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        try document.write(to: URL(filePath: scratch.path("day.geojson")))
        let result = try await cache.run("refresh", scratch.path("day.geojson"))
        #expect(result.exitStatus == 65 && result.errorOutput.contains(words), "\(result.errorOutput)")
        #expect(result.errorOutput.contains(remedy), "\(result.errorOutput)")
    }

    @Test("quakes show prints the given quakes in argument order, even if one of the ids is unknown")
    func showSeveralQuakes() async throws {
        let cache = try await Cache.ofDay()
        let result = try await cache.run("show", "-f", "json", "us7000zzbq", "us1", "us7000zzay")
        #expect(result.exitStatus == 4 && result.errorOutput.contains("us1"))
        let ids = try result.output.split(separator: "\n").map { try JSONValue(Data($0.utf8))["values"]["id"].text }
        #expect(ids == ["us7000zzbq", "us7000zzay"])
    }

    @Test("Every change record contains the quake's values, even if the quake was deleted")
    func changeRecordsHoldQuake() async throws {
        let cache = try Cache.ofTest()
        for feed in ["all_day-1", "all_day-2"] { try await cache.refresh(feed) }
        try await cache.output("purge", "--max-mag", "1")
        let records = try await cache.records("changes", "--format", "ndjson").filter {
            $0["kind"].text == "change"
        }
        #expect(records.allSatisfy { $0["values"]["id"].text == $0["id"].text && $0["values"]["place"].text != nil })
        let changed = try #require(records.first { $0["op"].text == "update" && $0["after"]["mag"].number != nil })
        #expect(changed["values"]["mag"].number == changed["after"]["mag"].number)
        let deleted = try #require(records.last { $0["op"].text == "delete" })
        #expect(deleted["before"] == deleted["values"] && deleted["after"].isNull)
    }

    @Test("On a terminal, quakes changes --since-token does not mark changes as read by default")
    func terminalLeavesChangesUnread() async throws {
        let cache = try await Cache.ofDay()
        for options in ["", "--consumer own", "", "--mark-read"] {
            let text = try await onTerminal(cache, "changes --since-token \(options)")
            #expect(text.contains("24 changes"), "\(text)")
            #expect(text.contains("still count as unread") == options.isEmpty)
        }
        try await cache.refresh("all_day-2")
        for runs in [9, 0] {
            let text = try await onTerminal(cache, "changes --since-token --exec-each 'echo run'")
            #expect(text.components(separatedBy: "run").count - 1 == runs, "\(text)")
        }
    }

    @Test("On a terminal, quakes purge asks for confirmation unless --yes is given") func purgeAsks() async throws {
        let cache = try await Cache.ofDay()
        let refused = try await onTerminal(cache, "purge --all", input: "n\n")
        #expect(refused.contains("Delete 24 quakes? [y/N]") && refused.contains("Nothing was deleted"), "\(refused)")
        #expect(try await cache.output("list", "--count") == "24\n")
        let agreed = try await onTerminal(cache, "purge --max-mag 1 --yes")
        #expect(!agreed.contains("[y/N]") && agreed.contains("quakes undo"), "\(agreed)")
    }

    @Test("Before asking to confirm, quakes restore prints the quake counts of cache and backup") func restoreAsks()
        async throws
    {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let backup = scratch.path("backup.db")
        try await cache.output("backup", backup)
        try await cache.refresh("all_day-2")
        let missing = try await onTerminal(cache, "restore \(scratch.path("nope.db"))", input: "y\n")
        #expect(!missing.contains("[y/N]") && missing.contains("nope.db"), "\(missing)")
        let refused = try await onTerminal(cache, "restore \(backup)", input: "n\n")
        #expect(refused.contains(/cache   \S+: 28 quakes, 2 transactions \(the newest from \d{4}-/), "\(refused)")
        #expect(refused.contains(/backup  \S+: 24 quakes, 1 transaction \(the newest from \d{4}-/), "\(refused)")
        #expect(
            refused.contains("Replace the cache with the backup? [y/N]") && refused.contains("Nothing was restored"))
        #expect(try await cache.output("list", "--count") == "28\n")
    }

    @Test("On a terminal, quakes list uses colors and prints when the feed was last read")
    func terminalReports() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let list = try await onTerminal(cache, "list")
        #expect(list.contains("\u{1B}[31m") && list.contains(/24 quakes · refreshed (\d+ s ago|just now) \(all_day\)/))
        let map = try await onTerminal(cache, "map -o \(scratch.path("m.html"))")
        #expect(map.contains(/wrote m.html, \d+ KiB, 24 quakes/), "\(map)")
        #expect(try await onTerminal(cache, "map -q -o \(scratch.path("m.html"))").isEmpty)
        #expect(try await onTerminal(cache, "backup \(scratch.path("b.db"))").contains("saved "))
        #expect(try await cache.run("map", "-o", scratch.path("m.html")).errorOutput.isEmpty)
        let error = try await onTerminal(cache, "list --type banana").replacing("\r\n", with: "\n")
        let lines = error.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 } && lines.count > 3, "\(error)")
        #expect(error.replacing("\n", with: " ").contains("nuclear explosion, mine collapse"), "\(error)")
    }

    /// The command's output on a terminal simulated by script(1).
    private func onTerminal(_ cache: Cache, _ arguments: String, input: String = "") async throws -> String {
        let terminal = ProcessRunner(
            path: "/usr/bin/script",
            environment: cache.quakes.environment.merging(["TERM": "xterm", "COLUMNS": "100"]) { $1 })
        let call = ["-qec", "'\(cache.quakes.executable)' \(arguments)", "/dev/null"]
        return try await terminal.run(call, input: Data(input.utf8)).output
    }
}
