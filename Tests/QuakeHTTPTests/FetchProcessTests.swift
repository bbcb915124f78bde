import Foundation
import Glibc
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeHTTP

/// Helpers that violate the protocol: shell scripts that replace the helper.
@Suite("Running the download helper", .endsInTime, .scratch) struct FetchProcessTests {
    private let head = "printf '200\\nhttp://a/\\nETag: 1\\n\\n'"

    private func get(
        helper script: String, deadline: Duration = .seconds(40), bodyLimit: Int = 1000,
        monitor: TransferMonitor = TransferMonitor()
    ) async throws -> TransportResponse {
        try await withScratchDirectory { scratch in
            let path = try await scratch.writeProgram(script, to: "helper")
            return try await onOwnThread {
                var transport = FetchProcess(helper: path)
                transport.gracePeriod = .milliseconds(200)
                let request = TransportRequest(url: "http://a/", deadline: deadline, bodyLimit: bodyLimit)
                return try transport.get(request, monitor: monitor)
            }
        }
    }

    @Test("FetchProcess sends the request to the download helper and reads back the response") func exchange()
        async throws
    {
        let response = try await get(helper: "request=$(cat); \(head); printf '%s\\n\\n' \"$request\"")
        #expect(response.status == 200 && response.url == "http://a/")
        #expect(response.headers == ["etag": "1"])
        let request = TransportRequest(lines: response.body)
        #expect(request == TransportRequest(url: "http://a/", deadline: .seconds(40), bodyLimit: 1000))
    }

