import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

/// Serialized: each test moves hundreds of megabytes. Tests of this process's own memory run in separate processes.
@Suite(
    "Memory", .serialized, .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
struct MemoryTests {
    private static let size = 300_000_000
    private let helper = ProcessRunner("quakes-fetch")

    private func request(_ url: String) throws -> Data {
        Data(try #require(TransportRequest(url: url, deadline: .seconds(60)).lines))
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

    @Test("The helper refuses an endless body in tiny chunks under 100 MB", arguments: [1, 500])
    func tinyChunks(bytes: Int) async throws {
        try await withMisbehavingServer(.endlessChunks(bytes: bytes)) { server in
            let script = ProcessRunner(path: "/bin/sh")
            let result = try await script.runMeasuringMemory(
                ["-c", "\(helper.executable) | cat >/dev/null"], input: try request(server.url()))
            #expect(result.errorOutput.contains("in 100001 pieces"), "\(result.errorOutput)")
            #expect(try #require(result.childPeakMegabytes) < 100)
        }
    }

    @Test("A slow reader slows the server down, not the helper's memory up")
    func slowReader() async throws {
        try await withMisbehavingServer(.hugeBody(bytes: 60_000_000, isAnnounced: true)) { server in
            let script = ProcessRunner(path: "/bin/sh")
            let result = try await script.runMeasuringMemory(
                ["-c", "\(helper.executable) | (sleep 1; wc -c)"], input: try request(server.url()))
            #expect(try #require(Int(result.output.filter { $0.isNumber })) > 60_000_000)
            #expect(try #require(result.childPeakMegabytes) < 50)
        }
    }

    @Test("The program that asked refuses 300 MB under 100 MB more, announced or not")
    func callerRefuses() async throws {
        try await alone("callerRefuses") {
            for isAnnounced in [true, false] {
                try await withMisbehavingServer(.hugeBody(bytes: Self.size, isAnnounced: isAnnounced)) { server in
                    let growth = try await ownGrowth {
                        await #expect(throws: TransportError.bodyTooLarge(limit: TransportRequest.defaultBodyLimit)) {
                            try await Download.get(server.url(), deadline: .seconds(60))
                        }
                    }
                    #expect(growth < 100)
                }
            }
        }
    }

    @Test("A body of 60 MB is taken under 80 MB more")
    func largeBody() async throws {
        try await alone("largeBody") {
            try await withMisbehavingServer(.hugeBody(bytes: 60_000_000, isAnnounced: true)) { server in
                let growth = try await ownGrowth {
                    let response = try await Download.get(server.url(), deadline: .seconds(60))
                    #expect(response.body.count == 60_000_000)
                    #expect(response.body[59_999_999] == 0x20)
                }
                #expect(growth < 80)
            }
        }
    }

    /// Runs `work` where nothing else uses memory: this process starts the test called `name` again, alone.
    private func alone(_ name: String, _ work: () async throws -> Void) async throws {
        let mark = "QUAKES_TEST_ALONE"
        guard ProcessInfo.processInfo.environment[mark] == nil else { return try await work() }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let result = try await ProcessRunner(path: tests, environment: [mark: "1"])
            .run("--testing-library", "swift-testing", "--filter", "MemoryTests/\(name)")
        #expect(result.exitStatus == 0, "\(result.output)\(result.errorOutput)")
    }

    /// Returns the maximum growth of this process in megabytes while `work` ran.
    private func ownGrowth(_ work: () async throws -> Void) async throws -> Double {
        // Writing 5 resets the kernel's record of the peak (proc_pid_clear_refs(5)).
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try ownPeak()
        try await work()
        return try ownPeak() - before
    }

    private func ownPeak() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Double($0) }) / 1024
    }
}
