import Foundation
import Glibc
import QuakeTestSupport
import Testing

@Suite("The runner that the tests themselves rely on", .timeLimit(.minutes(5)))
struct ProcessRunnerTests {
    private let shell = ProcessRunner(path: "/bin/sh", environment: ["COLOR": "red", "HOME": nil])

    @Test("Passes arguments, environment and input, and keeps both outputs apart")
    func exchange() async throws {
        let result = try await shell.run(
            "-c", "cat; echo $0 $COLOR ${HOME-homeless} >&2; exit 3", "quakes", input: Data("in".utf8))
        #expect(result.ending == .exited(3) && result.exitStatus == 3)
        #expect(result.output == "in")
        #expect(result.errorOutput == "quakes red homeless\n")
    }

    @Test("Tells a signal from a status")
    func signal() async throws {
        let result = try await shell.run("-c", "kill -TERM $$")
        #expect(result.ending == .signalled(SIGTERM) && result.exitStatus == nil)
    }

    @Test("Reads lines while the program runs, and stops it")
    func running() async throws {
        let (lines, left) = try await shell.whileRunning(["-c", "echo one; echo two; exec sleep 60"]) { process in
            [try await process.nextLine(), try await process.nextLine()]
        }
        #expect(lines == ["one", "two"])
        #expect(left.ending == .signalled(SIGTERM))
    }

    @Test("Lets a program end by itself after a signal")
    func endsByItself() async throws {
        let script = "trap 'echo bye; exit 5' INT; echo ready; while :; do sleep 0.01; done"
        let (lines, left) = try await shell.whileRunning(["-c", script]) { process in
            let first = try await process.nextLine()
            process.send(signal: SIGINT)
            return [first ?? ""] + (try await process.remainingLines())
        }
        #expect(lines == ["ready", "bye"])
        #expect(left.exitStatus == 5)
    }

    @Test("Measures the memory of the program, not of the tests")
    func memory() async throws {
        let result = try await shell.runMeasuringMemory(["-c", "sleep 0.5; exit 0"])
        #expect(try #require(result.peakMegabytes) < 20)
        #expect(try #require(result.peakMegabytes) > 0.1)
    }
}
