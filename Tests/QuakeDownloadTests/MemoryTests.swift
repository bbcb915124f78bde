import Foundation
import QuakeFeed
import QuakeTestSupport
import Testing

/// Serialized: each moves hundreds of megabytes. What takes a body in this process does so in one of its own.
@Suite("Memory", .serialized, .timeLimit(.minutes(2)))
struct MemoryTests {
    private static let size = 300_000_000
    private let helper = ProcessRunner("quakes-fetch")

    private func request(_ url: String) throws -> Data {
        Data(try #require(HTTPRequest(url: url, deadline: .seconds(60)).lines))
    }

    @Test("The helper refuses 300 MB under 100 MB, announced or not", arguments: [true, false])
    func helperRefuses(isAnnounced: Bool) async throws {
        try await withMisbehavingServer(.hugeBody(bytes: Self.size, isAnnounced: isAnnounced)) { server in
            let script = ProcessRunner(path: "/bin/sh")
            let result = try await script.runMeasuringMemory(
                ["-c", "\(helper.executable) | cat >/dev/null"], input: try request(server.url()))
            #expect(result.errorOutput.contains("bodyTooLarge"))
            #expect(try #require(result.childPeakMegabytes) < 100)
        }
    }

    @Test("A slow reader slows the server down, not the helper's memory up")
    func slowReader() async throws {
        try await withMisbehavingServer(.hugeBody(bytes: 150_000_000, isAnnounced: true)) { server in
            let script = ProcessRunner(path: "/bin/sh")
            let result = try await script.runMeasuringMemory(
                ["-c", "\(helper.executable) | (sleep 1; wc -c)"], input: try request(server.url()))
            #expect(try #require(Int(result.output.filter { $0.isNumber })) > 150_000_000)
            #expect(try #require(result.childPeakMegabytes) < 100)
        }
    }

    @Test("The program that asked refuses 300 MB under 100 MB more, announced or not", arguments: [true, false])
    func callerRefuses(isAnnounced: Bool) async throws {
        await #expect(processExitsWith: .success) { [isAnnounced] in
            try await withMisbehavingServer(.hugeBody(bytes: Self.size, isAnnounced: isAnnounced)) { server in
                let growth = try await Self.growth {
                    await #expect(throws: TransportError.bodyTooLarge(limit: HTTPRequest.defaultBodyLimit)) {
                        try await Download.get(server.url(), deadline: .seconds(60))
                    }
                }
                #expect(growth < 100)
            }
        }
    }

    @Test("A body of 200 MB is taken under 100 MB more")
    func largeBody() async throws {
        await #expect(processExitsWith: .success) {
            try await withMisbehavingServer(.hugeBody(bytes: 200_000_000, isAnnounced: true)) { server in
                let growth = try await Self.growth {
                    let response = try await Download.get(server.url(), deadline: .seconds(60))
                    #expect(response.body.count == 200_000_000)
                    #expect(response.body[199_999_999] == 0x20)
                }
                #expect(growth < 100)
            }
        }
    }

    /// By how many megabytes this process grew at most while `work` ran.
    private static func growth(_ work: () async throws -> Void) async throws -> Double {
        // Writing 5 makes the kernel forget the peak so far (proc_pid_clear_refs(5)).
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try peak()
        try await work()
        return try peak() - before
    }

    private static func peak() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Double($0) }) / 1024
    }
}
