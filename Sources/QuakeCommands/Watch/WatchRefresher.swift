import Glibc
import QuakeModel
import QuakeSystem

/// Runs `quakes refresh` in a process of its own, at most once in an interval, and tells when it begins to fail and
/// when it succeeds again.
///
/// A process of its own gives its memory back and cannot stop the watch (decision 0211); while nothing is due there is
/// none.
final class WatchRefresher {
    /// A failure that a person must mend, such as a cache of a newer version.
    struct Fatal: Error {
        var status: ExitStatus
    }

    private let arguments: [String]
    private let variables: [String: String]
    private let interval: Duration
    private let errors: StandardStream
    private let isQuiet: Bool
    var ringsBell = false
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant
    private var child: Child?
    /// How the first refresh ended of those that failed since the last that succeeded.
    private var failure: ExitStatus?
    /// Whether a command has the terminal.
    private var commandRuns = false
    private var hasToldOfCommand = false
    private var lastFailure: String?
    /// The second for which the last line was drawn; nil while there is none.
    private var drawnSecond: Int64?

    /// A refresh that is running, and what it writes to standard error.
    private final class Child {
        private var process: ChildProcess?
        private let output: UnlinkedFile

        init(_ arguments: [String], _ variables: [String: String]) throws(SystemError) {
            output = try UnlinkedFile(in: UnlinkedFile.folder(variables["TMPDIR"]))
            guard let program = ProgramArguments.executable else { throw SystemError(ENOENT) }
            process = try output.withDescriptor { number throws(SystemError) in
                try ChildProcess(
                    program, arguments: ["quakes"] + arguments, environment: variables,
                    streams: [(STDERR_FILENO, number)], dropSignal: SIGTERM)
            }
        }

        var hasEnded: Bool {
            switch process {
            case .some(let process): process.hasEnded
            case .none: true
            }
        }

        /// How it ended, and what it wrote.
        func result() -> (ending: ChildProcess.Ending, text: String) {
            let ending = process.take()?.wait() ?? .signalled(0)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = bytes.withUnsafeMutableBytes { output.read(into: $0, at: 0) }
            return (ending, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
    }

    init(arguments: [String], variables: [String: String], interval: Duration, errors: StandardStream, isQuiet: Bool) {
        (self.arguments, self.variables, self.interval) = (arguments, variables, interval)
        (self.errors, self.isQuiet) = (errors, isQuiet)
        next = clock.now
    }

    /// Starts a refresh that is due, and takes note of one that has ended.
    func tick() throws {
        if let child {
            guard child.hasEnded else { return draw("reading the feed") }
            self.child = nil
            try note(child.result())
        } else if clock.now >= next {
            next = clock.now + interval
            do throws(SystemError) {
                child = try Child(arguments, variables)
            } catch {
                fail("quakes: Cannot start a refresh: \(error.reason).")
            }
        } else {
            let seconds = (next - clock.now).components.seconds
            draw("next poll in \(seconds) s\(failure != nil ? "; the last one failed" : "")", second: seconds)
        }
    }

    private func note(_ result: (ending: ChildProcess.Ending, text: String)) throws {
        switch result.ending {
        case .exited(ExitStatus.success.rawValue):
            if let failure {
                say("quakes: The \(failure == .storageFailure ? "cache can be written" : "feeds can be read") again.")
            }
            failure = nil
        // The server asked for a pause, or another process is writing, and that has not lasted long.
        case .exited(ExitStatus.tryLater.rawValue) where result.text.isEmpty: break
        case .exited(let status):
            // On a full disk there may be no text.
            let text = result.text.isEmpty ? "quakes: The refresh exited with status \(status)." : result.text
            let status = ExitStatus(rawValue: status) ?? .failure
            let isFatal = [.usage, .unsupportedCache].contains(status)
            // What ends the watch is said, whatever failed before.
            if isFatal { failure = nil }
            fail(text, status)
            if isFatal { throw Fatal(status: status) }
        case .signalled: fail("quakes: The refresh was killed.")
        }
    }

    private func fail(_ text: String, _ status: ExitStatus = .failure) {
        // Of several feeds that fail at once the first is enough.
        if failure == nil, let line = text.split(separator: "\n").first { say(String(line), isFailure: true) }
        failure = failure ?? status
    }

    /// ``tick()`` while a command runs for the quake `id`, which has the terminal meanwhile. Tells once that it takes
    /// long.
    func tick(whileCommandRunsFor id: String?, _ duration: Duration) {
        erase()
        commandRuns = true
        defer { commandRuns = false }
        // What must end the watch is found again by the next refresh, after the command.
        try? tick()
        remark(onCommandFor: id, runningFor: duration)
    }

    func remark(onCommandFor id: String?, runningFor duration: Duration) {
        let isLong = duration >= .seconds(60)
        if isLong, !hasToldOfCommand {
            let command = "The command\(id.map { " for \($0)" } ?? "")"
            say("quakes: \(command) is still running after 1 minute; later changes wait for it.")
        }
        hasToldOfCommand = isLong
    }

    /// Writes a line. A failure is not repeated right after itself: a refresh and its watch may have the same.
    func say(_ line: String, isFailure: Bool = false) {
        if isFailure, line == lastFailure { return }
        lastFailure = isFailure ? line : nil
        erase()
        errors.writeLine(line)
    }

    func willWrite() {
        erase()
        if ringsBell { write("\u{7}") }
    }

    private func draw(_ text: String, second: Int64 = -1) {
        guard errors.isTerminal, !isQuiet, !commandRuns, drawnSecond != second else { return }
        drawnSecond = second
        write("\r\u{1B}[K" + DisplayWidth.fitted(text, columns: max(1, errors.terminalColumns - 1)))
    }

    /// Takes the last line away.
    func erase() {
        guard drawnSecond != nil else { return }
        drawnSecond = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        guard errors.isTerminal else { return }
        let writer = errors.writerForPeople
        writer.append(text)
        // A terminal that is gone does not stop the work.
        try? writer.flush()
    }
}
