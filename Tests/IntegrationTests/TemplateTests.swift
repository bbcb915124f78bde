import Foundation
import QuakeTestSupport
import Testing

@Suite("Templates and points at the command line", .timeLimit(.minutes(5)), .scratch)
struct TemplateTests {
    @Test(
        "A mistake is refused before anything runs",
        arguments: [
            (["list", "--template", "{magg}"], "Did you mean mag?"),
            (["changes", "--template", "{before.plac}"], "Did you mean before.place?"),
            (["changes", "--exec", "touch marker", "--template", "{tokn}"], "Did you mean token?"),
            (["list", "--template", "{distance}"], "--template {distance} needs a reference point: --near"),
            (["changes", "--template", "{compass}"], "--template {compass} needs a reference point"),
            (["list", "--fields", "id,bearing"], "--fields bearing needs a reference point: --near PLACE"),
            (["list", "--sort", "distance"], "--sort distance needs a reference point"),
            (["list", "--radius", "20miles", "--near", "1,2"], "A length is a number with km or mi"),
            (["list", "--units", "ft"], "--units"),
            (["show", "us1", "--tz", "../../etc/passwd"], "There is no time zone \"../../etc/passwd\""),
        ])
    func mistakes(arguments: [String], message: String) async throws {
        try await withCache { cache, scratch async throws in
            let result = try await cache.quakes.run(arguments)
            // There is no cache yet: that would be status 66.
            #expect(result.exitStatus == 64 && result.errorOutput.contains(message), "\(result.errorOutput)")
            #expect(result.output.isEmpty && !FileManager.default.fileExists(atPath: scratch.path("marker")))
        }
    }

    @Test(
        "A bad variable is named",
        arguments: [("QUAKES_HOME", "home"), ("QUAKES_TZ", "Mars/Base"), ("QUAKES_UNITS", "furlongs")])
    func variables(name: String, value: String) async throws {
        try await withCache(environment: [name: value]) { cache, _ in
            let result = try await cache.run("list")
            #expect(
                result.exitStatus == 64 && result.errorOutput.hasPrefix("quakes: $\(name)")
                    && result.errorOutput.contains("\"\(value)\""), "\(result.errorOutput)")
        }
    }

    @Test("A command reads the lines of the template on its standard input")
    func exec() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let call = [
            "changes", "--since-token", "--consumer", "a", "--min-mag", "5", "--template", "{what} {mag} {place}",
        ]
        let result = try await cache.quakes.run(call + ["--exec", "sed 's/^/got: /'"])
        #expect(result.exitStatus == 0)
        #expect(
            result.output.split(separator: "\n").sorted() == [
                "got: new 5.3 58 km WSW of Hachinawa, Japan", "got: new 6.2 83 km SE of Puerto Almendra, Chile",
            ])
        // The token has moved: nothing is left, and the command does not run.
        #expect(try await cache.quakes.run(call + ["--exec", "echo ran"]).output.isEmpty)
    }

    @Test("With --follow each change is a line, and the token moves past it")
    func follow() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let call = [
            "changes", "--follow", "--timeout", "1s", "--since-token", "--consumer", "a", "--template", "{id}",
        ]
        let first = try await cache.quakes.run(call)
        #expect(first.output.split(separator: "\n").count == 24 && first.errorOutput.isEmpty)
        #expect(try await cache.quakes.run(call).output.isEmpty)
    }

    @Test("Without a kept token, standard error says it; a lost token is told there too")
    func aside() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let result = try await cache.run("changes", "--min-mag", "6", "--template", "{id}")
        #expect(result.output == "us7000zzay\n" && result.errorOutput.contains("1 change; token q1."))
        let foreign = "q1.0000000000000.1.00000000"
        let resync = try await cache.run(
            "changes", "--since-token", foreign, "--min-mag", "6", "--template",
            "{op} {reason} {what}[{token}{changed}]")
        #expect(resync.output == "insert resync present[]\n")
        #expect(resync.errorOutput.contains("The token is no longer valid: it belongs to another cache"))
    }
}
