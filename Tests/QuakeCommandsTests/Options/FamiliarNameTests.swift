import ArgumentParser
import Testing

@testable import QuakeCommands

@Suite("What people type instead")
struct FamiliarNameTests {
    @Test(
        "An option by the name that another program or the event service has for it is put right",
        arguments: [
            ("--json", "--format json"), ("--csv", "--format csv"), ("--geojson", "--format geojson"),
            ("--mag", "--min-mag"), ("--magnitude", "--min-mag"), ("--min-magnitude", "--min-mag"),
            ("--minmag", "--min-mag"), ("--minmagnitude", "--min-mag"), ("--from", "--since"), ("--start", "--since"),
            ("--starttime", "--since"), ("--after", "--since"), ("--to", "--until"), ("--end", "--until"),
            ("--endtime", "--until"), ("--before", "--until"), ("--days", "--since 7d"), ("--hours", "--since 24h"),
            ("--last", "--since 24h"), ("--lat", "--near LAT,LON --radius 100km"),
            ("--longitude", "--near LAT,LON --radius 100km"), ("--maxradiuskm", "--near LAT,LON --radius 100km"),
            ("--sort-by", "--sort"), ("--order", "--sort"), ("--top", "--limit"), ("-n", "--limit"),
            ("--maxdepth", "--max-depth"), ("--minlatitude", "--bbox W,S,E,N"), ("--sicne", "--since"),
            ("--as-of", "--at"), ("--deleted", "quakes changes --since-token beginning --op delete"),
            ("--min-magg", "--min-mag"), ("--formt", "--format"),
        ])
    func options(typed: String, ours: String) {
        #expect(FamiliarName.option(for: typed, of: ListCommand.self) == ours)
        let text = UsageMessage.text(for: failure(["list", typed, "4"]))
        #expect(
            text == "quakes: Unknown option '\(typed)'. Did you mean '\(ours)'?", "\(text)")
    }

    @Test(
        "A value that another program has for an option is put right",
        arguments: [("--sort", "magnitude", "mag"), ("--format", "usgs", "--fields usgs --format csv")])
    func values(option: String, typed: String, ours: String) {
        let text = UsageMessage.text(for: failure(["list", option, typed]))
        #expect(text.hasPrefix("quakes: The value '\(typed)' is invalid for '\(option) "), "\(text)")
        #expect(text.contains("'. Did you mean \(ours)? Please provide one of"), "\(text)")
    }

    @Test("All options of a command are shown after `help COMMAND`, too")
    func hidden() {
        #expect(QuakesCommand.arranged(["help", "list", "--help-hidden"]) == ["list", "--help-hidden"])
        #expect(QuakesCommand.arranged(["help", "list"]) == ["help", "list"])
    }

    @Test(
        "An option before its command is told where it belongs",
        arguments: [("--db", "list"), ("--min-mag", "list"), ("--timeout", "refresh"), ("--since-token", "changes")])
    func early(option: String, command: String) {
        let text = UsageMessage.text(for: failure([option, "4", "list"]))
        #expect(
            text == "quakes: The option '\(option)' goes after its command: `quakes \(command) \(option)`.", "\(text)")
        #expect(UsageMessage.text(for: failure(["--xyzzy", "list"])).hasPrefix("quakes: Unknown option '--xyzzy'"))
    }

    @Test("Who names a quake where a transaction belongs hears of `show`", arguments: ["history", "undo"])
    func quakeForTransaction(command: String) {
        let text = UsageMessage.text(for: failure([command, "us7000abcd; id"]))
        #expect(text.contains("For the changes of a quake, use `quakes show 'us7000abcd; id'`."), "\(text)")
        #expect(throws: Never.self) { try QuakesCommand.parseAsRoot([command, "42"]) }
    }

    @Test("A suggestion that is not near says nothing", arguments: ["--xyzzy", "--bananas", "--verbatim-output", "-z"])
    func nothing(typed: String) {
        let text = UsageMessage.text(for: failure(["list", typed]))
        #expect(text == "quakes: Unknown option '\(typed)'. See `quakes help list`.", "\(text)")
    }

    @Test("Every option that is suggested exists in some command, and no familiar name is an option of all of them")
    func table() {
        let commands = QuakesCommand.configuration.subcommands
        for typed in ["--json", "--html", "--eventid", "--watch", "--updatedafter", "--colour", "--file", "--database"]
        {
            #expect(commands.contains { FamiliarName.option(for: typed, of: $0) != nil }, "\(typed)")
        }
        #expect(FamiliarName.option(for: "--since-last", of: ChangesCommand.self) == "--since-token")
        #expect(FamiliarName.option(for: "--reset", of: ConsumersCommand.self) == "--forget NAME")
        // What one command has for a name, another may not: no suggestion leads to a second error.
        #expect(FamiliarName.option(for: "--json", of: TokenCommand.self) == nil)
        #expect(FamiliarName.option(for: "--days", of: HistoryCommand.self) == nil)
    }

    @Test(
        "A command by the name that another program has for it is put right",
        arguments: [
            ("ls", "quakes list"), ("get", "quakes refresh"), ("fetch", "quakes refresh"), ("update", "quakes refresh"),
            ("sync", "quakes refresh"), ("monitor", "quakes watch"), ("tail", "quakes watch"),
            ("log", "quakes history"), ("export", "quakes list --format csv"), ("search", "quakes list --place TEXT"),
            ("largest", "quakes list --sort mag --limit 10"), ("latest", "quakes list --limit 10"),
        ])
    func commands(typed: String, ours: String) throws {
        let error = try #require(QuakesCommand.unknownCommand(in: [typed]))
        #expect(error.text == "quakes: There is no command \"\(typed)\". Did you mean `\(ours)`?")
        let words = ours.split(separator: " ").dropFirst().map(String.init)
        #expect(throws: Never.self) { try QuakesCommand.parseAsRoot(words) }
    }

    private func failure(_ arguments: [String]) -> any Error {
        do {
            _ = try QuakesCommand.parseAsRoot(arguments)
            return NoError.none
        } catch {
            return error
        }
    }

    private enum NoError: Error { case none }
}