    @Test("Download progress is reported from 0 bytes to the last byte, with the expected size")
    func progress() async throws {
        let seen = Mutex<[DownloadProgress]>([])
        let head = "printf '200\\nhttp://a/\\nContent-Length: 6\\n\\n'"
        let monitor = TransferMonitor { progress in
            seen.withLock { $0.append(progress) }
            return true
        }
        let response = try await get(helper: "cat >/dev/null; \(head); printf abcdef", monitor: monitor)
        let all = seen.withLock { $0 }
        #expect(response.body == Data("abcdef".utf8))
        #expect(
            all.first == DownloadProgress(receivedBytes: 0)
                && all.last == DownloadProgress(receivedBytes: 6, expectedBytes: 6))
    }

    @Test("A progress handler that returns false ends the download") func endedByProgressHandler() async throws {
        await #expect(throws: TransportError.interrupted) {
            try await get(helper: "\(head); exec sleep 60", monitor: TransferMonitor { _ in false })
        }
    }

    @Test(
        "A download helper that fails, or does not exit after its response, throws helperFailed",
        arguments: [
            ("cat >/dev/null; HEAD; printf body; echo noise >&2; exit 1", 1, "noise"),
            ("echo no such library >&2; exit 127", 127, "no such library"),
            (
                "cat >/dev/null; HEAD; printf body; exec <&- >&- 2>&-; exec sleep 300", 0,
                "it did not end after its response"
            ),
        ])
    func failingHelper(script: String, status: Int, detail: String) async throws {
        await #expect(throws: TransportError.helperFailed(status: status, detail: detail)) {
            try await get(helper: script.replacing("HEAD", with: head))
        }
    }

    @Test("The download helper's environment disables data folders, logs and backtraces")
    func environment() async throws {
        let response = try await get(
            helper: "cat >/dev/null; \(head); echo $XDG_DATA_HOME $XDG_CACHE_HOME $SWIFT_BACKTRACE $LIBDISPATCH_LOG")
        #expect(String(decoding: response.body, as: UTF8.self) == "/dev/null /dev/null enable=no NO\n")
    }

    @Test("An error that the download helper writes to standard error is thrown to the caller") func namedError()
        async throws
    {
        let error = TransportError(.unreachable, "Cannot connect to a.", remedy: "Check it.")
        let line = String(decoding: try JSONEncoder().encode(error), as: UTF8.self)
        await #expect(throws: error) {
            try await get(helper: "\(head); echo noise >&2; echo '\(line)' >&2; exit 1")
        }
    }

    @Test(
        "If the download helper crashes, the error blames the response and names its URL",
        arguments: [
            ("echo 'Fatal error: no response' >&2; kill -ILL $$", .connectionLost, "connection to a was lost"),
            ("HEAD; kill -TRAP $$", .unusableResponse, "has a header that cannot be read"),
            ("HEAD; kill -SEGV $$", .helperCrashed, "The download helper"),
        ] as [(String, TransportError.Kind, String)])
    func crash(script: String, kind: TransportError.Kind, words: String) async throws {
        let error = try #require(
            await #expect(throws: TransportError.self) {
                try await get(helper: script.replacing("HEAD", with: head))
            })
        #expect(error.kind == kind && error.words.contains(words))
        #expect(error.words.contains("probably because of the response from http://a/"))
        #expect(error.detail?.hasSuffix("no response") == script.contains("no response"))
    }

    @Test(
        "If SIGINT, SIGTERM or SIGHUP ends the download helper, the download throws \"interrupted\"",
        arguments: ["INT", "TERM", "HUP"])
    func interrupted(signal: String) async throws {
        await #expect(throws: TransportError.interrupted) { try await get(helper: "kill -\(signal) $$; sleep 10") }
    }

    @Test(
        "If the download helper hangs, the download ends with an error after the deadline",
        arguments: ["exec sleep 600", "printf 200; exec sleep 600"])
    func hangingHelper(script: String) async throws {
        await #expect(throws: TransportError.deadlineExceeded(seconds: 0.1)) {
            try await get(helper: script, deadline: .milliseconds(100))
        }
    }

    @Test("A canceled download ends with \"interrupted\" even if its helper hangs", arguments: ["", "printf 200;"])
    func canceled(script: String) async throws {
        let scratch = try ScratchDirectory.ofTest()
        let started = scratch.path("started")
        let monitor = TransferMonitor()
        let answer = Task {
            try await get(helper: "\(script) >\(started); exec sleep 300", deadline: .seconds(300), monitor: monitor)
        }
        while access(started, F_OK) != 0 { try await Task.sleep(for: .milliseconds(2)) }
        monitor.cancel()
        await #expect(throws: TransportError.interrupted) { try await answer.value }
    }

    @Test("A body beyond the size limit is rejected even if the download helper delivers it") func bodyBeyondLimit()
        async throws
    {
        await #expect(throws: TransportError.bodyTooLarge(limit: 10)) {
            try await get(helper: "\(head); echo 12345678901; exec sleep 60", bodyLimit: 10)
        }
    }

    @Test(
        "If the download helper prints no complete response header, helperFailed is thrown",
        arguments: ["exit 0", "printf '{}\\n\\n'", "echo no head", "printf '200\\nhttp://a/\\n'"])
    func noHeader(script: String) async throws {
        let error = await #expect(throws: TransportError.self) { try await get(helper: script) }
        #expect(error?.kind == .helperFailed)
    }

    @Test(
        "A response header that the download helper prints in pieces is read completely",
        arguments: [1, 2, 24, 25, 26, 27])
    func headerInPieces(size: Int) async throws {
        let script = """
            answer=$(printf '200\\nhttp://a/\\nETag: 1\\n\\nbody\\n\\nmore'; echo .)
            rest=${answer%.}
            while [ -n "$rest" ]; do
                printf '%s' "$rest" | head -c \(size)
                rest=$(printf '%s.' "$rest" | tail -c +$((\(size) + 1))); rest=${rest%.}
                sleep 0.01
            done
            """
        let response = try await get(helper: script)
        #expect(response.status == 200 && response.headers == ["etag": "1"])
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("body\n\nmore"))
    }

    @Test("If the download helper is missing, the error contains the path that was searched") func missingHelper()
        throws
    {
        #expect(throws: TransportError.helperMissing(searched: ["/nowhere/quakes-fetch"])) {
            try FetchProcess(helper: "/nowhere/quakes-fetch").get(
                TransportRequest(url: "http://a/", deadline: .seconds(1)))
        }
    }

    @Test("The download helper is searched for beside the program, then in ../libexec/quakes") func location() throws {
        let scratch = try ScratchDirectory.ofTest()
        let program = scratch.path("bin/quakes")
        let candidates = [scratch.path("bin/quakes-fetch"), scratch.path("bin/../libexec/quakes/quakes-fetch")]
        #expect(throws: TransportError.helperMissing(searched: candidates)) {
            try FetchProcess.locate(besides: program)
        }
        for directory in ["bin", "libexec/quakes"] {
            try FileManager.default.createDirectory(atPath: scratch.path(directory), withIntermediateDirectories: true)
        }
        try scratch.write(Data(), to: "libexec/quakes/quakes-fetch")
        #expect(chmod(candidates[1], 0o755) == 0)
        #expect(try FetchProcess.locate(besides: program) == candidates[1])
        try scratch.write(Data(), to: "bin/quakes-fetch")
        #expect(chmod(candidates[0], 0o755) == 0)
        #expect(try FetchProcess.locate(besides: program) == candidates[0])
    }
}
