import Glibc

/// A shell command that reads from this program. If the owner drops the object without waiting, the command gets
/// SIGTERM, because its input was incomplete, and SIGKILL if it is still running two seconds later.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT are held back. The owner checks for them (``isInterrupted()``) and forwards them
/// (``endWithSignal()``) to the command and its children; otherwise, their input would simply seem to end. The command
/// leads its own process group, except on a terminal, where Ctrl-C reaches every program and only the foreground group
/// may read the keyboard.
package final class CommandReceiver {
    private let signals = HeldSignals()
    private var process: ChildProcess?
    private var pipe: Descriptor?
    /// The descriptor for writing to the command's standard input; -1 after the end of the input.
    package private(set) var input: Int32 = -1

    /// Starts `/bin/sh -c command` with this program's standard output and standard error.
    ///
    /// - Parameter variables: The environment variables; nil to use the variables of this process.
    package init(_ command: String, variables: [String: String]? = nil) throws(SystemError) {
        signals.hold()
        let ends = try DescriptorPair.pipe()
        process = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", command], environment: variables,
            streams: [(STDIN_FILENO, ends.theirs.number)], dropSignal: SIGTERM, leadsGroup: !Self.ownsTerminal)
        input = ends.ours.number
        pipe = ends.closingTheirs()
    }

    deinit {
        // Send the signal before closing the pipe; otherwise, the command would take the closed pipe for the end of the
        // records.
        send(SIGTERM)
        pipe = nil
        signals.release()
    }

    /// Whether a signal to end this program has arrived.
    package func isInterrupted() -> Bool { signals.arrived != nil }

    /// Forwards the received signal to the command and waits until the command has ended. Then the signal also ends
    /// this process, unless the owner holds it back, too.
    package func endWithSignal() {
        send(signals.arrived ?? SIGTERM)
        // A command that ignores the signal must not outlive this program.
        if !hasEnded(within: .seconds(2)) { send(SIGKILL) }
        signals.release()
    }

    /// Ends the command's input, waits until the command has ended, and returns how it ended; nil if a signal arrived
    /// meanwhile.
    ///
    /// - Parameter meanwhile: Called every few milliseconds with the time waited so far.
    package func wait(meanwhile: (Duration) -> Void = { _ in }) -> ChildProcess.Ending? {
        pipe = nil
        input = -1
        let start = ContinuousClock.now
        while !hasEnded(within: .zero) {
            if signals.wait(upTo: .milliseconds(5)) { return nil }
            meanwhile(ContinuousClock.now - start)
        }
        signals.release()
        // An unknown ending counts as a failure.
        return process.take()?.wait() ?? .signaled(0)
    }

    private func hasEnded(within duration: Duration) -> Bool {
        switch process {
        case .some(let process): process.hasEnded(within: duration)
        case .none: true
        }
    }

    private func send(_ signal: Int32) {
        switch process {
        case .some(let process): process.send(signal)
        case .none: break
        }
    }

    /// Whether this process is in the foreground of its terminal.
    private static var ownsTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
