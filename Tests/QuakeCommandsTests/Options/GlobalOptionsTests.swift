import ArgumentParser
import QuakeStore
import Testing

@testable import QuakeCommands

struct GlobalOptionsTests {
    private func environment(
        _ variables: [String: String], isTerminal: Bool = true, home: String = "/home/ada"
    ) -> CommandEnvironment {
        .test(output: StandardStream(descriptor: -1, isTerminal: isTerminal), variables: variables, home: home)
    }

    @Test("The cache path comes from --db, $QUAKES_DB, $XDG_DATA_HOME or $HOME, in this order")
    func cachePathOrder() throws {
        let named = try GlobalOptions.parse(["--db", "x.db"])
        let unnamed = try GlobalOptions.parse([])
        let all = ["QUAKES_DB": "/q.db", "XDG_DATA_HOME": "/data"]
        #expect(try named.databasePath(in: environment(all), for: .writing) == "x.db")
        #expect(try unnamed.databasePath(in: environment(all), for: .writing) == "/q.db")
        #expect(
            try unnamed.databasePath(in: environment(["QUAKES_DB": "", "XDG_DATA_HOME": "/data"]), for: .writing)
                == "/data/quakes/quakes.db")
        #expect(
            try unnamed.databasePath(in: environment(["XDG_DATA_HOME": "data"]), for: .writing)
                == "/home/ada/.local/share/quakes/quakes.db")
        #expect(
            try unnamed.databasePath(in: environment([:]), for: .writing) == "/home/ada/.local/share/quakes/quakes.db")
    }

    @Test("If neither $HOME nor any other setting locates the cache, the error suggests $QUAKES_DB")
    func cachePathWithoutHome() throws {
        let unnamed = try GlobalOptions.parse([])
        let error = #expect(throws: ValidationError.self) {
            try unnamed.databasePath(in: environment([:], home: ""), for: .creating)
        }
        #expect(error?.message.contains("HOME is not set") == true && error?.message.contains("QUAKES_DB") == true)
        for variables in [["QUAKES_DB": "/q.db"], ["XDG_DATA_HOME": "/data"]] {
            #expect(throws: Never.self) {
                try unnamed.databasePath(in: environment(variables, home: ""), for: .creating)
            }
        }
    }

    @Test("The author of a transaction is --author, else $QUAKES_AUTHOR, else the command's name") func authorOrder()
        throws
    {
        let variables = environment(["QUAKES_AUTHOR": "com.example.cron"])
        let (named, unnamed) = (try AuthorOptions.parse(["--author", "me"]), try AuthorOptions.parse([]))
        #expect(named.author(in: variables, standard: "quakes.refresh") == "me")
        #expect(unnamed.author(in: variables, standard: "quakes.refresh") == "com.example.cron")
        #expect(unnamed.author(in: environment([:]), standard: "quakes.refresh") == "quakes.refresh")
    }

    @Test(
        "NO_COLOR, then CLICOLOR_FORCE, CLICOLOR and TERM decide on color, unless --color does",
        arguments: [
            ([:], true, true), ([:], false, false),
            (["NO_COLOR": ""], true, true), (["NO_COLOR": "1"], true, false),
            (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
            (["CLICOLOR_FORCE": "1", "CLICOLOR": "0", "TERM": "dumb"], false, true),
            (["CLICOLOR_FORCE": "0"], false, false), (["CLICOLOR_FORCE": ""], false, false),
            (["CLICOLOR_FORCE": "0"], true, true),
            (["CLICOLOR": "0"], true, false), (["CLICOLOR": "1"], true, true), (["CLICOLOR": "1"], false, false),
            (["TERM": "dumb"], true, false), (["TERM": ""], true, false), (["TERM": "vt100"], true, true),
        ])
    func color(variables: [String: String], isTerminal: Bool, expected: Bool) throws {
        let environment = environment(variables, isTerminal: isTerminal)
        let stream = environment.standardOutput
        for (words, coloring) in [([], expected), (["--color", "auto"], expected)] {
            #expect(try GlobalOptions.parse(words).allowsColor(on: stream, in: environment) == coloring)
        }
        #expect(try GlobalOptions.parse(["--color=always"]).allowsColor(on: stream, in: environment))
        #expect(try !GlobalOptions.parse(["--color", "never"]).allowsColor(on: stream, in: environment))
    }

    @Test("Without TERM, a terminal gets no color") func colorWithoutTERM() throws {
        var environment = environment([:])
        environment.variables = [:]
        let options = try GlobalOptions.parse([])
        #expect(!options.allowsColor(on: environment.standardOutput, in: environment))
    }

    @Test("-q and -v cannot be combined") func quietAndVerbose() {
        #expect(throws: (any Error).self) { try GlobalOptions.parse(["-q", "-v"]) }
    }

    @Test("CommandEnvironment.process has an absolute home folder path and the current time") func processEnvironment()
    {
        #expect(CommandEnvironment.process.homeDirectory.hasPrefix("/"))
        #expect(CommandEnvironment.process.now() > Timestamp(milliseconds: 1_600_000_000_000))
    }
}

struct ExitStatusTests {
    @Test("The exit statuses are 0, 1, 3, 4, 5, 64, 65, 66, 69, 74, 75 and 78") func statusNumbers() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 3, 4, 5, 64, 65, 66, 69, 74, 75, 78])
    }
}
