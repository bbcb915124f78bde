import Foundation
import Glibc
import QuakeTestSupport
import Testing

/// Runs the program with the test's own helper, which records each start and returns a document.
@Suite("The download helper runs once per download and for nothing else", .endsInTime) struct DownloadHelperTests {
    private func starts(_ arguments: String, with prelude: String = "") async throws -> (
        count: Int, result: ProcessResult
    ) {
        try await withScratchDirectory { scratch in
            let notes = scratch.path("starts")
            try await scratch.copyProgram(ProcessRunner().executable, to: "quakes")
            _ = try await scratch.writeProgram(
                """
                echo "$$ $XDG_DATA_HOME" >> \(notes)
                [ -n "$(cat)" ] || exit 1
                printf '200\\nhttp://127.0.0.1:9/\\n\\n'
                cat \(Fixture.url("feeds/all_day-1.geojson").path)
                """, to: "quakes-fetch")
            try scratch.write(try Fixture.data("feeds/all_day-1.geojson"), to: "a.geojson")
            let environment: [String: String?] = [
                "QUAKES_DB": scratch.path("quakes.db"), "HOME": scratch.url.path,
                "QUAKES_BASE_URL": "http://127.0.0.1:9", "XDG_DATA_HOME": scratch.path("data"),
            ]
            let result = try await ProcessRunner(path: "/bin/sh", environment: environment).run(
                "-c", "cd '\(scratch.url.path)' && \(prelude) ./quakes \(arguments)")
            let lines = (try? String(contentsOfFile: notes, encoding: .utf8))?.split(separator: "\n") ?? []
            for line in lines {
                let words = line.split(separator: " ")
                #expect(words.last == "/dev/null", "folders in the user's home")
                try await waitForEnd(of: try #require(pid_t(words[0])))
            }
            return (lines.count, result)
        }
    }

    private func waitForEnd(of process: pid_t) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while isRunning(process), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!isRunning(process), "the helper outlives the program")
    }

    /// Whether the process is running. A zombie, which a container's first process may leave, does not count.
    private func isRunning(_ process: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    @Test("The quakes executable does not link FoundationNetworking, but its helper quakes-fetch does")
    func linkedLibraries() throws {
        for (program, isLinked) in [("quakes", false), ("quakes-fetch", true)] {
            let bytes = try Data(contentsOf: URL(filePath: BuiltProduct.path(program)), options: .mappedIfSafe)
            #expect((bytes.range(of: Data("FoundationNetworking".utf8)) != nil) == isLinked, "\(program)")
        }
    }

    @Test(
        "A download starts quakes-fetch once, even with stdin closed or SIGCHLD ignored",
        arguments: ["", "exec <&-;", "exec <&- >&- 2>&-;", "trap '' CHLD;"])
    func oneHelperPerDownload(prelude: String) async throws {
        let (count, result) = try await starts("refresh -q all_day", with: prelude)
        #expect(count == 1)
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }

    @Test(
        "Commands that download nothing do not start the download helper quakes-fetch",
        arguments: [
            "refresh a.geojson", "list", "refresh --help", "--version", "refresh --no-such-option", "refresh ./a",
        ])
    func otherCommandsStartNoHelper(arguments: String) async throws {
        #expect(try await starts(arguments).count == 0)
    }
}
