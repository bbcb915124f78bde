import Glibc

/// A shell command that reads from us. When its owner drops it without waiting, it gets SIGTERM, because what it read
/// was incomplete, and two seconds later SIGKILL.
///
/// A signal that ends this program is sent on to the command and what it has started, whose input would otherwise seem
/// to end: INT, TERM, HUP and QUIT wait until the owner asks for them (``isInterrupted()``). The command is a process
/// group of its own, except on a terminal, where Ctrl-C reaches every program and only the foreground may read the keys.
package final class CommandReceiver {
    private let signals = HeldSignals()
    private var process: ChildProcess?
    private var pipe: Descriptor?

    /// Starts `/bin/sh -c command` with our standard output and standard error.
    ///
    /// - Parameter variables: Its environment; nil for that of this process.
    package init(_ command: String, variables: [String: String]? = nil) throws(SystemError) {
        signals.hold()
        let ends = try DescriptorPair.pipe()
        process = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", command], environment: variables,
            streams: [(STDIN_FILENO, ends.theirs.number)], dropSignal: SIGTERM, leadsGroup: !Self.ownsTerminal)
        pipe = ends.closingTheirs()
    }

    deinit {
        // The signal comes first: the end of its input would look like the end of the records.
        send(SIGTERM)
        pipe = nil
        signals.release()
    }

    /// What the command reads from; ours to write to.
    package var input: Int32 {
        switch pipe {
        case .some(let pipe): pipe.number
        case .none: -1
        }
    }

    /// Whether a signal has arrived that is to end this program.
    package func isInterrupted() -> Bool { signals.arrived != nil }

    /// Sends the signal that has arrived on to the command, and ends this process by it, after the command, unless the
    /// owner holds it back too.
    package func endWithSignal() {
        send(signals.arrived ?? SIGTERM)
        // One that ignores the signal must not outlive this program.
        if !hasEnded(within: .seconds(2)) { send(SIGKILL) }
        signals.release()
    }

    /// Tells the command that there is no more, and waits until it has ended. Nil when a signal arrived meanwhile.
    ///
    /// - Parameter meanwhile: Called every few milliseconds, with the time that this has waited.
    package func wait(meanwhile: (Duration) -> Void = { _ in }) -> ChildProcess.Ending? {
        pipe = nil
        let start = ContinuousClock.now
        while !hasEnded {
            if signals.wait(upTo: .milliseconds(5)) { return nil }
            meanwhile(ContinuousClock.now - start)
        }
        signals.release()
        // An unknown ending counts as a failure.
        return process.take()?.wait() ?? .signaled(0)
    }

    private var hasEnded: Bool {
        switch process {
        case .some(let process): process.hasEnded
        case .none: true
        }
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

    /// Whether this process belongs to the foreground of its terminal.
    private static var ownsTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
