import Foundation
import Glibc
import QuakeTestSupport
import Testing

@Suite("Waiting for a server", .timeLimit(.minutes(5)))
struct DownloadWaitTests {
    @Test("A wait of 2 s for an answer costs the helper next to no processor time")
    func idleWait() async throws {
        try await withMisbehavingServer(.silence) { server in
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
}
