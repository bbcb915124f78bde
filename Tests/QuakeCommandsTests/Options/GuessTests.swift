import ArgumentParser
import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Corrections of mistyped command lines", .scratch) struct GuessTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    /// Beginnings of command lines; one fits each row of the table without a command.
    private static let beginnings = [
        ["list"], ["map"], ["changes"], ["watch"], ["changes", "--follow", "--timeout", "0s"], ["consumers"],
        ["list", "--near", "1,2"], ["purge", "--min-mag", "9"],
        ["refresh", Fixture.url("feeds/all_day-1.geojson").path], ["backfill", "--min-mag", "9"],
    ]
    /// Possible values for the names in the table.
    private static let values = [
        "ID": "us200", "TIME": "08:00", "FORMAT": "json", "COMMAND": "list", "REGION": "Alaska", "CITY": "Tokyo",
        "A-B": "4-5", "POINT,LENGTH": "Anchorage,100km", "-INT": "-5", "PNG": "map.png", "MAG": "mag>=5",
        "AGO": "2 weeks ago", "D": "2026-01-31", "--FORMAT": "--json",
    ]

    /// Values for V, by part of the suggestion.
    private static let samples = [
        ("depth", "4"), ("--changed V", "mag"), ("-mag V", "4"), ("alert", "green"), ("magtype", "ml"),
        ("type V", "earthquake"), ("status", "reviewed"), ("net", "us"), ("--id", "us200"),
        ("-url", "http://127.0.0.1:9/query"), ("until", "now"), ("since", "1h"), ("radius", "1"), ("near", "Tokyo"),
        ("bbox", "1,2,3,4"), ("sort", "mag"), ("fields", "mag"),
        ("interval", "1m"), ("tz", "UTC"), ("--at", "now"), ("forget", "alarm"), ("format V", "json"),
        ("output", "map.svg"), ("", "Alaska"),
    ]

    /// Returns command lines for the row `guess`, each with values for the names in it.
    private func lines(_ guess: Guess) -> [[String]] {
        let first = guess.typed[0]
        let isCommand = !first.hasPrefix("-") && first != first.uppercased() || guess.typed.last == "COMMAND"
        let end = guess.typed.reduce([String]()) { line, part in
            let word = String(part.split(separator: "|")[0])
            let isName = part.contains(where: \.isUppercase) && !(part.hasPrefix("-") && part != "-INT")
            let sample = Self.samples.first { $0.0.isEmpty || guess.answer.contains($0.0) }?.1
            let value = word == "V" ? sample : Self.values[word] ?? (isName && word.count == 1 ? "4" : word)
            return line + [value ?? ""]
        }
        let id = first == "show" && guess.typed.count > 1 ? ["us200"] : []
        let starts = isCommand || guess.typed == ["ID"] ? [[]] : Self.beginnings
        return starts.map { $0 + end + id }
    }

    @Test("Each correction in the table of common mistakes is a command line that runs") func tableOfCorrections()
        throws
    {
        _ = try cache.run("purge", "--max-mag", "4")
        for guess in Guess.table {
            let found = lines(guess).lazy.flatMap { guess.corrections(of: $0) }.first(where: \.isUnderstood)
            let correction = try #require(found, "\(guess.typed)")
            guard let line = correction.line else { continue }
            let status = try status(of: line, cache)
            #expect(status == .success || status == .stale, "\(guess.typed) \(line)")
        }
    }

    /// Returns the exit status of `line`. A watch would run forever, and a request to a server fails here.
    private func status(of line: [String], _ cache: MappedCache) throws -> QuakeCommands.ExitStatus {
        var words = line
        if words == ["--version"] || ["watch", "backfill"].contains(words[0]) { return .success }
        if words.contains("--forget") { _ = try cache.run("changes", "--consumer", "alarm") }
        if words[0] == "refresh" { words = ["refresh", Fixture.url("feeds/all_day-1.geojson").path] }
        if let place = words.firstIndex(of: "--db") { words[place + 1] = cache.directory.path("quakes.db") }
        if words[0] == "backup" { words[1] = cache.directory.path("copy\(UUID()).db") }
        if let place = words.firstIndex(of: "--output") { words[place + 1] = cache.directory.path("map.svg") }
        if words.contains("--follow"), !words.contains("--timeout") { words += ["--timeout", "0s"] }
        return try cache.run(words).status
    }

    @Test(
        "The suggestion for a mistyped option corrects the whole command line",
        arguments: [
            ("list --magnitude=4", "--magnitude", "list --min-mag 4"),
            ("list --from 2026-01-01 --to now --json", "--json", "list --since 2026-01-01 --until now --format json"),
            ("list --lat 35 --lon 4 --maxradiuskm 100", "--lat", "list --near 35,4 --radius 100"),
            (
                "list --maxlatitude 62 --minlatitude 60 --minlongitude -150 --maxlongitude -148", "--minlatitude",
                "list --bbox -150,60,-148,62"
            ),
            ("list --felt", "--felt", "list --min-felt 1"),
            ("list --type explosions --json", "--json", "list --type explosion --format json"),
            ("list --on 2021-07-31", "--on", "list --since 2021-07-31 --until 2021-08-01"),
            ("list California", "California", "list --region California"),
            ("list Tokyo", "Tokyo", "list --near Tokyo"), ("list us200", "us200", "show us200"),
        ])
    func wholeLine(typed: String, wrong: String, line: String) {
        existingNames(typed: typed, text: "There is no \(wrong) here. Did you mean `quakes \(line)`?")
    }

    @Test(
        "The error for a wrong command line suggests a correction, another command or the help",
        arguments: [
            ("changes --until now", "Changes always run up to now; `quakes diff FROM TO` compares two states."),
            (
                "show",
                "Missing expected argument '<id> ...'. Did you mean `quakes list`? `show` needs an id from the list."
            ),
            (
                "map --format png",
                "The value 'png' is invalid for '--format <format>'. Did you mean `quakes map --format svg`? "
                    + "`rsvg-convert` turns the SVG into a PNG."
            ),
            ("purge --id us200", "No command deletes a single quake; see `quakes help purge`."),
            // One command may have a name that another lacks, so no suggestion leads to a second error.
            ("token --json", "Unknown option '--json'. See `quakes help token`."),
            ("list --sicne 7d", "Unknown option '--sicne'. Did you mean '--since'?"),
            ("list --lat 35", "Unknown option '--lat'. Did you mean '--at'?"),
            ("--min-mag 4 list", "Unknown option '--min-mag'. See `quakes help`."),
            ("list --near 1,2 --radius 50 km", "Unexpected argument 'km'. See `quakes help list`."),
            ("list --min-mag", "Missing value for '--min-mag <magnitude>'. See `quakes help list`."),
        ])
    func existingNames(typed: String, text: String) {
        let words = typed.split(separator: " ").map(String.init)
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        #expect(error.map { UsageMessage.text(for: $0, in: words) } == "quakes: " + text)
    }

    @Test(
        "The error for an invalid value, such as --since 08:00, suggests a correct command",
        arguments: [
            (["list", "--since", "08:00"], "quakes list --since 'today 08:00'"),
            (["history", "us7000abcd"], "quakes show us7000abcd"),
            (["list", "--since", "2 weeks ago"], "quakes list --since '2 weeks'"),
            (["list", "--near", "Anchorage,100km"], "quakes list --near Anchorage --radius 100km"),
            (["list", "--in", "my_place"], "quakes list --region my_place"),
        ])
    func valuesOfOtherPrograms(typed: [String], line: String) {
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: typed) }
        #expect(error.map { UsageMessage.text(for: $0, in: typed) }?.hasSuffix(" Did you mean `\(line)`?") == true)
    }

    @Test(
        "The error for an unknown command, such as ls or delete, says what to use instead",
        arguments: [
            ("ls -m4", "Did you mean `quakes list -m4`?"), ("us200", "Did you mean `quakes show us200`?"),
            ("log us200", "Did you mean `quakes show us200`?"), ("lst", "Did you mean `quakes list`?"),
            ("export --format quakeml", "Did you mean `quakes list --format quakeml`?"),
            ("delete us200", "No command deletes a single quake; see `quakes help purge`."),
            ("help chnges", "Did you mean `quakes changes`?"),
        ])
    func commandsOfOtherPrograms(typed: String, text: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        let error = try #require(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        let message = (error as? CommandError)?.text ?? UsageMessage.text(for: error, in: words)
        #expect(message.hasSuffix(" " + text), "\(message)")
    }

    @Test("No command suggested in a message contains \">\", which could overwrite a file") func redirections()
        async throws
    {
        for guess in Guess.table { #expect(!guess.answer.contains(">") && !(guess.remark ?? "").contains(">")) }
        // The same in every other message: a text in backquotes that begins like a command.
        let sources = FileManager.default.enumerator(
            at: Fixture.projectDirectory.appending(path: "Sources/QuakeCommands"), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        var count = 0
        for source in sources ?? [] {
            for match in try String(contentsOf: source, encoding: .utf8).matches(of: /`quakes [^`]*`/) {
                #expect(!match.output.contains(">"), "\(source.lastPathComponent): \(match.output)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test(
        "The error for an option such as --out, or for a typed \">\", suggests no command with \">\"",
        arguments: [
            ["summary", "--file", "my.db"], ["summary", "--out", "my.db"], ["list", "-o", "F", "-m4"],
            ["list", "--output", "F"], ["lst", ">", "F"], ["list", "--magnitude", "4", ">", "F"], ["getcsv", "my.db"],
            ["export", "csv"], ["list", "--format", "html"], ["list", "--location", "a>b"],
        ])
    func filesAreNotWritten(words: [String]) throws {
        let error = try #require(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        let message = (error as? CommandError)?.text ?? UsageMessage.text(for: error, in: words)
        let suggestions = message.matches(of: /`(quakes [^`]*)`/).map(\.output.1)
        #expect(!suggestions.contains { $0.contains(">") }, "\(message)")
    }

    @Test("A word of over 100 characters gets no spelling suggestion, and the error appears quickly") func longValues()
        throws
    {
        let word = String(repeating: "a", count: 101)
        #expect(word.nearest(among: [word + "b"]) == nil && word.alike(among: [word + "b"]) == [word + "b"])
        #expect(word.dropLast().description.nearest(among: [word]) == word)
        let long = String(repeating: "a", count: 8000)
        for words in [["list", "--near", long], ["list", "--region", long], ["refresh", long], [long]] {
            let duration = ContinuousClock().measure {
                do { _ = try cache.run(words) } catch {}
            }
            #expect(duration < .seconds(3), "\(words[0])")
        }
    }

    @Test("--type accepts a dash or an underscore for the space in an event type") func eventTypes() throws {
        let list = try ListCommand.parse(["--type", "!quarry-blast,ice_quake"])
        #expect(list.filters.filter.eventTypes == ["!quarry blast", "ice quake"])
        for typed in ["quarry", "quarry_blasts"] {
            let errors = try cache.run("list", "--type", typed).errors
            #expect(errors.hasSuffix(" Did you mean quarry blast?\n"), "\(errors)")
        }
    }

    @Test(
        "--exec rejects a command that uses a $QUAKE_ variable, and points to --exec-each",
        arguments: ["watch", "changes"])
    func variablesOfExecEach(command: String) {
        let words = [command, "--exec", "echo ${QUAKE_ID}"]
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        #expect(error.map { UsageMessage.text(for: $0, in: words) }?.contains("Only --exec-each sets") == true)
    }

    @Test("quakes show says that -v lists the fields that it left out and their changes") func showNamesVerbose() throws
    {
        #expect(try cache.run("show", "us200").output.contains(" (use -v to list them and their changes)\n"))
        #expect(try !cache.run("show", "us200", "-v").output.contains("-v lists"))
    }

    @Test("If --since and --until name the same day, the error suggests the next day for --until") func sameDay() throws
    {
        let errors = try cache.run("list", "--since", "2021-07-31", "--until", "2021-07-31").errors
        #expect(errors.hasSuffix("nothing can match. --until 2021-08-01 includes that day.\n"))
    }
}
