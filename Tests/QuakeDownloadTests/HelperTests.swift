import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

@Suite("The helper program quakes-fetch", .endsInTime, .scratch) struct HelperTests {
    private let helper = ProcessRunner("quakes-fetch")

    @Test("quakes-fetch --help and --version print a one-sentence description", arguments: ["--help", "--version"])
    func description(option: String) async throws {
        let result = try await helper.run(option)
        #expect(result.exitStatus == 0)
        #expect(result.output == "quakes-fetch is a download helper for quakes, not meant to be run by hand.\n")
    }

    @Test("quakes-fetch exits with 64 if a URL is given as an argument") func otherArguments() async throws {
        #expect(try await helper.run("http://127.0.0.1/").exitStatus == 64)
    }

    @Test(
        "quakes-fetch exits with 1 and reports an error if it cannot parse the request",
        arguments: ["", "{", "http://a/\n1\n\n"])
    func badRequest(text: String) async throws {
        let result = try await helper.run([], input: Data(text.utf8))
        #expect(result.exitStatus == 1)
        #expect(try JSONDecoder().decode(TransportError.self, from: result.standardError).kind == .helperFailed)
    }

    @Test("quakes-fetch exits with an error when the deadline of its request passes", arguments: [true, false])
    func deadline(isDripping: Bool) async throws {
        let server = try MisbehavingServer.ofTest(isDripping ? .drip(every: .milliseconds(20)) : .silence)
        let result = try await helper.run([], input: Data("\(server.url())\n1\n1000000\n\n".utf8))
        #expect(result.exitStatus == 1)
        let error = try JSONDecoder().decode(TransportError.self, from: result.standardError)
        #expect(error == .deadlineExceeded(seconds: 1))
    }

    @Test("quakes-fetch exits when its output pipe is closed") func endsWithReader() async throws {
        let server = try MisbehavingServer.ofTest(.silence)
        let request = "\(server.url())\\n500\\n1000\\n\\n"
        let script = "printf '\(request)' | { \(helper.executable); echo ended >&2; } | sleep 0.2"
        #expect(try await ProcessRunner(path: "/bin/sh").run("-c", script).errorOutput == "ended\n")
    }

    @Test("quakes-fetch creates no files in the home folder") func home() async throws {
        let home = try ScratchDirectory.ofTest()
        let server = try FeedServer.ofTest()
        server.serve(.document(Data("body".utf8)), at: "/feed")
        var environment = ["HOME": home.url.path]
        for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            environment[name] = home.path(name)
        }
        #expect(try await Download.get(server.url("/feed"), environment: environment).status == 200)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.url.path) == [])
    }

    @Test("quakes-fetch uses less than 0.3 s of CPU time while it waits 2 s for a response") func idleWait()
        async throws
    {
        let server = try MisbehavingServer.ofTest(.silence)
        let helper = BuiltProduct.path("quakes-fetch")
        // The shell's `times` prints its own times, then those of its children, in minutes and seconds.
        let script = "printf '\(server.url())\\n2\\n1000\\n\\n' | \(helper); times"
        let result = try await ProcessRunner(path: "/bin/sh").run("-c", script)
        #expect(result.errorOutput.contains("deadlineExceeded"))
        let seconds = result.output.split(whereSeparator: \.isWhitespace).suffix(2).map { time in
            time.split(whereSeparator: { "ms".contains($0) }).compactMap { Double($0) }.reduce(0) { $0 * 60 + $1 }
        }
        try #require(seconds.count == 2)
        #expect(seconds.reduce(0, +) < 0.3, "\(result.output)")
    }
}
