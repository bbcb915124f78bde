import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Path of the system cache", .scratch) struct SystemCacheTests {
    @Test("If you have no cache, commands read the system cache but write to a new cache of your own")
    func readsFallBack() throws {
        let scratch = try ScratchDirectory.ofTest()
        let system = try scratch.write(Data("cache".utf8), to: "system.db")
        let own = scratch.path("home/.local/share/quakes/quakes.db")
        let environment = Self.environment(scratch, ["QUAKES_SYSTEM_DB": system])
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .reading) == system)
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .writing) == own)
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .creating) == own)
        try FileManager.default.createDirectory(
            atPath: scratch.path("home/.local/share/quakes"), withIntermediateDirectories: true)
        try scratch.write(Data(), to: "home/.local/share/quakes/quakes.db")
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .reading) == system, "empty yet")
        try scratch.write(Data("cache".utf8), to: "home/.local/share/quakes/quakes.db")
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .reading) == own)
    }

    @Test("A cache named by --db or $QUAKES_DB is read instead of the system cache") func namedCache() throws {
        let scratch = try ScratchDirectory.ofTest()
        let system = try scratch.write(Data("cache".utf8), to: "system.db")
        var environment = Self.environment(scratch, ["QUAKES_SYSTEM_DB": system])
        #expect(try GlobalOptions.parse(["--db", "x.db"]).databasePath(in: environment, for: .reading) == "x.db")
        environment.variables["QUAKES_DB"] = "/y.db"
        #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .reading) == "/y.db")
    }

    @Test("If you have no cache and $QUAKES_SYSTEM_DB names none, the path of your own cache is used")
    func missingOrDisabled() throws {
        let scratch = try ScratchDirectory.ofTest()
        let own = scratch.path("home/.local/share/quakes/quakes.db")
        for path in [scratch.path("none.db"), try scratch.write(Data(), to: "empty.db"), ""] {
            let environment = Self.environment(scratch, ["QUAKES_SYSTEM_DB": path])
            #expect(try GlobalOptions.parse([]).databasePath(in: environment, for: .reading) == own)
        }
    }

    @Test("The default system cache is the file that the packaged systemd service writes") func serviceCache() throws {
        #expect(try Self.environment(ScratchDirectory.ofTest(), [:]).systemCache == "/var/lib/quakes/quakes.db")
        let file = Fixture.projectDirectory.appending(path: "Packaging/systemd/quakes-refresh.service")
        let unit = try String(contentsOf: file, encoding: .utf8)
        #expect(unit.contains("\nEnvironment=QUAKES_DB=/var/lib/quakes/quakes.db\nStateDirectory=quakes\n"))
    }

    private static func environment(_ scratch: ScratchDirectory, _ variables: [String: String]) -> CommandEnvironment {
        .test(variables: variables, home: scratch.path("home"))
    }
}
