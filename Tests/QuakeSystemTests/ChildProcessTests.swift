import Foundation
import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

@Suite("Child processes", .endsInTime) struct ChildProcessTests {
    private func ending(_ script: String) throws -> ChildProcess.Ending? {
        try ChildProcess("/bin/sh", arguments: ["sh", "-c", script], streams: [], dropSignal: SIGKILL).wait()
    }

    @Test("A child process that exits is distinguished from one killed by a signal") func endings() throws {
        #expect(try ending("exit 3") == .exited(3))
        #expect(try ending("kill -KILL $$") == .signaled(SIGKILL))
    }

    @Test("A signal that the parent process blocks can still terminate a child process") func blockedSignals()
        async throws
    {
        let ending = try await onOwnThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGTERM)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            return try self.ending("kill -TERM $$; exit 0")
        }
        #expect(ending == .signaled(SIGTERM))
    }

    @Test("A child process gets the given environment variables or, without any, its parent's") func variables() throws
    {
        let script = "[ \"$QUAKES_TEST\" = 1 ] && [ -z \"$HOME\" ]"
        let given = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", script], environment: ["QUAKES_TEST": "1"], streams: [],
            dropSignal: SIGKILL)
        #expect(given.wait() == .exited(0))
        #expect(try ending("[ \"$PATH\" = '\(ProcessInfo.processInfo.environment["PATH"] ?? "")' ]") == .exited(0))
    }

    @Test("A child process gets the chosen signal when its handle is released", arguments: [SIGTERM, SIGKILL])
    func dropped(signal: Int32) throws {
        let ours = try startAndDrop(signal: signal)
        var output = [UInt8](repeating: 0, count: 100)
        var text = ""
        while case let count = output.withUnsafeMutableBytes({ ours.read(into: $0) }), count > 0 {
            text += String(decoding: output[..<count], as: UTF8.self)
        }
        #expect(text == (signal == SIGTERM ? "ready\nterminated\n" : "ready\n"))
    }

    @Test("A child process that ignores SIGTERM is killed with its group two seconds later")
    func droppedAndDeaf() throws {
        let output = try DescriptorPair.sockets()
        let clock = ContinuousClock()
        let script = "trap '' TERM; sleep 300 & echo ready; while :; do sleep 300; done"
        let child = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", script], streams: [(STDOUT_FILENO, output.theirs.number)],
            dropSignal: SIGTERM, leadsGroup: true)
        var waiting = pollfd(fd: output.ours.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 10_000) == 1)
        let start = clock.now
        _ = consume child
        #expect((.seconds(2)...(.seconds(20))).contains(clock.now - start))
        let ours = output.closingTheirs()
        var bytes = [UInt8](repeating: 0, count: 100)
        // The end comes once the last of them has ended.
        while bytes.withUnsafeMutableBytes({ ours.read(into: $0) }) > 0 {}
    }

    /// Returns our end of the output of a child that was dropped once it was ready.
    private func startAndDrop(signal: Int32) throws -> Descriptor {
        let output = try DescriptorPair.sockets()
        let script = "trap 'echo terminated; exit' TERM; echo ready; while :; do read line; done"
        let child = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", script],
            streams: [(STDIN_FILENO, output.theirs.number), (STDOUT_FILENO, output.theirs.number)], dropSignal: signal)
        var waiting = pollfd(fd: output.ours.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 10_000) == 1)
        _ = consume child
        return output.closingTheirs()
    }

    @Test("Starting a missing program throws ENOENT") func missingProgram() {
        #expect { try ChildProcess("/nowhere/a", arguments: ["a"], streams: [], dropSignal: SIGKILL).wait() } throws: {
            ($0 as? SystemError)?.code == ENOENT
        }
    }
}
