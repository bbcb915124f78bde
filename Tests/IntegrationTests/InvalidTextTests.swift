import Foundation
import QuakeTestSupport
import Testing

/// Swift replaces invalid bytes with U+FFFD, so that the program would write to a file that nobody named.
@Suite("Arguments and variables that are not UTF-8", .endsInTime, .scratch) struct InvalidTextTests {
    private let cache: Cache

    init() async throws { cache = try await .ofDay() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cache.directory.url.path).sorted()
    }

    /// Runs `line` in the test's folder, with `$bad` for a text that is not UTF-8 and `$quakes` for the program.
    private func shell(_ line: String) async throws -> ProcessResult {
        var shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        shell.environment["quakes"] = cache.quakes.executable
        return try await shell.run("-c", "cd \(cache.directory.url.path); bad=$(printf 'b\\377d'); \(line)")
    }

    @Test("quakes exits with 64 and changes no file if any option value is not UTF-8") func options() async throws {
        let before = try (cache.bytes(), names())
        var count = 0
        for command in try await CommandReference.built() where !command.name.isEmpty {
            let lines = command.options.sorted().filter { $0.hasPrefix("--") }.map { option in
                "$quakes \(command.name) \(option)=\"$bad\"; echo $?"
            }
            let result = try await shell(
                (lines + ["$quakes \(command.name) \"$bad\"; echo $?"]).joined(separator: "\n"))
            count += lines.count
            #expect(result.output.split(separator: "\n").allSatisfy { $0 == "64" }, "\(command.name): \(result.output)")
            let errors = result.errorOutput.split(separator: "\n")
            #expect(errors.count == lines.count + 1, "\(command.name): \(result.errorOutput)")
            #expect(errors.allSatisfy { $0.hasPrefix("quakes: An argument is not UTF-8: ") }, "\(command.name)")
        }
        #expect(count > 200)
        #expect(try (cache.bytes(), names()) == before)
    }

    @Test("quakes exits with 64 if any documented environment variable is not UTF-8") func variables() async throws {
        let before = try (cache.bytes(), names())
        let documented = try ManualPage("quakes.1").items(of: "ENVIRONMENT")
            .flatMap { $0.term.components(separatedBy: ", ") }
        #expect(documented.count > 20)
        for name in documented + ["HOME"] {
            let result = try await shell("\(name)=\"$bad\" exec $quakes list --count")
            #expect(result.exitStatus == 64 && result.output.isEmpty, "\(name)")
            #expect(result.errorOutput == "quakes: The variable \(name) is not UTF-8.\n")
        }
        #expect(try (cache.bytes(), names()) == before)
    }

    @Test("An undocumented environment variable that is not UTF-8 reaches --exec commands unchanged")
    func otherVariables() async throws {
        let line =
            "OTHER=\"$bad\" exec $quakes changes --exec 'cat > input; test \"$OTHER\" = \"$(printf \"b\\377d\")\"'"
        let result = try await shell(line)
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        let each =
            "OTHER=\"$bad\" exec $quakes changes --since-transaction 0 --limit 1 --exec-each "
            + "'test \"$OTHER\" = \"$(printf \"b\\377d\")\"'"
        let second = try await shell(each)
        #expect(second.exitStatus == 0, "\(second.errorOutput)")
    }

    @Test("Relative cache, backup and map paths work in a folder whose name is not UTF-8") func folder() async throws {
        let result = try await shell(
            """
            mkdir "$bad" && cd "$bad" && QUAKES_DB=q.db && export QUAKES_DB \
            && $quakes refresh -q \(Fixture.url("feeds/all_day-1.geojson").path) && $quakes backup -q copy.db \
            && $quakes map --output map.svg && $quakes list --db copy.db --count && ls | tr '\\n' ' '
            """)
        #expect(result.exitStatus == 0 && result.output == "24\ncopy.db map.svg q.db ", "\(result.output)")
        let linked = try await shell("ln -s \"$bad/q.db\" link.db; exec $quakes list --db link.db --count")
        #expect(linked.exitStatus == 74, "\(linked.output)")
        #expect(linked.errorOutput.contains("it is a symbolic link to a name that is not UTF-8"))
    }
}
