import Glibc
import QuakeStore
import QuakeSystem

/// Runs `quakes refresh` in a separate process, at most once per interval. Reports when refreshes begin to fail and
/// when they succeed again, and when the data becomes stale and when it is current again.
///
/// A separate process frees its memory after each refresh, and a crash of that process does not end the watch.
final class WatchRefresher {
    /// A failure that the user must fix, such as a cache written by a newer version.
    struct Fatal: Error {
        var status: ExitStatus
    }

    private let arguments: [String]
    private let variables: [String: String]
    private let interval: Duration
    private let reporter: Reporter
    private let ringsBell: Bool
    private let clock = ContinuousClock()
    private var nextRefresh: ContinuousClock.Instant
    private var child: Child?
    private let interruption: FollowInterruption
    private var hasToldOfCommand = false
    /// Reads the last warning about stale data from the cache; nil if the data is current.
    private let staleNotice: () throws -> StaleNotice?
    private var lastStaleNotice: StaleNotice?

    /// A running refresh, and its standard error.
    private final class Child {
        private var process: ChildProcess?
        private let output: UnlinkedFile

        init(_ arguments: [String], _ variables: [String: String]) throws(SystemError) {
            output = try UnlinkedFile(in: UnlinkedFile.folder(variables["TMPDIR"]))
            guard let program = FileLocation.executable else { throw SystemError(ENOENT) }
            process = try ChildProcess(
                program, arguments: ["quakes"] + arguments, environment: variables,
                streams: [(STDERR_FILENO, output.number)], dropSignal: SIGTERM)
        }

        var hasEnded: Bool {
            switch process {
            case .some(let process): process.hasEnded
            case .none: true
            }
        }

        /// Returns how the refresh ended, and the first 4,096 bytes that it wrote to standard error.
        func result() -> (ending: ChildProcess.Ending, text: String) {
            let ending = process.take()?.wait() ?? .signaled(0)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = bytes.withUnsafeMutableBytes { output.read(into: $0, at: 0) }
            return (ending, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
    }

    init(
        arguments: [String], variables: [String: String], interval: Duration, reporter: Reporter,
        ringsBell: Bool = false, staleNotice: @escaping () throws -> StaleNotice? = { nil }
    ) {
        self.arguments = arguments
        self.variables = variables
        self.interval = interval
        self.reporter = reporter
        self.ringsBell = ringsBell
        self.staleNotice = staleNotice
        interruption = FollowInterruption(reporter)
        nextRefresh = clock.now
    }

    /// Starts a refresh if one is due, or handles the result of one that has ended. Shows the progress.
    func tick() throws { if let progress = try poll() { reporter.progress(progress) } }

    /// Does the work of ``tick()`` while a command runs for the quake `id`, without showing progress, because the
    /// command uses the terminal. Reports once if the command runs for more than a minute.
    func tick(whileCommandRunsFor id: String?, _ duration: Duration) {
        reporter.eraseProgress()
        // Errors are ignored here. An error that must end the watch occurs again in the next refresh after the command.
        _ = try? poll()
        remark(onCommandFor: id, runningFor: duration)
    }

    func remark(onCommandFor id: String?, runningFor duration: Duration) {
        let isLong = duration >= .seconds(60)
        if isLong, !hasToldOfCommand {
            let command = "The command\(id.map { " for \($0)" } ?? "")"
            reporter.writeLine("quakes: \(command) is still running after 1 minute; later changes are waiting for it.")
        }
        hasToldOfCommand = isLong
    }

    func willWrite() {
        reporter.eraseProgress()
        if ringsBell { reporter.ringBell() }
    }

    /// Does the work of ``tick()``, but returns the progress instead of showing it.
    private func poll() throws -> String? {
        if let child {
            guard child.hasEnded else { return "reading the feed" }
            self.child = nil
            try handle(child.result())
            noteStaleData()
        } else if clock.now >= nextRefresh {
            nextRefresh = clock.now + interval
            do throws(SystemError) {
                child = try Child(arguments, variables)
            } catch { fail("quakes: Cannot start a refresh: \(error.reason).") }
        } else {
            let seconds = (nextRefresh - clock.now).components.seconds
            return "next poll in \(seconds) s\(interruption.isInterrupted ? " (last poll failed)" : "")"
        }
        return nil
    }

    private func handle(_ result: (ending: ChildProcess.Ending, text: String)) throws {
        guard case .exited(let code) = result.ending else { return fail("quakes: The refresh was killed.") }
        // If several feeds failed, report the first message. If the disk is full, there may be no message.
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.first { !StaleWarning.isIn($0) } ?? ""
        let text = line.isEmpty ? "quakes: The refresh exited with status \(code)." : String(line)
        switch ExitStatus(rawValue: code) {
        case .success: interruption.end()
        // Without a message, the server asked for a pause, or another process has been writing for a short time only.
        case .tryLater where line.isEmpty: break
        case .usage?, .unsupportedCache?:
            reporter.writeLine(text)
            throw Fatal(status: ExitStatus(rawValue: code) ?? .failure)
        case .storageFailure: fail(text, recovery: "The cache can be written to again.")
        default: fail(text)
        }
    }

    /// Repeats the refresh's warning about stale data, or reports that the data is current again.
    private func noteStaleData() {
        let notice: StaleNotice?
        do { notice = try staleNotice() } catch { return }
        guard notice != lastStaleNotice else { return }
        reporter.writeLine(notice?.words ?? "quakes: The data is current again.")
        lastStaleNotice = notice
    }

    private func fail(_ line: String, recovery: String = "The feeds can be read again.") {
        interruption.begin(line, recovery: recovery)
    }
}
