import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Words of other programs", .scratch) struct ForeignNameReplacerTests {
    /// A value for each option that has other spellings.
    private static let values = [
        "--since": "1d", "--until": "now", "--color": "never", "--min-mag": "1", "--max-mag": "9", "--min-depth": "0",
        "--max-depth": "9",
        "--bbox": "1,2,3,4", "--near": "1,2", "--radius": "9", "--type": "earthquake", "--magtype": "ml",
        "--alert": "green", "--status": "reviewed", "--net": "us", "--min-felt": "1", "--min-sig": "1",
        "--region": "Alaska", "--limit": "1", "--fields": "mag", "--at": "now", "--id": "us200", "--select": "us200",
        "<id>": "us200", "--interval": "1m", "--min-intensity": "1", "--published": "2021-07-22",
        "--tz": "UTC", "--db": "F.db", "--output": "F.svg",
    ]

    /// Returns the lines of `command` with each option's other spelling, and the same lines in this program's words.
    private static func lines(of command: any ParsableCommand.Type) throws -> [(typed: [String], own: [String])] {
        let description = try CommandDescription(command)
        let name = command.configuration.commandName ?? ""
        return AlternativeSpellings.optionRows.filter { description.has($0.own[0]) }.flatMap { row in
            let words = description.find(row.own[0])?.option.allValues ?? []
            let fixed = row.own.dropFirst()
            let value = fixed.isEmpty ? (words.last ?? values[row.own[0]]).map { [$0] } ?? [] : []
            return row.others.filter { spelling in
                !description.has(spelling)
                    && AlternativeSpellings.options[spelling]?.first { description.has($0[0]) } == row.own
                    && (words.isEmpty || fixed.allSatisfy(words.contains))
            }.map { ([name, $0] + value, [name] + row.own.filter { $0 != "<id>" } + value) }
        }
    }

    @Test("Each other spelling of an option means the same in every command that has the option") func options() throws
    {
        var tried: Set<String> = []
        for command in QuakesCommand.configuration.subcommands {
            for (typed, own) in try Self.lines(of: command) {
                let isTime = ["--since", "--until"].contains(own[1])
                if isTime, ["changes", "diff", "history"].contains(typed[0]) {
                    #expect(throws: ValidationError.self, "\(typed)") { try ForeignNameReplacer.replaced(in: typed) }
                } else if typed[0] == "purge",
                    !["--format", "--dry-run", "--yes", "--tz", "--db", "--quiet", "--color"].contains(own[1])
                {
                    #expect((try? ForeignNameReplacer.replaced(in: typed)) ?? typed == typed)
                } else {
                    #expect(try ForeignNameReplacer.replaced(in: typed) == own)
                    tried.insert(typed[1])
                }
            }
        }
        #expect(tried == Set(AlternativeSpellings.options.keys))
    }

    @Test(
        "quakes list, map, summary and show run with each other spelling of an option",
        arguments: [
            "list", "map", "summary", "show",
        ])
    func runs(command: String) throws {
        let cache = try MappedCache.ofTest()
        let type = try #require(QuakesCommand.named(command))
        for (typed, own) in try Self.lines(of: type) where own[1] != "--db" {
            var words = typed.map { $0 == "F.svg" ? cache.directory.path(command == "map" ? "F.svg" : "F.csv") : $0 }
            if ["--radius", "--min-intensity"].contains(own[1]) { words += ["--near", "1,2"] }
            if own[1] == "--near", command == "summary" { words += ["--radius", "9"] }
            if command == "show", !own.contains("us200") { words.append("us200") }
            let outcome = try cache.run(ForeignNameReplacer.replaced(in: words))
            #expect(outcome.status == .success, "\(words): \(outcome.errors)")
        }
    }

    @Test("Each other name of a command means the command") func commands() throws {
        for row in AlternativeSpellings.commandRows {
            for name in row.others {
                #expect(try ForeignNameReplacer.replaced(in: [name, "-q"]) == [row.own[0], "-q"])
                #expect(try ForeignNameReplacer.replaced(in: ["help", name]) == ["help", row.own[0]])
            }
        }
    }

    @Test(
        "FDSN's ranges become --bbox and --near, and options before a command move behind it",
        arguments: [
            (
                "list --minlatitude 60 --maxlatitude=62 --minlongitude -150 --maxlongitude -148",
                "--bbox=-150,60,-148,62"
            ),
            ("list --minlat 60", "--bbox=-180,60,180,90"), ("-q --db list list", "-q --db list"),
            ("list --lat -35 --lon -4 --maxradiuskm 100", "--near=-35,-4 --radius 100"),
            ("--min-mag 4 list --count", "--min-mag 4 --count"), ("--database F ls -q", "--db F -q"),
            ("list --starttime=2026-01-01 -n 5", "--since=2026-01-01 --limit 5"),
            ("list --place --json --json", "--place --json --format json"), ("list -- --json", "-- --json"),
        ])
    func ranges(typed: String, own: String) throws {
        let words = try ForeignNameReplacer.replaced(in: typed.split(separator: " ").map(String.init))
        #expect(words.joined(separator: " ") == "list " + own)
    }

    /// Returns the message about the command line `words`, which must be wrong.
    private static func message(_ words: [String]) throws -> String {
        let error = try #require(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        return (error as? CommandError)?.text ?? UsageMessage.text(for: error, in: words)
    }

    @Test("commands.md lists each other spelling of a command or option") func documentation() throws {
        let file = Fixture.projectDirectory.appending(path: "Documentation/commands.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Other spellings\n") })
        for row in AlternativeSpellings.commandRows + AlternativeSpellings.optionRows where row.own.count == 1 {
            #expect(section.contains("\n\(row.own[0]): \(row.others.joined(separator: " "))\n"))
        }
        let listed = Set(section.split { $0.isWhitespace }.map(String.init))
        let withValues = AlternativeSpellings.optionRows.filter { $0.own.count > 1 }.flatMap(\.others)
        #expect(listed.isSuperset(of: withValues))
        #expect(listed.isSuperset(of: [AlternativeSpellings.edges, AlternativeSpellings.coordinates].flatMap(\.keys)))
    }

    @Test("A command or option of another program is refused with its sentence") func refusals() throws {
        for (name, sentence) in ForeignNameAdvice.commands {
            #expect(try Self.message([String(name), "x"]) == "quakes: " + sentence)
        }
        for (name, sentence) in ForeignNameAdvice.options {
            #expect(try Self.message(["token", String(name), "x"]) == "quakes: " + sentence)
        }
        #expect(Set(ForeignNameAdvice.commands.values).union(ForeignNameAdvice.options.values).count <= 40)
        #expect(try Self.message(["watch", "--from", "1d"]).contains("`watch` has no option --from"))
        #expect(try Self.message(["diff", "--from", "1d", "now"]).contains("Its states are arguments"))
        #expect(try Self.message(["purge", "--last", "1d"]).contains("`purge` has no option --last."))
        #expect(try Self.message(["list", "--minlon", "9", "--maxlon", "8"]).contains("--minlongitude 9 is greater"))
        #expect(try Self.message(["list", "--maxlon", "-185"]).contains("--minlongitude -180 is greater"))
        #expect(try Self.message(["history", "--limit=3", "--to", "2d"]).contains("`history` has no option --to."))
        #expect(try ForeignNameReplacer.replaced(in: ["diff", "-1h", "now"]) == ["diff", "1h", "now"])
        #expect(try Self.message(["list", "--lat", "1", "--lat", "1"]).contains("--lat is given twice"))
        #expect(try Self.message(["list", "--minlat", "1", "--bbox", "1,2,3,4"]).contains("The area is given twice"))
        #expect(try Self.message(["list", "--lat", "1"]).contains("both --latitude and --longitude"))
    }

    @Test(
        "The message about an unknown word names a similar one only if at most a letter in four is wrong",
        arguments: [
            ("list --sicne 7d", "`list` has no option --sicne. Did you mean --since?"),
            ("list --min-mgnitude 3", "`list` has no option --min-mgnitude. Did you mean --min-mag?"),
            ("--db x", "No command was given. `quakes help` lists the commands."),
            ("--verson", "There is no option --verson. Did you mean --version?"),
            ("--db x --quite", "There is no option --quite. Did you mean --quiet?"),
            (
                "list --sort mag-desc",
                "mag-desc is not a valid value for --sort. The values are time, mag, depth, distance, updated, felt, "
                    + "sig; to reverse the order, add -asc, as in mag-asc."
            ),
            ("list --older 7d", "`list` has no option --older. `quakes help list` lists the options."),
            ("purge --older 7d", "`purge` has no option --older. Did you mean --older-than?"),
            ("purge --max-age 7d", "`purge` has no option --max-age. `quakes help purge` lists the options."),
            ("list --att 1", "`list` has no option --att. `quakes help list` lists the options."),
            ("chagnes", "There is no command chagnes. Did you mean `quakes changes`?"),
            ("lst", "There is no command lst. `quakes help` lists the commands."),
            ("help chnges", "There is no command chnges. Did you mean `quakes changes`?"),
            (
                "list California",
                "California is not an option, and `list` takes only options, such as --region Japan or "
                    + "--min-mag 5."
            ),
            (
                "list --region New Zealand",
                "Zealand is not an option, and `list` takes only options, such as --region Japan or --min-mag 5. A "
                    + "value with spaces needs quotes."
            ),
            ("list –min-mag 4", "'–min-mag' begins with an en dash. Write --min-mag with two hyphens."),
            ("list —count", "'—count' begins with an em dash. Write --count with two hyphens."),
            ("list -min-mag 4", "`list` has no option -min-mag. Did you mean --min-mag?"),
            (
                "list --tsunami yes",
                "--tsunami takes no value, and `list` takes only options, such as --region Japan or --min-mag 5."
            ),
            ("list --min-mag", "Missing value for '--min-mag <magnitude>'. See `quakes help list`."),
        ])
    func unknownWords(typed: String, text: String) throws {
        #expect(try Self.message(typed.split(separator: " ").map(String.init)) == "quakes: " + text)
    }

    @Test("No command in a message contains \">\", which could overwrite a file") func redirections() throws {
        let folder = Fixture.projectDirectory.appending(path: "Sources/QuakeCommands")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /`quakes [^`]*`/) {
                #expect(!match.output.contains(">"), "\(file.lastPathComponent): \(match.output)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test("A word of over 100 characters is never compared with others, and is an error") func longWords() throws {
        let word = String(repeating: "a", count: 101)
        #expect(word.nearest(among: [word + "b"]) == nil && word.dropLast().description.nearest(among: [word]) == word)
        let cache = try MappedCache.ofTest()
        for option in ["--near", "--region", "--type"] {
            #expect((try? cache.run("list", option, String(repeating: "a", count: 8000)))?.status != .success)
        }
    }
}
