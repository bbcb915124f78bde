import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

/// Serialized: each test moves hundreds of megabytes.
@Suite(
    "Memory of downloads", .serialized, .endsInTime, .scratch,
    .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
struct MemoryTests {
    private let helper = ProcessRunner("quakes-fetch")

    private func request(_ url: String) throws -> Data {
        Data(try #require(TransportRequest(url: url, deadline: .seconds(60)).lines))
    }

    /// Refreshes from a server that sends a body of spaces. On a busy machine, a program that ends at once may end
    /// before it is measured, and is run again.
    private func refresh(bytes: Int, isAnnounced: Bool) async throws -> ProcessResult {
        let server = try MisbehavingServer.ofTest(.hugeBody(bytes: bytes, isAnnounced: isAnnounced))
        let path = try ScratchDirectory.ofTest().path("quakes.db")
        let runner = ProcessRunner(environment: ["QUAKES_DB": path])
        for _ in 0..<9 {
            let result = try await runner.runMeasuringMemory(["refresh", server.url()])
            if result.peakMegabytes != nil, result.childPeakMegabytes != nil { return result }
        }
        return try await runner.runMeasuringMemory(["refresh", server.url()])
    }

    @Test(
        "quakes refresh and quakes-fetch each use under 100 MB of memory to reject a 300 MB body",
        arguments: [true, false])
    func rejectedBody(isAnnounced: Bool) async throws {
        let result = try await refresh(bytes: 300_000_000, isAnnounced: isAnnounced)
        #expect(result.exitStatus == 65 && result.errorOutput.contains("larger than"), "\(result.errorOutput)")
        #expect(try #require(result.peakMegabytes) < 100 && #require(result.childPeakMegabytes) < 100)
    }

    @Test("quakes refresh needs less than 80 MB more memory to reject a body of 60 MB than of 1 byte")
    func largeBody() async throws {
        let (none, large) = (
            try await refresh(bytes: 1, isAnnounced: true), try await refresh(bytes: 60_000_000, isAnnounced: true)
        )
        for result in [none, large] {
            #expect(result.exitStatus == 65 && result.errorOutput.contains("is not a valid feed"))
        }
        #expect(try #require(large.peakMegabytes) - #require(none.peakMegabytes) < 80)
    }

    @Test("quakes-fetch rejects an endless body of tiny chunks with less than 100 MB of memory", arguments: [1, 500])
    func tinyChunks(bytes: Int) async throws {
        let server = try MisbehavingServer.ofTest(.endlessChunks(bytes: bytes))
        let script = ProcessRunner(path: "/bin/sh")
        let result = try await script.runMeasuringMemory(
            ["-c", "\(helper.executable) | cat >/dev/null"], input: try request(server.url()))
        #expect(result.errorOutput.contains("too many pieces (100001)"), "\(result.errorOutput)")
        #expect(try #require(result.childPeakMegabytes) < 100)
    }

    // Proves promise 17 of reliability.md.
    @Test(
        "quakes-fetch needs less than 150 MB of memory for any kind of hostile response", arguments: HostileAnswer.all)
    func hostileResponse(answer: HostileAnswer) async throws {
        let server = try MisbehavingServer.ofTest(answer.misbehavior)
        let script = ProcessRunner(path: "/bin/sh")
        let result = try await script.runMeasuringMemory(
            ["-c", "\(helper.executable) | cat >/dev/null"], input: try request(server.url()))
        #expect(try #require(result.childPeakMegabytes) < 150)
        #expect(result.errorOutput.contains("only gzip was requested") == answer.isRefused, "\(result.errorOutput)")
    }

    @Test("quakes-fetch passes 60 MB to a slow reader with less than 50 MB of memory")
    func slowReader() async throws {
        let server = try MisbehavingServer.ofTest(.hugeBody(bytes: 60_000_000, isAnnounced: true))
        let script = ProcessRunner(path: "/bin/sh")
        let result = try await script.runMeasuringMemory(
            ["-c", "\(helper.executable) | (sleep 1; wc -c)"], input: try request(server.url()))
        #expect(try #require(Int(result.output.filter { $0.isNumber })) > 60_000_000)
        #expect(try #require(result.childPeakMegabytes) < 50)
    }
}
