import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What people type instead", .scratch)
struct GuessTests {
    /// Beginnings of command lines and values, of which one suits each row of the table.
    private static let beginnings = [
        ["list"], ["list", "--near", "1,2"], ["map"], ["changes"], ["changes", "--timeout", "0s"], ["consumers"],
        ["purge", "--min-mag", "9"], ["refresh", Fixture.url("feeds/all_day-1.geojson").path],
    ]
    private static let values = [
        nil, "4", "now", "us", "us200", "mag", "json", "green", "alarm", "reviewed", "UTC", "Alaska", "ml",
        "earthquake",
        "http://127.0.0.1:9/query", "--count", "--all",
    ]

    @Test("Each answer of the table can be run", arguments: Guess.table.indices)
    func table(index: Int) throws {
        let (guess, directory) = (Guess.table[index], try ScratchDirectory.ofTest())
        let cache = try MappedCache(in: directory)
        _ = try cache.run("changes", "--since-token", "last", "--consumer", "alarm")
        let files = ["quakes.db", "map.svg"].map(directory.path) + [Fixture.url("feeds/all_day-1.geojson").path]
        let (typed, takesValue) = (guess.typed[0], guess.answer.contains(where: \.isUppercase))
        let isCommand = !typed.hasPrefix("-")
        let values = takesValue || isCommand ? Self.values + files : [nil]
        let lines = (isCommand ? [[]] : Self.beginnings).lazy.flatMap { beginning in
            values.map { value in
                let answer = value.map { guess.answer.replacing(/VALUE|TEXT|ID|NAME/, with: $0) } ?? guess.answer
                return (beginning + typed.split(separator: " ").map(String.init) + [value].compactMap(\.self), answer)
            }
        }
        #expect(try lines.contains { try isAnswered($0, $1, cache) }, "\(typed)")
    }

    /// Whether the correction of `typed` has `answer`, and can be run.
    private func isAnswered(_ typed: [String], _ answer: String, _ cache: MappedCache) throws -> Bool {
        guard let line = Guess.correction(of: typed)?.line, line.contains(answer) else { return false }
        let words = line.split(separator: " ").dropFirst().prefix { $0 != ">" }.map { word in
            ["LAT,LON": "35.7,139.7", "W,S,E,N": "165,-50,-175,-30"][word] ?? String(word)
        }
        // They would go on for ever; another beginning of the line has an end.
        if words[0] == "watch" { return true }
        if words.contains("--follow"), !words.contains("--timeout") { return false }
        return try [.success, .stale].contains(cache.run(words).status)
    }

    @Test(
        "The line is put right as a whole, or else the message says what exists",
        arguments: [
            ("list --magnitude=4", "There is no --magnitude here. Did you mean `quakes list --min-mag 4`?"),
            (
                "list --from 2026-01-01 --to now --json",
                "There is no --json here. Did you mean `quakes list --since 2026-01-01 --until now --format json`?"
            ),
            (
                "list --lat 35 --lon 4 --maxradiuskm 100",
                "There is no --lat here. Did you mean `quakes list --near LAT,LON --radius 100km`?"
            ),
            ("list -o F -m4", "There is no -o here. Did you mean `quakes list > F -m4`?"),
            ("list California", "There is no California here. Did you mean `quakes list --region California`?"),
            ("list Tokyo", "There is no Tokyo here. Did you mean `quakes list --near Tokyo`?"),
            ("list us7000abcd", "There is no us7000abcd here. Did you mean `quakes show us7000abcd`?"),
            // What one command has for a name, another may not: no suggestion leads to a second error.
            ("token --json", "Unknown option '--json'. See `quakes help token`."),
            ("list --sicne 7d", "Unknown option '--sicne'. Did you mean '--since'?"),
            ("list --xyzzy 4", "Unknown option '--xyzzy'. See `quakes help list`."),
            ("--min-mag 4 list", "Unknown option '--min-mag'. See `quakes help`."),
            ("list --near 1,2 --radius 50 km", "Unexpected argument 'km'. See `quakes help list`."),
            ("list --min-mag", "Missing value for '--min-mag <magnitude>'. See `quakes help list`."),
        ])
    func lines(typed: String, text: String) {
        let words = typed.split(separator: " ").map(String.init)
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        #expect(error.map { UsageMessage.text(for: $0, in: words) } == "quakes: " + text)
    }

    @Test(
        "A command by the name that another program has for it is put right",
        arguments: [
            ("ls -m4", "Did you mean `quakes list -m4`?"),
            ("top 5", "Did you mean `quakes list --sort mag --limit 5`?"),
            ("log us200", "Did you mean `quakes show us200`?"), ("lst", "Did you mean `quakes list`?"),
            ("xyzzy", "`quakes --help` lists the commands."),
            ("help chnges", "Did you mean `quakes changes`?"),
        ])
    func commands(typed: String, text: String) throws {
        let error = #expect(throws: CommandError.self) {
            try QuakesCommand.command(for: typed.split(separator: " ").map(String.init))
        }
        #expect(try CommandError(#require(error)).text.hasSuffix("\". " + text))
    }

    @Test("Who names a quake where a transaction belongs hears of `show`", arguments: ["history", "undo"])
    func quakeForTransaction(command: String) {
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: [command, "us7000abcd; id"]) }
        let text = error.map { UsageMessage.text(for: $0, in: [command]) }
        #expect(text?.contains("For the changes of a quake, use `quakes show 'us7000abcd; id'`.") == true)
        #expect(throws: Never.self) { try QuakesCommand.command(for: [command, "42"]) }
    }
}
