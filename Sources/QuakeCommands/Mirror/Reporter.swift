import Glibc
import QuakeModel
import Synchronization

/// What a command says that changes the cache or keeps up with it: reports on standard output, as lines for people or
/// records for programs; on standard error remarks and, on a terminal, a line that tells how far the work is.
///
/// A report that cannot be written must not stop the work: `quakes refresh A B | true` applies both feeds. After the
/// first failure further reports are dropped; ``finish()`` throws when the command has done its work.
final class Reporter: Sendable {
    /// Work that takes less shows no progress.
    static let patience = Duration.seconds(1)

    private struct State {
        let output: ByteWriter
        var failure: OutputError?
        /// The progress on the terminal.
        var drawn: String?
        var lastFailure: String?
        var skipped: SkippedChanges?
    }

    private let format: ReportFormat
    private let isQuiet: Bool
    private let columns: Int?
    private let errors: StandardStream
    /// Whether people see how far the work is.
    let showsProgress: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init(
        _ environment: CommandEnvironment, _ global: GlobalOptions, _ format: ReportFormat = .text,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        let output = environment.standardOutput
        (self.format, isQuiet, columns) = (format, global.isQuiet, output.columnsOfTerminal)
        (errors, self.now, start) = (environment.standardError, now, now())
        showsProgress = errors.isTerminal && !global.isQuiet && environment.variable("TERM") != "dumb"
        state = Mutex(State(output: format == .text ? output.writerForPeople : ByteWriter(output)))
    }

    /// Writes `line` for people, unless `--quiet` says no, or `record` for programs.
    func report(_ line: String?, _ record: @autoclosure () -> Record? = nil) {
        let record = format == .json ? record() : nil
        guard record != nil || format == .text && !isQuiet && line != nil else { return }
        erase()
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(OutputError) {
                if let record {
                    try JSONWriter().line(record, to: state.output)
                } else if let line {
                    WrappedLines(state.output, columns: columns).append(line)
                }
                try state.output.flush()
            } catch { state.failure = error }
        }
    }

    /// Throws if a report could not be written. A closed pipe or standard output is not a failure.
    func finish() throws(OutputError) {
        switch state.withLock(\.failure) {
        case nil, .closedPipe, .writeFailed(errno: EBADF): return
        case let failure?: throw failure
        }
    }

    /// Says what people may want to know, unless `--quiet` says no.
    func remark(_ words: String) { if !isQuiet { say("quakes: \(words)") } }

    /// Whether `skipped` is not what was said last: a delivery that fails is tried again.
    func isRecentEnough(_ skipped: SkippedChanges) -> Bool {
        state.withLock { state in
            defer { state.skipped = skipped }
            return state.skipped != skipped
        }
    }

    /// Writes a line on standard error. A failure is not repeated right after itself: two may find the same.
    func say(_ line: String, isFailure: Bool = false) {
        erase()
        let isNew = state.withLock { state in
            defer { state.lastFailure = isFailure ? line : nil }
            return !isFailure || state.lastFailure != line
        }
        if isNew { errors.writeLine(line) }
    }

    /// Shows how far the work is.
    func progress(_ words: String) {
        guard showsProgress, now() - start >= Self.patience else { return }
        let line = DisplayWidth.fitted(TerminalText.sanitized(words), columns: max(1, errors.terminalColumns - 1))
        let isNew = state.withLock { state in
            defer { state.drawn = line }
            return state.drawn != line
        }
        if isNew { write("\r\u{1B}[K" + line) }
    }

    /// Takes the progress away.
    func erase() {
        if state.withLock({ $0.drawn.take() }) != nil { write("\r\u{1B}[K") }
    }

    func ringBell() { if errors.isTerminal { write("\u{7}") } }

    private func write(_ text: String) {
        let writer = errors.writerForPeople
        writer.append(text)
        // A terminal that is gone does not stop the work.
        try? writer.flush()
    }
}
