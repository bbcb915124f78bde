import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

@Suite("Running an --exec command", .endsInTime, .scratch) struct CommandReceiverTests {
    @Test("An --exec command that ignores both SIGTERM and the end of its input is killed")
    func deafCommandIsKilled() async throws {
        let directory = try ScratchDirectory.ofTest()
        let ready = directory.path("ready")
        try #require(mkfifo(ready, 0o600) == 0)
        try await onOwnThread {
            let command = "trap '' TERM; : > \(ready); exec sleep 300"
            let receiver = try CommandReceiver(command)
            // Opening waits until the command, which by then ignores the signal, opens the other end.
            close(open(ready, O_RDONLY))
            #expect(receiver.input >= 0)
        }
    }
}
