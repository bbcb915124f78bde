import Glibc
import QuakeModel
import Synchronization

/// The output of a command that changes or follows the cache. Reports go to standard output, as lines for people or
/// JSON records. Remarks go to standard error, as does a progress line if standard error is a terminal.
///
/// A report that cannot be written must not stop the work: `quakes refresh A B | true` applies both feeds. After the
/// first failure, further reports are dropped, and ``finish()`` throws once the command has done its work.
final class Reporter: Sendable {
    /// How long a command runs before it shows progress.
    static let progressDelay = Duration.seconds(1)

    private struct State {
        let output: ByteWriter
        var failure: OutputError?
        /// The progress line on the terminal; nil if there is none.
        var progressLine: String?
        var lastFailure: String?
        var skipped: SkippedChanges?
    }

    private let format: ReportOptions.Format
    private let isQuiet: Bool
    private let columns: Int?
    private let errors: StandardStream
    let showsProgress: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init(
        _ environment: CommandEnvironment, _ global: GlobalOptions, _ format: ReportOptions.Format = .text,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        let output = environment.standardOutput
        self.format = format
        isQuiet = global.isQuiet
        columns = output.columnsIfTerminal
        errors = environment.standardError
        self.now = now
        start = now()
        showsProgress = errors.isTerminal && !global.isQuiet && environment.allowsControlSequences
        state = Mutex(State(output: environment.writer(forPeople: format == .text)))
    }

    /// Writes `line` for people, except with `--quiet`, or `record` in JSON.
    func report(_ line: String?, _ record: @autoclosure () -> Record? = nil) {
        let record = format == .json ? record() : nil
        guard record != nil || format == .text && !isQuiet && line != nil else { return }
        eraseProgress()
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

    /// Throws if a report could not be written. A closed pipe or a closed standard output is not a failure.
    func finish() throws(OutputError) {
        switch state.withLock(\.failure) {
        case nil, .closedPipe, .writeFailed(errno: EBADF): return
        case let failure?: throw failure
        }
    }

    /// Writes a remark for people, except with `--quiet`.
    func remark(_ words: String) { if !isQuiet { writeLine("quakes: \(words)") } }

    /// Returns whether `skipped` differs from the last value, and remembers it, so that a retried delivery does not
    /// report it again.
    func rememberIfNew(_ skipped: SkippedChanges) -> Bool {
        state.withLock { state in
            defer { state.skipped = skipped }
            return state.skipped != skipped
        }
    }

    /// Writes a line to standard error. A failure with the same text as the line before is omitted, because two
    /// observers may report one failure.
    func writeLine(_ line: String, isFailure: Bool = false) {
        eraseProgress()
        let isNew = state.withLock { state in
            defer { state.lastFailure = isFailure ? line : nil }
            return !isFailure || state.lastFailure != line
        }
        if isNew { errors.writeLine(line) }
    }

    /// Shows `words` as the progress line.
    func progress(_ words: String) {
        guard showsProgress, now() - start >= Self.progressDelay else { return }
        let line = DisplayWidth.fitted(TerminalText.sanitized(words), columns: max(1, errors.terminalColumns - 1))
        let isNew = state.withLock { state in
            defer { state.progressLine = line }
            return state.progressLine != line
        }
        if isNew { write("\r\u{1B}[K" + line) }
    }

    func eraseProgress() { if state.withLock({ $0.progressLine.take() }) != nil { write("\r\u{1B}[K") } }

    func ringBell() { if errors.isTerminal { write("\u{7}") } }

    private func write(_ text: String) {
        let writer = errors.writerForPeople
        writer.append(text)
        // A terminal that has gone away does not stop the work.
        try? writer.flush()
    }
}
